package io.servery.netty.observe;

import io.netty.util.Version;
import io.servery.core.metric.BuildInfo;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Map;
import java.util.Optional;

/// The versions of what runs here, read from where each build wrote its own.
public final class BuildVersions {
    private BuildVersions() {
    }

    /// Those of this process; `development` for classes that were not packed into a jar.
    public static BuildInfo here() {
        String own = Optional.ofNullable(BuildVersions.class.getPackage().getImplementationVersion())
                .orElse("development");
        return new BuildInfo(own, Runtime.version().toString(), netty());
    }

    /// What identifies the build that this process runs, and that a process of another build does not have: the version,
    /// and size and time of the jar as it was when this was first asked. Parent and worker must have the same.
    public static String identity() {
        return Identity.HERE;
    }

    private static final class Identity {
        static final String HERE = here().version() + jar();

        /// Nothing for classes that were not packed into a jar.
        private static String jar() {
            try {
                CodeSource source = BuildVersions.class.getProtectionDomain().getCodeSource();
                Path file = Path.of(source.getLocation().toURI());
                return Files.isDirectory(file)
                        ? ""
                        : " " + Files.size(file) + " " + Files.getLastModifiedTime(file).toMillis();
            } catch (IOException | URISyntaxException gone) {
                return " " + gone.getClass().getSimpleName();
            }
        }
    }

    /// The native files have a version of their own, so the Java modules are asked for.
    private static String netty() {
        Map<String, Version> known = Version.identify(BuildVersions.class.getClassLoader());
        Optional<Version> common = Optional.ofNullable(known.get("netty-common"));
        return common.or(() -> known.values().stream().filter(v -> !v.artifactId().contains("native")).findFirst())
                .map(Version::artifactVersion).orElse("of unknown version");
    }
}

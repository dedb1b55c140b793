package io.servery.netty.observe;

import io.netty.util.Version;
import io.servery.core.metric.BuildInfo;
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

    /// The native files have a version of their own, so the Java modules are asked for.
    private static String netty() {
        Map<String, Version> known = Version.identify(BuildVersions.class.getClassLoader());
        Optional<Version> common = Optional.ofNullable(known.get("netty-common"));
        return common.or(() -> known.values().stream().filter(v -> !v.artifactId().contains("native")).findFirst())
                .map(Version::artifactVersion).orElse("of unknown version");
    }
}

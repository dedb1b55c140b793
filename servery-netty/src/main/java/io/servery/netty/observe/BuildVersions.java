package io.servery.netty.observe;

import io.netty.util.Version;
import io.servery.core.metric.BuildInfo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The versions of what runs here, read from where each build wrote its own.
public final class BuildVersions {
    private static final String NETTY = "META-INF/io.netty.versions.properties";
    private static final String VERSION = ".version=";
    private static final String UNKNOWN = "of unknown version";

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

        /// Nothing for classes that were not packed into a jar. Of the class path, since a class that comes from an ahead-of-time
        /// cache names the jar of the training run as its source.
        private static String jar() {
            try {
                Path file = Path.of(System.getProperty("java.class.path"));
                return Files.isRegularFile(file)
                        ? " " + Files.size(file) + " " + Files.getLastModifiedTime(file).toMillis()
                        : "";
            } catch (IOException | InvalidPathException gone) {
                return " " + gone.getClass().getSimpleName();
            }
        }
    }

    /// The native files have a version of their own, so the Java modules are asked for. Netty's own reader of this file reads
    /// dates, too, and takes a good part of a start for them.
    private static String netty() {
        try (InputStream in = BuildVersions.class.getClassLoader().getResourceAsStream(NETTY)) {
            String text = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            for (String line : text.split("\n", -1)) {
                int at = line.indexOf(VERSION);
                if (at > 0 && !line.contains("native")) {
                    return line.substring(at + VERSION.length()).strip();
                }
            }
        } catch (IOException unreadable) {
            return UNKNOWN;
        }
        return ofSeparateJars();
    }

    /// Where Netty's jars are not one, each has such a file, and the first that is found may be of native files.
    private static String ofSeparateJars() {
        for (Map.Entry<String, Version> known : Version.identify(BuildVersions.class.getClassLoader()).entrySet()) {
            if (!known.getKey().contains("native")) {
                return known.getValue().artifactVersion();
            }
        }
        return UNKNOWN;
    }
}

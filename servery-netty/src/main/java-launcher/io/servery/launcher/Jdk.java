package io.servery.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A Java installation, known by its `release` file: asking the `java` binary would cost a JVM start for each candidate.
final class Jdk {
    private static final String VERSION_KEY = "JAVA_VERSION=";

    private final Path home;
    private final Runtime.Version version;

    private Jdk(Path home, Runtime.Version version) {
        this.home = home;
        this.version = version;
    }

    /// The installation at `home`, or null where there is no executable `bin/java` with a `release` file that names a version.
    static @Nullable Jdk at(Path home) {
        Path release = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isRegularFile(release)) {
            return null;
        }
        try (BufferedReader lines = Files.newBufferedReader(release)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(VERSION_KEY)) {
                    String version = line.substring(VERSION_KEY.length()).replace("\"", "").trim();
                    return new Jdk(home, Runtime.Version.parse(version));
                }
            }
            return null;
        } catch (IOException | IllegalArgumentException unreadable) {
            return null;
        }
    }

    Path home() {
        return home;
    }

    Path java() {
        return home.resolve("bin/java");
    }

    Runtime.Version version() {
        return version;
    }
}

package io.servery.interop.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What these tests run: the `java` of this JVM, an older one where the machine has it, and the classes of the jar.
final class InstalledJava {
    private static final Pattern OLD = Pattern.compile("(?s).*JAVA_VERSION=\"(11|17|21|22|23|24)\\b.*");

    private InstalledJava() {
    }

    static Path current() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /// A `java` of 11 to 24: too old for the server, new enough for the launcher.
    static Optional<Path> old() throws IOException {
        Path directory = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(directory)) {
            return homes.sorted().filter(InstalledJava::isOld).map(home -> home.resolve("bin/java")).findFirst();
        }
    }

    private static boolean isOld(Path home) {
        try {
            return Files.isExecutable(home.resolve("bin/java")) && Files.isRegularFile(home.resolve("release"))
                    && OLD.matcher(Files.readString(home.resolve("release"))).matches();
        } catch (IOException unreadable) {
            return false;
        }
    }

    /// The class path of this test run: the launcher, the server, and the mains of these tests.
    static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .reduce((left, right) -> left + File.pathSeparator + right).orElseThrow();
    }
}

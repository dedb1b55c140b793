package io.servery.supervisor.host;

import io.servery.core.fault.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/// A program of the tests in a JVM of its own, from jars that are open before it begins: as a service's are, whatever the
/// user that it becomes may read.
final class ChildJvm {
    private ChildJvm() {
    }

    /// The command of a program.
    ///
    /// @param folder where jars are made
    static List<String> command(Path folder, Class<?> program, String... arguments) throws IOException {
        List<String> jars = new ArrayList<>();
        for (Path place : Set.copyOf(new LinkedHashSet<>(List.of(placeOf(program), placeOf(Privileges.class),
                placeOf(ExitCode.class))))) {
            jars.add((Files.isDirectory(place) ? jar(folder, place, jars.size()) : place).toString());
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED", "-cp", String.join(":", jars), program.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static Path jar(Path folder, Path classes, int number) throws IOException {
        Path jar = folder.resolve("classes" + number + ".jar");
        try (OutputStream bytes = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(bytes);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
        return jar;
    }
}

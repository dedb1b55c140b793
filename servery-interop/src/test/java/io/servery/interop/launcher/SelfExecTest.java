package io.servery.interop.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The replacement of the JVM by one with the flags for serving, in real processes.
class SelfExecTest {
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
    private static final String OURS = "flag -XX:+ExitOnOutOfMemoryError";

    @TempDir
    Path directory;

    @Test
    void servingCommandRunsOnceMoreInTheSameProcessWithTheFlags() throws Exception {
        try (Launched launched = start(Map.of(), List.of(NATIVE_ACCESS), "run", "--config", "x.toml", "--set",
                "a=b c", "")) {
            List<String> lines = untilServing(launched);
            assertThat(lines).filteredOn(line -> line.startsWith("main ")).containsExactly("main " + launched.pid(),
                    "main " + launched.pid());
            assertThat(lines).contains(OURS, "flag --sun-misc-unsafe-memory-access=allow", "flag -XX:+UseSerialGC",
                    "flag -XX:-CreateCoredumpOnCrash", "mapped from 30000");
            assertThat(lines).containsSubsequence("argument --config", "argument x.toml", "argument --set",
                    "argument a=b c", "argument ");
            assertThat(launched.standardError()).isEmpty();
        }
    }

    @Test
    void reportingCommandRunsInPlace() throws Exception {
        try (Launched launched = start(Map.of(), List.of(NATIVE_ACCESS), "check", "--config", "x.toml")) {
            List<String> lines = untilServing(launched);
            assertThat(lines).doesNotContain(OURS).containsOnlyOnce("main " + launched.pid());
        }
    }

    @Test
    void flagsOfTheUserWinWhereverTheyWereGiven() throws Exception {
        Map<String, String> environment = Map.of("JAVA_TOOL_OPTIONS", "-Xmx99m", "JDK_JAVA_OPTIONS",
                "-XX:-ExitOnOutOfMemoryError");
        try (Launched launched = start(environment, List.of(NATIVE_ACCESS, "-XX:+UseParallelGC"), "serve", ".")) {
            List<String> lines = untilServing(launched);
            assertThat(lines).contains("flag -XX:+UseParallelGC").doesNotContain("flag -XX:+UseSerialGC",
                    "flag -Xms32768k");
            assertThat(lines.lastIndexOf("flag -XX:-ExitOnOutOfMemoryError")).isGreaterThan(lines.lastIndexOf(OURS));
            assertThat(lines.lastIndexOf("flag -Xmx99m")).isPositive();
        }
    }

    @Test
    void withoutNativeAccessItStaysAndOneLineSaysSo() throws Exception {
        try (Launched launched = start(Map.of(), List.of(), "run", "--config", "x.toml")) {
            assertThat(untilServing(launched)).doesNotContain(OURS);
            assertThat(launched.standardError().lines()).singleElement().asString().startsWith("servery: JVM flags: ")
                    .contains("native access");
        }
    }

    @Test
    void underADebuggerItStaysAndOneLineSaysSo() throws Exception {
        String agent = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0";
        try (Launched launched = start(Map.of(), List.of(NATIVE_ACCESS, agent), "run")) {
            assertThat(untilServing(launched)).doesNotContain(OURS);
            assertThat(launched.standardError().lines()).singleElement().asString().contains("agent");
        }
    }

    @Test
    void whereExecvFailsItStaysAndOneLineSaysSo() throws Exception {
        String elsewhere = "-Djava.home=" + Files.createDirectory(directory.resolve("nothing"));
        try (Launched launched = start(Map.of(), List.of(NATIVE_ACCESS, elsewhere), "run")) {
            assertThat(untilServing(launched)).doesNotContain(OURS);
            assertThat(launched.standardError().lines()).singleElement().asString().contains("execv", "errno 2");
        }
    }

    @Test
    void replacementHoldsNoDescriptorOfTheJvmBefore() throws Exception {
        List<String> inPlace;
        try (Launched launched = start(Map.of(), List.of(NATIVE_ACCESS), "check")) {
            inPlace = descriptors(untilServing(launched));
        }
        try (Launched launched = start(Map.of(), List.of(NATIVE_ACCESS), "run")) {
            assertThat(descriptors(untilServing(launched))).hasSameSizeAs(inPlace);
        }
    }

    @Test
    void descriptorThatTheCallerHandsOverStaysOpen() throws Exception {
        Path handed = Files.createFile(directory.resolve("handed"));
        try (Launched launched = startBy(List.of("/bin/sh", "-c", "exec \"$@\" 9<\"$0\"", handed.toString()))) {
            assertThat(untilServing(launched)).contains("descriptor 9 " + handed.toRealPath());
        }
    }

    @Test
    void termStillEndsTheReplacement() throws Exception {
        try (Launched launched = start(Map.of(), List.of(NATIVE_ACCESS), "run")) {
            untilServing(launched);
            launched.signal("TERM");
            assertThat(launched.exitCode()).isEqualTo(143);
        }
    }

    private Launched start(Map<String, String> environment, List<String> flags, String... args) throws IOException {
        return Launched.start(directory, environment, command(flags, args));
    }

    private Launched startBy(List<String> wrapper) throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(command(List.of(NATIVE_ACCESS), "run"));
        return Launched.start(directory, Map.of(), command);
    }

    private static List<String> command(List<String> flags, String... args) {
        List<String> command = new ArrayList<>(List.of(InstalledJava.current().toString()));
        command.addAll(flags);
        command.addAll(List.of("-cp", InstalledJava.classPath(), ServingProbe.class.getName()));
        command.addAll(List.of(args));
        return command;
    }

    private static List<String> untilServing(Launched launched) throws Exception {
        List<String> lines = new ArrayList<>();
        for (String line = launched.line(); !line.equals("serving"); line = launched.line()) {
            lines.add(line);
        }
        return lines;
    }

    private static List<String> descriptors(List<String> lines) {
        return lines.stream().filter(line -> line.startsWith("descriptor ")).toList();
    }
}

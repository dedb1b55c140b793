package io.servery.interop.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.launcher.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher under a Java that is too old for the server. Most tests give it a JDK whose `java` is a shell script, so
/// that they see exactly what reaches the child.
class LauncherTest {
    /// Tells its arguments, then each signal; ends with 7 at the second TERM.
    private static final String RECORDING = """
            terms=0
            trap 'echo HUP' HUP
            trap 'echo INT' INT
            trap 'echo TERM; terms=$((terms + 1)); [ $terms -lt 2 ] || exit 7' TERM
            for argument in "$@"; do echo "argument $argument"; done
            echo ready
            trap 'kill $!' EXIT
            while :; do sleep 60 & wait $!; done
            """;

    @TempDir
    Path directory;
    private Path oldJava;

    @BeforeEach
    void findAnOldJava() throws IOException {
        Optional<Path> old = InstalledJava.old();
        assumeTrue(old.isPresent(), "no JDK of 11 to 24 in /usr/lib/jvm: the launcher has nothing to run under");
        oldJava = old.get();
    }

    @Test
    void withoutAnyNewEnoughJdkOneLineSaysWhatIsMissingAndWhereItLooked() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("jdks"));
        fakeJdk(empty.resolve("old"), "21.0.1", "echo never");
        try (Launched launched = launch(Map.of("SERVERY_JDK_PATH", empty.toString()))) {
            assertThat(launched.exitCode()).isEqualTo(2);
            assertThat(launched.standardError().lines()).singleElement().asString()
                    .contains("expected Java 25 or later", "JAVA_HOME", empty.toString(), "SERVERY_JAVA_HOME");
        }
    }

    @Test
    void jdkNamedForServeryThatIsTooOldIsSaidAndNotPassedOver() throws Exception {
        Path old = fakeJdk(directory.resolve("old"), "21.0.1", "echo never");
        Path good = fakeJdk(directory.resolve("jdks/good"), "25.0.1", "echo never");
        try (Launched launched = launch(
                Map.of("SERVERY_JAVA_HOME", old.toString(), "SERVERY_JDK_PATH", good.getParent().toString()))) {
            assertThat(launched.exitCode()).isEqualTo(2);
            assertThat(launched.standardError().lines()).singleElement().asString()
                    .contains("SERVERY_JAVA_HOME names " + old);
        }
    }

    @Test
    void jdkNamedForServeryComesBeforeJavaHomeAndThatBeforeDirectories() throws Exception {
        Path first = fakeJdk(directory.resolve("first"), "25.0.1", "echo first");
        Path second = fakeJdk(directory.resolve("second"), "25.0.1", "echo second");
        Path third = fakeJdk(directory.resolve("jdks/third"), "25.0.1", "echo third");
        String jdks = third.getParent().toString();
        assertThat(firstLine(Map.of("SERVERY_JAVA_HOME", first.toString(), "JAVA_HOME", second.toString(),
                "SERVERY_JDK_PATH", jdks))).isEqualTo("first");
        assertThat(firstLine(Map.of("JAVA_HOME", second.toString(), "SERVERY_JDK_PATH", jdks))).isEqualTo("second");
        assertThat(firstLine(Map.of("SERVERY_JDK_PATH", jdks))).isEqualTo("third");
    }

    @Test
    void ofSeveralInOneDirectoryTheTestedReleaseInItsNewestUpdateIsTaken() throws Exception {
        Path jdks = Files.createDirectory(directory.resolve("jdks"));
        fakeJdk(jdks.resolve("a"), "26", "echo 26");
        fakeJdk(jdks.resolve("b"), "25.0.1", "echo 25.0.1");
        fakeJdk(jdks.resolve("c"), "25.0.2", "echo 25.0.2");
        fakeJdk(jdks.resolve("d"), "21.0.9", "echo 21");
        assertThat(firstLine(Map.of("SERVERY_JDK_PATH", jdks.toString()))).isEqualTo("25.0.2");
    }

    @Test
    void oneLineSaysThatThisIsForDevelopmentAndWhichJdkRuns() throws Exception {
        Path jdk = fakeJdk(directory.resolve("jdk"), "25.0.1", "exit 0");
        try (Launched launched = launch(Map.of("SERVERY_JAVA_HOME", jdk.toString()))) {
            assertThat(launched.exitCode()).isZero();
            assertThat(launched.standardError().lines()).singleElement().asString().contains("development", "25.0.1",
                    jdk.toString());
        }
    }

    @Test
    void childGetsTheArgumentsAndTheJvmFlagsAsTheyWereGiven() throws Exception {
        Path jdk = fakeJdk(directory.resolve("jdk"), "25.0.1", "for a in \"$@\"; do echo \"<$a>\"; done");
        try (Launched launched = launch(Map.of("SERVERY_JAVA_HOME", jdk.toString()), List.of("-Xmx99m"), "--set",
                "a=b c", "", "end")) {
            assertThat(launched.exitCode()).isZero();
            List<String> lines = new ArrayList<>();
            for (String line = launched.line(); !line.equals("<end>"); line = launched.line()) {
                lines.add(line);
            }
            assertThat(lines).contains("<-Xmx99m>", "<--set>", "<a=b c>", "<>").containsSubsequence("<-cp>",
                    "<io.servery.netty.Main>", "<--set>");
        }
    }

    @Test
    void exitCodeOfTheChildIsTheLaunchersOwn() throws Exception {
        Path jdk = fakeJdk(directory.resolve("jdk"), "25.0.1", "exit 78");
        try (Launched launched = launch(Map.of("SERVERY_JAVA_HOME", jdk.toString()))) {
            assertThat(launched.exitCode()).isEqualTo(78);
        }
    }

    @Test
    void childKilledBySignalNIsToldAs128PlusN() throws Exception {
        Path jdk = fakeJdk(directory.resolve("jdk"), "25.0.1", "kill -KILL $$");
        try (Launched launched = launch(Map.of("SERVERY_JAVA_HOME", jdk.toString()))) {
            assertThat(launched.exitCode()).isEqualTo(137);
        }
    }

    @Test
    void hupIntAndEveryTermReachTheChildOnce() throws Exception {
        Path jdk = fakeJdk(directory.resolve("jdk"), "25.0.1", RECORDING);
        try (Launched launched = launch(Map.of("SERVERY_JAVA_HOME", jdk.toString()))) {
            assertThat(awaitLine(launched, "ready")).isEqualTo("ready");
            launched.signal("HUP");
            assertThat(launched.line()).isEqualTo("HUP");
            launched.signal("INT");
            assertThat(launched.line()).isEqualTo("INT");
            launched.signal("TERM");
            assertThat(launched.line()).isEqualTo("TERM");
            launched.signal("TERM");
            assertThat(launched.line()).isEqualTo("TERM");
            assertThat(launched.exitCode()).isEqualTo(7);
        }
    }

    @Test
    void standardInputIsTheChilds() throws Exception {
        Path jdk = fakeJdk(directory.resolve("jdk"), "25.0.1", "readlink /proc/$$/fd/0; readlink /proc/$PPID/fd/0");
        try (Launched launched = launch(Map.of("SERVERY_JAVA_HOME", jdk.toString()))) {
            assertThat(launched.line()).startsWith("pipe:").isEqualTo(launched.line());
        }
    }

    private static String awaitLine(Launched launched, String awaited) throws Exception {
        String line = launched.line();
        while (!line.equals(awaited)) {
            line = launched.line();
        }
        return line;
    }

    private String firstLine(Map<String, String> environment) throws Exception {
        try (Launched launched = launch(environment)) {
            return launched.line();
        }
    }

    private Launched launch(Map<String, String> environment) throws IOException {
        return launch(environment, List.of(), "version");
    }

    private Launched launch(Map<String, String> environment, List<String> flags, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(oldJava.toString()));
        command.addAll(flags);
        command.addAll(List.of("-cp", InstalledJava.classPath(), Main.class.getName()));
        command.addAll(List.of(args));
        return Launched.start(directory, environment, command);
    }

    private static Path fakeJdk(Path home, String version, String script) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"" + version + "\"\n");
        Path java = Files.writeString(home.resolve("bin/java"), "#!/bin/sh\n" + script + "\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        return home;
    }
}

package io.servery.supervisor.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A real process of several threads that defers, and that is asked to no more.
@EnabledOnOs(value = OS.LINUX, disabledReason = "policies of its scheduler")
class DeferenceTest {
    private static final String POLICY = "policy";

    /// proc_pid_sched(5): the policies of its threads.
    private static List<String> policies(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return threads.map(thread -> {
                try {
                    return Files.readAllLines(thread.resolve("sched")).stream().filter(line -> line.startsWith(POLICY))
                            .map(line -> line.substring(line.indexOf(':') + 1).strip()).findFirst().orElse("none");
                } catch (IOException gone) {
                    return "gone";
                }
            }).distinct().toList();
        }
    }

    @Test
    void everyThreadDefersAndIsLikeOthersAgain() throws Exception {
        Deference.allow();
        assumeTrue(Deference.isAllowed(), "RLIMIT_NICE does not let this user take SCHED_IDLE back");
        Process threads = new ProcessBuilder("python3", "-c", """
                import threading, time
                for _ in range(5):
                    threading.Thread(target=time.sleep, args=(60,)).start()
                print("made", flush=True)
                """).start();
        try {
            assertThat(threads.inputReader().readLine()).isEqualTo("made");
            assertThat(policies(threads.pid())).containsExactly("0");
            assertThat(Deference.begin((int) threads.pid())).isTrue();
            assertThat(policies(threads.pid())).containsExactly("5");
            Deference.end((int) threads.pid());
            assertThat(policies(threads.pid())).containsExactly("0");
        } finally {
            threads.destroyForcibly();
        }
    }

    @Test
    void processThatIsGoneIsNoMatter() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();

        assertThat(Deference.begin((int) ended.pid())).isEqualTo(Deference.isAllowed());
        Deference.end((int) ended.pid());
    }
}

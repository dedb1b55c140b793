package io.servery.netty.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.supervisor.process.Affinity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Where the kernel lets threads of this process run: `Cpus_allowed_list` of proc_pid_status(5).
class ProcessorsTest {
    private final String before = allowed(Path.of("/proc/thread-self"));
    private final Affinity whole = Affinity.ofThisThread();
    private final Processors processors = new Processors(whole.half(), whole);

    /// As in a process that its parent has started so.
    @BeforeEach
    void moveAll() {
        Threads.each(_ -> true, thread -> whole.half().bind(thread));
    }

    @AfterEach
    void releaseAll() {
        processors.releaseAll();
    }

    private static String allowed(Path thread) {
        try (Stream<String> lines = Files.lines(thread.resolve("status"))) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:")).findFirst().orElse("");
        } catch (IOException | UncheckedIOException ended) {
            return "";
        }
    }

    /// Where the compilers may run that have not ended meanwhile: the JVM starts and ends them as it needs them.
    private static List<String> ofCompilers() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/task"))) {
            return all.filter(thread -> Threads.isCompiler(thread.getFileName().toString()))
                    .map(ProcessorsTest::allowed).filter(allowed -> !allowed.isEmpty()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whoeverServesTakesTheRestBeforeTheCompilersDo() {
        assumeTrue(before.matches(".*[,-].*"), "this host has one processor");
        String half = allowed(Path.of("/proc/thread-self"));

        processors.releaseServing();

        assertThat(allowed(Path.of("/proc/thread-self"))).isEqualTo(before);
        assertThat(ofCompilers()).isNotEmpty().containsOnly(half);

        processors.releaseAll();

        assertThat(ofCompilers()).isNotEmpty().containsOnly(before);
    }

    @Test
    void compilersOfWhoeverLeavesAreOnHalfAlone() {
        assumeTrue(before.matches(".*[,-].*"), "this host has one processor");
        String half = allowed(Path.of("/proc/thread-self"));
        processors.releaseAll();

        Processors.compilersOnHalf();

        assertThat(allowed(Path.of("/proc/thread-self"))).isEqualTo(before);
        assertThat(ofCompilers()).isNotEmpty().containsOnly(half);
    }
}

package io.servery.netty.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// Where the kernel lets threads of this process run: `Cpus_allowed_list` of proc_pid_status(5).
@Isolated
class ProcessorsTest {
    private static final Executor NEW_THREAD = task -> Thread.ofPlatform().start(task);

    private final String before = allowed(Path.of("/proc/thread-self"));
    private final Processors processors = Processors.half();

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
    void halfIsForAllThreadsAndForThoseThatTheyStart() {
        assumeTrue(before.matches(".*[,-].*"), "this host has one processor");
        String half = allowed(Path.of("/proc/thread-self"));

        assertThat(half).isNotEqualTo(before);
        assertThat(ofCompilers()).isNotEmpty().containsOnly(half);
        assertThat(CompletableFuture.supplyAsync(() -> allowed(Path.of("/proc/thread-self")), NEW_THREAD).join())
                .isEqualTo(half);
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

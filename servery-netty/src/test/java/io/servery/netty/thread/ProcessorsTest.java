package io.servery.netty.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:")).findFirst().orElseThrow();
        } catch (NoSuchFileException gone) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> threads(boolean compilers) {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/task"))) {
            return all.filter(thread -> Threads.isCompiler(thread.getFileName().toString()) == compilers).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void halfIsForAllThreadsAndForThoseThatTheyStart() {
        assumeTrue(before.matches(".*[,-].*"), "this host has one processor");
        String half = allowed(Path.of("/proc/thread-self"));

        assertThat(half).isNotEqualTo(before);
        assertThat(threads(true)).isNotEmpty().extracting(ProcessorsTest::allowed).containsOnly(half);
        assertThat(CompletableFuture.supplyAsync(() -> allowed(Path.of("/proc/thread-self")), NEW_THREAD).join())
                .isEqualTo(half);
    }

    @Test
    void whoeverServesTakesTheRestBeforeTheCompilersDo() {
        assumeTrue(before.matches(".*[,-].*"), "this host has one processor");
        String half = allowed(Path.of("/proc/thread-self"));

        processors.releaseServing();

        assertThat(allowed(Path.of("/proc/thread-self"))).isEqualTo(before);
        assertThat(threads(true)).isNotEmpty().extracting(ProcessorsTest::allowed).containsOnly(half);

        processors.releaseAll();

        assertThat(threads(true)).extracting(ProcessorsTest::allowed).containsOnly(before);
    }
}

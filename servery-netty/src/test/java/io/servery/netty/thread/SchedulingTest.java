package io.servery.netty.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// What the kernel says of threads that asked for something: proc_pid_stat(5), and `sched` beside it.
@Isolated
class SchedulingTest {
    private static final Path THREADS = Path.of("/proc/self/task");
    /// Of the fields that follow the name in parentheses.
    private static final int NICE = 16;
    private static final Executor NEW_THREAD = task -> Thread.ofPlatform().start(task);

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int nice(Path thread) {
        String stat = read(thread.resolve("stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[NICE]);
    }

    private static <T> T onANewThread(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, NEW_THREAD).join();
    }

    @Test
    void threadThatGivesWayDoesSoAlone() {
        int before = nice(Path.of("/proc/thread-self"));

        assertThat(onANewThread(() -> {
            Scheduling.giveWay(7);
            return nice(Path.of("/proc/thread-self"));
        })).isEqualTo(7);
        assertThat(nice(Path.of("/proc/thread-self"))).isEqualTo(before);
    }

    /// By next to nothing, since it is this JVM's own for good.
    @Test
    void compilersGiveWayAndNobodyElse() throws IOException {
        int before = nice(Path.of("/proc/thread-self"));

        Scheduling.compilersGiveWay(1);

        try (Stream<Path> threads = Files.list(THREADS)) {
            List<Path> compilers = threads.filter(thread -> read(thread.resolve("comm")).contains(" Compiler"))
                    .toList();
            assertThat(compilers).isNotEmpty().allSatisfy(thread -> assertThat(nice(thread)).isPositive());
        }
        assertThat(nice(Path.of("/proc/thread-self"))).isEqualTo(before);
    }

    @Test
    void secondCompilerGivesWayAndTheFirstDoesNot() throws IOException {
        Map<String, Integer> before = niceOfCompilers();

        Scheduling.secondCompilerGivesWay();

        assertThat(niceOfCompilers()).anySatisfy((name, nice) -> assertThat(name).startsWith("C2")).allSatisfy(
                (name, nice) -> assertThat(nice)
                        .isEqualTo(name.startsWith("C2")
                                ? Math.max(before.getOrDefault(name, 7), 7)
                                : before.getOrDefault(name, nice)));
    }

    private static Map<String, Integer> niceOfCompilers() throws IOException {
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.filter(thread -> Threads.isCompiler(thread.getFileName().toString()))
                    .collect(Collectors.toMap(thread -> read(thread.resolve("comm")).strip() + thread.getFileName(),
                            SchedulingTest::nice));
        }
    }

    @Test
    void shortTurnsAreATenthOfAMillisecond() {
        String sched = onANewThread(() -> {
            Scheduling.takeShortTurns();
            return Files.exists(Path.of("/proc/thread-self/sched")) ? read(Path.of("/proc/thread-self/sched")) : "";
        });
        assumeTrue(sched.contains("se.slice"), "this kernel does not tell the turns of a thread, or knows none");

        assertThat(sched.lines().filter(line -> line.startsWith("se.slice")).toList())
                .singleElement().asString().endsWith(" 100000");
    }
}

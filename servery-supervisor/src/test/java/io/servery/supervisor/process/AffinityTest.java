package io.servery.supervisor.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where the kernel lets threads run: `Cpus_allowed_list` of proc_pid_status(5) is the oracle.
class AffinityTest {
    private static final Executor NEW_THREAD = task -> Thread.ofPlatform().start(task);
    private static final Path THIS_THREAD = Path.of("/proc/thread-self/status");
    private static final Path SHELL = Path.of("/bin/sh");

    @TempDir
    private Path folder;

    private static String allowed() {
        try {
            return Files.readAllLines(THIS_THREAD).stream().filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .findFirst().orElseThrow();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static <T> T onANewThread(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, NEW_THREAD).join();
    }

    @Test
    void threadThatIsBoundToHalfIsThereAlone() {
        String before = allowed();
        assumeTrue(before.matches(".*[,-].*"), "this host has one processor");

        assertThat(onANewThread(() -> {
            Affinity.ofThisThread().half().bindThisThread();
            return List.of(allowed(), onANewThread(AffinityTest::allowed));
        })).as("it, and what it starts").doesNotContain(before).hasSize(2);
        assertThat(allowed()).isEqualTo(before);
    }

    @Test
    void halfOfOneProcessorIsThatOne() {
        Affinity one = Affinity.parse("01");
        assertThat(one.half()).isEqualTo(one);
    }

    @Test
    void whatIsGivenBackIsAllThatAThreadMayHaveOrWhatSomebodyHadChosen() {
        assumeTrue(allowed().matches(".*[,-].*"), "this host has one processor");

        assertThat(onANewThread(() -> {
            String before = allowed();
            Affinity.givenToThisThread().bindThisThread();
            return allowed().equals(before);
        })).isTrue();
        assertThat(onANewThread(() -> {
            Affinity chosen = Affinity.ofThisThread().half();
            chosen.bindThisThread();
            return Affinity.givenToThisThread().equals(chosen);
        })).isTrue();
    }

    @Test
    void textIsReadBack() {
        for (Affinity affinity : List.of(Affinity.ofThisThread(), Affinity.givenToThisThread(), Affinity.UNKNOWN,
                Affinity.parse("0105"))) {
            assertThat(Affinity.parse(affinity.text())).isEqualTo(affinity);
        }
        assertThatThrownBy(() -> Affinity.parse("1-2")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsUnknownChangesNothing() {
        String before = allowed();
        Affinity.UNKNOWN.bindThisThread();
        assertThat(allowed()).isEqualTo(before);
    }

    @Test
    void processBeginsWhereItIsToldAndItsParentStaysWhereItIs() throws Exception {
        String before = allowed();
        assumeTrue(before.matches(".*[,-].*"), "this host has one processor");
        Path told = folder.resolve("told");
        Processes processes = new Processes();

        var _ = processes.spawn(new Command(SHELL, List.of("-c",
                "grep Cpus_allowed_list: /proc/self/status > " + told), List.of("PATH=/usr/bin:/bin"),
                Affinity.ofThisThread().half()));

        await().until(() -> !processes.reap().isEmpty());
        assertThat(Files.readString(told).strip()).isNotEmpty().isNotEqualTo(before);
        assertThat(allowed()).isEqualTo(before);
    }
}

package io.servery.supervisor.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.fault.ExitCode;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// How a limit of memory is shared out among the parent and two generations of workers.
class WorkerMemoryTest {
    private static final long MEBIBYTE = 1L << 20;
    private static final long PARENT = 64 * MEBIBYTE;
    private static final long NEED = 120 * MEBIBYTE;
    private static final long FORMS = 72 * MEBIBYTE;
    private static final long OUTSIDE = 64 * MEBIBYTE;

    private static WorkerMemory.Wanted wanted(long limit, int workers, OptionalLong heap, OptionalLong direct) {
        return new WorkerMemory.Wanted(new MemoryLimit(limit * MEBIBYTE, "memory.max"), workers, PARENT,
                new WorkerMemory.Need(NEED, FORMS), heap, direct);
    }

    private static WorkerMemory given(WorkerMemory.Wanted wanted) {
        return switch (WorkerMemory.of(wanted)) {
            case Outcome.Given<WorkerMemory>(WorkerMemory memory) -> memory;
            case Outcome.Refused<WorkerMemory>(String message, ExitCode _) -> throw new AssertionError(message);
        };
    }

    private static WorkerMemory given(long limit, int workers) {
        return given(wanted(limit, workers, OptionalLong.empty(), OptionalLong.empty()));
    }

    private static OptionalLong mebibytes(long count) {
        return OptionalLong.of(count * MEBIBYTE);
    }

    @Test
    void treeFitsIntoEveryLimitThatIsAccepted() {
        int accepted = 0;
        for (long limit = 64; limit <= 4096; limit += 7) {
            for (int workers = 1; workers <= 8; workers++) {
                WorkerMemory.Wanted wanted = wanted(limit, workers, OptionalLong.empty(), OptionalLong.empty());
                if (WorkerMemory.of(wanted) instanceof Outcome.Given<WorkerMemory>(WorkerMemory memory)) {
                    long tree = PARENT + 2L * workers * (OUTSIDE + memory.heapBytes() + memory.directBytes()
                            + memory.formBytes());
                    assertThat(tree).as("%d MiB, %d workers", limit, workers).isLessThanOrEqualTo(limit * MEBIBYTE);
                    assertThat(memory.heapBytes()).isBetween(40 * MEBIBYTE, NEED);
                    assertThat(memory.directBytes()).isGreaterThanOrEqualTo(16 * MEBIBYTE);
                    assertThat(memory.formBytes()).isBetween(8 * MEBIBYTE, FORMS);
                    accepted++;
                }
            }
        }
        assertThat(accepted).isPositive();
    }

    private static WorkerMemory memory(long heap, long direct, long forms) {
        return new WorkerMemory(heap * MEBIBYTE, direct * MEBIBYTE, forms * MEBIBYTE);
    }

    @Test
    void heapAndFormsAreWhatTheConfigurationMayFillWhereThereIsRoom() {
        assertThat(given(8192, 2)).isEqualTo(memory(120, 512, 72));
    }

    @Test
    void smallLimitShrinksBuffersFirstThenTheHeapAndForms() {
        assertThat(given(608, 1)).as("272 a process").isEqualTo(memory(120, 16, 72));
        assertThat(given(416, 1)).as("176 a process").isEqualTo(memory(60, 16, 36));
        assertThat(given(320, 1)).as("128 a process").isEqualTo(memory(40, 16, 8));
    }

    @Test
    void configurationThatNeedsFewerFormsGetsNoMore() {
        assertThat(given(new WorkerMemory.Wanted(new MemoryLimit(8192 * MEBIBYTE, "memory.max"), 1, PARENT,
                new WorkerMemory.Need(NEED, MEBIBYTE), OptionalLong.empty(), OptionalLong.empty())).formBytes())
                .isEqualTo(MEBIBYTE);
    }

    @Test
    void limitThatCannotHoldTheTreeIsAnErrorOfTheConfiguration() {
        assertThat(WorkerMemory.of(wanted(319, 1, OptionalLong.empty(), OptionalLong.empty())))
                .isEqualTo(new Outcome.Refused<>("runtime.workers: found 1 (and as many again while a reload replaces "
                        + "them), each with a heap of at least 40 MiB, buffers of at least 16 MiB and compressed forms of "
                        + "at least 8 MiB, which takes 320 MiB; expected at most 319 MiB (memory.max)",
                        ExitCode.CONFIGURATION));
    }

    @Test
    void configuredSizesAreTakenAsTheyAre() {
        assertThat(given(wanted(2048, 1, mebibytes(300), mebibytes(100)))).isEqualTo(memory(300, 100, 72));
        assertThat(given(wanted(2048, 1, mebibytes(20), OptionalLong.empty())).heapBytes()).isEqualTo(20 * MEBIBYTE);
        assertThat(given(wanted(544, 1, OptionalLong.empty(), mebibytes(100)))).isEqualTo(memory(47, 100, 29));
    }

    @Test
    void configuredSizesThatDoNotFitAreAnError() {
        assertThat(WorkerMemory.of(wanted(1024, 2, mebibytes(512), OptionalLong.empty())))
                .isInstanceOfSatisfying(Outcome.Refused.class, no -> assertThat(no.message())
                        .contains("a heap of at least 512 MiB", "which takes 2464 MiB", "at most 1024 MiB"));
    }

    @Test
    void limitBelowTheParentsOwnIsAnError() {
        assertThat(WorkerMemory.of(wanted(32, 1, OptionalLong.empty(), OptionalLong.empty())))
                .isInstanceOf(Outcome.Refused.class);
    }
}

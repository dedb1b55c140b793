package io.servery.supervisor.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Fact;
import io.servery.core.lifecycle.WorkerId;
import io.servery.core.metric.MetricSnapshot;
import io.servery.supervisor.loop.ScriptedWorker.Script;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Workers that are lost, stand still or take more than their share while they serve, and a parent that is lost.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class WorkerLossTest {
    private static final WorkerId FIRST = new WorkerId(1, 0, 1);
    private static final WorkerId SECOND = new WorkerId(1, 0, 2);

    @TempDir
    Path folder;

    private static long counted(TestFleet fleet) throws Exception {
        MetricSnapshot total = fleet.supervisor().metrics().get(TestFleet.LIMIT.toSeconds(), TimeUnit.SECONDS).total();
        return Arrays.stream(total.values()).sum();
    }

    private static int pid(TestFleet fleet, WorkerId worker) {
        return Objects.requireNonNull(fleet.pids.get(worker));
    }

    @Test
    void workerThatIsKilledIsReplacedAndWhatItHadCountedStays() throws Exception {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NOTHING_WRONG)) {
            fleet.configured("workers = 1", "", "").started().ready();
            await().atMost(TestFleet.LIMIT).until(() -> counted(fleet) == 1);
            ProcessHandle.of(pid(fleet, FIRST)).orElseThrow().destroyForcibly();
            fleet.awaitFact(new Fact.WorkerReady(SECOND)::equals);

            assertThat(fleet.exits()).containsExactly("the worker was killed by signal 9");
            assertThat(counted(fleet)).isGreaterThanOrEqualTo(1);
            await().atMost(TestFleet.LIMIT).until(() -> counted(fleet) == 2);
        }
    }

    @Test
    void workerThatNeverStopsTalkingHoldsUpNobody() throws Exception {
        try (TestFleet fleet = new TestFleet(folder,
                number -> number == 0 ? Script.FLOODS_ONCE_READY : Script.NOTHING_WRONG)) {
            fleet.configured("workers = 2\nhang_timeout = \"20s\"", "", "").started().ready();
            for (int question = 0; question < 5; question++) {
                assertThat(fleet.ask("status").exit()).isZero();
            }
            ProcessHandle.of(pid(fleet, new WorkerId(1, 1, 1))).orElseThrow().destroyForcibly();
            fleet.awaitFact(new Fact.WorkerReady(new WorkerId(1, 1, 2))::equals);
            fleet.supervisor().stopSignalled();

            assertThat(fleet.ended()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void workerThatStandsStillIsKilledAndReplaced() throws IOException {
        try (TestFleet fleet = new TestFleet(folder,
                number -> number == 0 ? Script.STANDS_STILL_ONCE_READY : Script.NOTHING_WRONG)) {
            fleet.configured("workers = 1\nhang_timeout = \"3s\"", "", "").started().ready();
            fleet.awaitFact(new Fact.WorkerSilent(FIRST)::equals);
            fleet.awaitFact(new Fact.WorkerReady(SECOND)::equals);

            assertThat(fleet.exits()).containsExactly("the worker had an event loop that stood still for 3.0 s");
            assertThat(fleet.isAlive(pid(fleet, FIRST))).isFalse();
        }
    }

    @Test
    void metricsOfAParentThatHasEndedAreNotWaitedFor() throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NOTHING_WRONG)) {
            fleet.configured("workers = 1", "", "").started().ready();
            fleet.supervisor().stopSignalled();
            assertThat(fleet.ended()).isEqualTo(ExitCode.OK);

            assertThat(fleet.supervisor().metrics()).isCompletedExceptionally();
            fleet.supervisor().stopSignalled();
        }
    }

    @Test
    void bugOfTheLoopEndsTheParentAndItsWorkersFindOut() throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.OUTLIVES_ITS_CHANNEL)) {
            fleet.configured("workers = 1", "", "").started().ready();
            fleet.noting.set(_ -> {
                throw new IllegalStateException("a bug of the test");
            });
            assertThat(ProcessHandle.of(pid(fleet, FIRST))).isPresent();
            fleet.asking("reload").close();

            assertThatThrownBy(fleet::ended).hasRootCauseMessage("a bug of the test");
            await().atMost(TestFleet.LIMIT).until(() -> fleet.diaryOf(0).contains(ScriptedWorker.CHANNEL_ENDED));
        }
    }

    @Test
    void workersOfAParentThatIsKilledFindTheEndOfTheirPipe() throws Exception {
        Process parent = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), LostParent.class.getName(), folder.toString())
                .redirectErrorStream(true).start();
        try {
            String said = parent.inputReader().readLine();
            assertThat(said).matches("ready \\d+ \\d+");
            List<Integer> workers = Arrays.stream(said.split(" ")).skip(1).map(Integer::valueOf).toList();
            parent.destroyForcibly().waitFor();

            for (int worker = 0; worker < 2; worker++) {
                int number = worker;
                await().atMost(TestFleet.LIMIT)
                        .until(() -> TestFleet.diary(folder, number).contains(ScriptedWorker.PIPE_ENDED));
            }
            await().atMost(TestFleet.LIMIT)
                    .until(() -> workers.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
        } finally {
            parent.destroyForcibly();
        }
    }
}

package io.servery.supervisor.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Condition;
import io.servery.supervisor.Census;
import io.servery.supervisor.loop.ScriptedWorker.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The first start: whatever step a worker fails at, the cause is told and nothing is left.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class FleetStartTest {
    @TempDir
    Path folder;

    private List<String> before = List.of();

    @BeforeEach
    void count() {
        before = Census.descriptors();
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(Census.descriptors()).isEqualTo(before);
        try (Stream<Path> left = Files.list(folder.resolve("run"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void allWorkersAreReadyBeforeTheServiceIsAndStopLeavesNothing() throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NOTHING_WRONG)) {
            fleet.configured("workers = 2", "", "").started().ready();
            assertThat(fleet.conditions).containsExactly(Condition.STARTING, Condition.READY);
            assertThat(fleet.diaryOf(0)).startsWith("TakeListeners", "Prepare", "Commit");
            assertThat(fleet.pids).hasSize(2).allSatisfy((_, pid) -> assertThat(fleet.isAlive(pid)).isTrue());

            fleet.supervisor().stopSignalled();
            assertThat(fleet.ended()).isEqualTo(ExitCode.OK);
            assertThat(fleet.pids.values()).noneMatch(fleet::isAlive);
            assertThat(fleet.conditions).endsWith(Condition.DRAINING, Condition.STOPPED);
        }
    }

    @ParameterizedTest
    @MethodSource("io.servery.supervisor.loop.ScriptedWorker#failures")
    void workerThatFailsAtAnyStepEndsTheFirstStartWithItsCause(Script script, String cause) throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> script)) {
            fleet.configured("workers = 1", "", "").started();

            assertThat(fleet.ended()).isEqualTo(ExitCode.FAILED);
            assertThat(fleet.conditions).doesNotContain(Condition.READY).contains(Condition.FAILED);
            assertThat(fleet.failures).anySatisfy(failure -> assertThat(failure.text()).contains(cause));
            assertThat(fleet.pids.values()).noneMatch(fleet::isAlive);
        }
    }

    @Test
    void workerThatNeverConnectsEndsTheFirstStartAtItsDeadline() throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NEVER_CONNECTS)) {
            fleet.configured("workers = 2\nstart_timeout = \"300ms\"", "", "").started();

            assertThat(fleet.ended()).isEqualTo(ExitCode.FAILED);
            assertThat(fleet.failures).extracting(Cause::text).containsExactly("the worker said nothing within 0.3 s");
            assertThat(fleet.pids.values()).hasSize(2).noneMatch(fleet::isAlive);
        }
    }

    @Test
    void configurationThatAWorkerRefusesIsAFaultOfTheConfiguration() throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.REFUSES_ITS_CONFIGURATION)) {
            fleet.configured("workers = 1", "", "").started();

            assertThat(fleet.ended()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(fleet.failures).anySatisfy(failure -> assertThat(failure.text()).contains("it is not there"));
        }
    }

    @Test
    void stopDuringTheFirstStartEndsItLikeAService() throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NEVER_CONNECTS)) {
            fleet.configured("workers = 2", "", "").started();
            await().atMost(TestFleet.LIMIT).until(() -> fleet.pids.size() == 2);
            fleet.supervisor().stopSignalled();

            assertThat(fleet.ended()).isEqualTo(ExitCode.OK);
            assertThat(fleet.pids.values()).noneMatch(fleet::isAlive);
        }
    }

    @Test
    void workerThatOutlivesItsDrainAndTermIsKilled() throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.IGNORES_ITS_END)) {
            fleet.configured("workers = 1", "", "").started().ready();
            fleet.supervisor().stopSignalled();
            fleet.supervisor().stopSignalled();

            assertThat(fleet.ended()).isEqualTo(ExitCode.OK);
            assertThat(fleet.pids.values()).noneMatch(fleet::isAlive);
        }
    }
}

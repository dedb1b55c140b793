package io.servery.supervisor.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Fact;
import io.servery.core.lifecycle.Verdict;
import io.servery.core.lifecycle.WorkerId;
import io.servery.core.operator.OperatorReply;
import io.servery.supervisor.Census;
import io.servery.supervisor.loop.ScriptedWorker.Script;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Reload, rollback and drain, asked for over the operator socket.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class FleetChangeTest {
    private static final String ONE = "workers = 1";
    private static final String TWO = "workers = 2";

    @TempDir
    Path folder;

    private static boolean isGone(Fact fact, int generation) {
        return fact.equals(new Fact.GenerationGone(generation));
    }

    @ParameterizedTest
    @MethodSource("io.servery.supervisor.loop.ScriptedWorker#failures")
    void candidateThatFailsAtAnyStepLeavesTheServingGenerationUntouched(Script script, String cause)
            throws IOException {
        assertKept(script, "", ExitCode.FAILED, cause);
    }

    @Test
    void candidateThatRefusesItsConfigurationLeavesTheServingGenerationUntouched() throws IOException {
        assertKept(Script.REFUSES_ITS_CONFIGURATION, "", ExitCode.CONFIGURATION, "it is not there");
    }

    @Test
    void candidateThatNeverConnectsLeavesTheServingGenerationUntouched() throws IOException {
        assertKept(Script.NEVER_CONNECTS, "start_timeout = \"300ms\"", ExitCode.FAILED, "said nothing within 0.3 s");
    }

    /// One of two candidates does as the script says, and both are gone.
    private void assertKept(Script script, String runtime, ExitCode code, String cause) throws IOException {
        try (TestFleet fleet = new TestFleet(folder, number -> number == 1 ? script : Script.NOTHING_WRONG)) {
            fleet.configured(ONE, "", "").started().ready();
            List<String> serving = Census.descriptors();
            OperatorReply reply = fleet.configured(TWO + "\n" + runtime, "", "listing = true").ask("reload");
            fleet.awaitFact(fact -> isGone(fact, 2));

            assertThat(reply.exit()).isEqualTo(code.code());
            assertThat(reply.err()).contains(cause).endsWith("generation 1 serves on\n");
            assertThat(fleet.conclusions.getLast().verdict())
                    .isInstanceOfSatisfying(Verdict.Kept.class,
                            kept -> assertThat(kept.cause().text()).contains(cause));
            assertThat(fleet.conditions).containsExactly(Condition.STARTING, Condition.READY);
            assertThat(fleet.diaryOf(0)).doesNotContain("Drain", "Release");
            assertThat(fleet.taken).hasValue(1);
            assertThat(fleet.declined).hasValue(1);
            fleet.pids.forEach((worker, pid) -> assertThat(fleet.isAlive(pid)).as(worker.toString())
                    .isEqualTo(worker.generation() == 1));
            await().atMost(TestFleet.LIMIT).untilAsserted(() -> assertThat(Census.descriptors()).isEqualTo(serving));
        }
    }

    @Test
    void hotValuesArePushedOthersTakeAGenerationAndRollbackBringsThemBack() throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NOTHING_WRONG)) {
            fleet.configured(ONE, "", "").started().ready();
            OperatorReply hot = fleet.configured(ONE, "max_connections = 77", "").ask("reload");
            assertThat(hot.out()).isEqualTo("applied without a new generation: resources.max_connections\n");
            await().atMost(TestFleet.LIMIT).until(() -> fleet.diaryOf(0).stream()
                    .anyMatch(line -> line.startsWith("Push") && line.contains("resources.max_connections")));

            OperatorReply generation = fleet.configured(ONE, "max_connections = 77", "listing = true").ask("reload");
            assertThat(generation.out()).startsWith("generation 2 serves: 1 worker ready, changed: ");
            fleet.awaitFact(fact -> isGone(fact, 1));
            assertThat(fleet.diaryOf(0)).endsWith("Drain");

            OperatorReply back = fleet.ask("rollback");
            assertThat(back.out()).startsWith("generation 3 serves");
            OperatorReply noFurther = fleet.ask("rollback");
            assertThat(noFurther.err()).contains("no configuration before was good");
            assertThat(fleet.taken).hasValue(4);
            assertThat(fleet.declined).hasValue(0);
            assertThat(fleet.offered).hasValue(4);
        }
    }

    @Test
    void readingThatThrowsAnErrorIsRefusedAndTheNextIsReadAnew() throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NOTHING_WRONG)) {
            fleet.configured(ONE, "", "").started().ready();
            Source sound = fleet.source.get();
            fleet.source.set(() -> {
                throw new NoClassDefFoundError("io/servery/core/config/Configuration");
            });
            OperatorReply refused = fleet.ask("reload");
            fleet.source.set(sound);
            OperatorReply next = fleet.configured(ONE, "max_connections = 78", "").ask("reload");

            assertThat(refused.exit()).isEqualTo(ExitCode.CONFIGURATION.code());
            assertThat(refused.err()).contains("NoClassDefFoundError");
            assertThat(next.exit()).isZero();
        }
    }

    @Test
    void reloadDuringTheStartWaitsForIt() throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NOTHING_WRONG)) {
            fleet.configured(ONE, "", "").started();
            fleet.supervisor();
            SocketChannel asking = fleet.configured(ONE, "", "listing = true").asking("reload");

            assertThat(TestFleet.answer(asking).out()).startsWith("generation 2 serves");
            assertThat(fleet.conclusions).extracting(Conclusion::reload).containsExactly(0, 1);
        }
    }

    @Test
    void reloadsThatComeMeanwhileAreOneAndARollbackTakesTheirPlace() throws Exception {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NOTHING_WRONG)) {
            fleet.configured(ONE, "", "").started().ready();
            Source sound = fleet.source.get();
            CountDownLatch reading = new CountDownLatch(1);
            CountDownLatch read = new CountDownLatch(1);
            fleet.source.set(() -> {
                reading.countDown();
                try {
                    read.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return sound.read();
            });
            SocketChannel first = fleet.asking("reload");
            reading.await();
            SocketChannel second = fleet.asking("reload");
            SocketChannel third = fleet.asking("reload");
            // Answered in the order of the connections: by then the reloads were heard.
            assertThat(fleet.ask("status").exit()).isZero();
            SocketChannel rollback = fleet.asking("rollback");
            assertThat(TestFleet.answer(second).err()).startsWith("superseded");
            assertThat(TestFleet.answer(third).err()).startsWith("superseded");
            read.countDown();

            assertThat(TestFleet.answer(first).out()).startsWith("generation 2 serves");
            assertThat(TestFleet.answer(rollback).out()).startsWith("generation 3 serves");
        }
    }

    @Test
    void drainDuringAReloadCutsItAndTheServiceStays() throws IOException {
        try (TestFleet fleet = new TestFleet(folder,
                number -> number == 1 ? Script.NEVER_CONNECTS : Script.NOTHING_WRONG)) {
            fleet.configured(ONE, "", "").started().ready();
            SocketChannel reload = fleet.configured(ONE, "", "listing = true").asking("reload");
            fleet.awaitFact(new Fact.WorkerStarted(new WorkerId(2, 0, 1))::equals);
            OperatorReply drained = fleet.ask("drain");

            assertThat(drained.out()).startsWith("drained");
            assertThat(TestFleet.answer(reload).err()).contains("draining: the service was told to drain");
            assertThat(fleet.conditions).endsWith(Condition.DRAINING, Condition.WITHDRAWN);
            assertThat(fleet.endings).isEmpty();
            assertThat(fleet.declined).hasValue(1);
            assertThat(fleet.ask("drain").out()).startsWith("drained");
            assertThat(fleet.ask("reload").out()).startsWith("generation 3 serves");
            assertThat(fleet.ask("stop").out()).isEqualTo("stopped\n");
            assertThat(fleet.endings).containsExactly(Condition.DRAINING, Condition.STOPPED);
        }
    }

    @Test
    void configurationOfMoreSocketsThanThereCanBeIsRefusedBeforeAnyIsMade() throws IOException {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NOTHING_WRONG)) {
            fleet.configured(ONE, "", "").started().ready();
            List<String> serving = Census.descriptors();
            OperatorReply refused = fleet.configured("workers = 64\nevent_loops = 1024", "", "").ask("reload");

            assertThat(refused.exit()).isEqualTo(ExitCode.CONFIGURATION.code());
            assertThat(refused.err()).contains("found 65536 listening sockets");
            assertThat(Census.descriptors()).isEqualTo(serving);
            assertThat(fleet.conclusions.getLast().verdict()).isInstanceOf(Verdict.Kept.class);
        }
    }
}

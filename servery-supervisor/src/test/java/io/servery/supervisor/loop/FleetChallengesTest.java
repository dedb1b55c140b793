package io.servery.supervisor.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.servery.core.control.Challenges;
import io.servery.core.lifecycle.Fact;
import io.servery.core.lifecycle.WorkerId;
import io.servery.supervisor.loop.PostingException.Reason;
import io.servery.supervisor.loop.ScriptedWorker.Script;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Challenges on their way to workers that are processes: acknowledged by all, or answered by none.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class FleetChallengesTest {
    private static final Challenges ONE = new Challenges(List.of(new Challenges.Http("a", "a.b")), List.of());
    private static final String TWO_WORKERS = "workers = 2";

    @TempDir
    Path folder;

    private static void completes(CompletionStage<Void> publication) throws Exception {
        publication.toCompletableFuture().get(TestFleet.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static Reason failure(CompletionStage<Void> publication) {
        Throwable thrown = catchThrowable(() -> completes(publication));
        assertThat(thrown).isInstanceOf(ExecutionException.class).cause().isInstanceOf(PostingException.class);
        return ((PostingException) thrown.getCause()).reason();
    }

    private static void kill(TestFleet fleet, WorkerId worker) {
        ProcessHandle.of(Objects.requireNonNull(fleet.pids.get(worker))).orElseThrow().destroyForcibly();
    }

    @Test
    void everyWorkerAcknowledgesAndOneThatComesLaterIsToldBeforeItPrepares() throws Exception {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NOTHING_WRONG)) {
            fleet.configured(TWO_WORKERS, "", "").started().ready();
            completes(fleet.supervisor().publishChallenges(ONE));
            assertThat(fleet.diaryOf(0)).contains("Post 1 1");
            assertThat(fleet.diaryOf(1)).contains("Post 1 1");

            kill(fleet, new WorkerId(1, 0, 1));
            fleet.awaitFact(new Fact.WorkerReady(new WorkerId(1, 0, 2))::equals);
            await().atMost(TestFleet.LIMIT).untilAsserted(() -> assertThat(fleet.diaryOf(2))
                    .containsSubsequence("TakeListeners", "Post 1 1", "Prepare", "Adopt"));

            completes(fleet.supervisor().publishChallenges(Challenges.NONE));
            assertThat(fleet.diaryOf(2)).contains("Post 2 0");
            kill(fleet, new WorkerId(1, 1, 1));
            fleet.awaitFact(new Fact.WorkerReady(new WorkerId(1, 1, 2))::equals);
            assertThat(fleet.diaryOf(3)).as("nothing stands any more").noneMatch(line -> line.startsWith("Post"));
        }
    }

    @Test
    void generationThatComesByAReloadAnswersWhatStands() throws Exception {
        try (TestFleet fleet = new TestFleet(folder, _ -> Script.NOTHING_WRONG)) {
            fleet.configured("workers = 1", "", "").started().ready();
            completes(fleet.supervisor().publishChallenges(ONE));
            assertThat(fleet.configured("workers = 1", "", "listing = true").ask("reload").exit()).isZero();

            await().atMost(TestFleet.LIMIT).untilAsserted(
                    () -> assertThat(fleet.diaryOf(1)).containsSubsequence("Post 1 1", "Prepare", "Adopt"));
        }
    }

    @Test
    void whatOneRefusesNoneAnswers() throws Exception {
        try (TestFleet fleet = new TestFleet(folder,
                number -> number == 1 ? Script.REFUSES_TO_POST : Script.NOTHING_WRONG)) {
            fleet.configured(TWO_WORKERS, "", "").started().ready();
            assertThat(failure(fleet.supervisor().publishChallenges(ONE))).isEqualTo(Reason.REFUSED);

            await().atMost(TestFleet.LIMIT).untilAsserted(() -> assertThat(fleet.diaryOf(0)).contains("Post 2 0"));
            assertThat(fleet.failures).anyMatch(cause -> cause.text().contains("it is no certificate"));
        }
    }

    @Test
    void workerThatDiesMeanwhileIsNotWaitedFor() throws Exception {
        try (TestFleet fleet = new TestFleet(folder,
                number -> number == 1 ? Script.DIES_AT_POST : Script.NOTHING_WRONG)) {
            fleet.configured(TWO_WORKERS, "", "").started().ready();
            completes(fleet.supervisor().publishChallenges(ONE));
            fleet.awaitFact(fact -> fact instanceof Fact.WorkerReady(WorkerId id) && id.incarnation() == 2);

            assertThat(fleet.diaryOf(2)).containsSubsequence("Post 1 1", "Prepare");
        }
    }

    @Test
    void withoutAWorkerNobodyAnswers() throws Exception {
        try (TestFleet fleet = new TestFleet(folder,
                number -> number == 0 ? Script.DIES_AT_POST : Script.NOTHING_WRONG)) {
            fleet.configured("workers = 1", "", "").started().ready();
            assertThat(failure(fleet.supervisor().publishChallenges(ONE))).isEqualTo(Reason.NO_WORKER);
            fleet.awaitFact(new Fact.WorkerReady(new WorkerId(1, 0, 2))::equals);

            assertThat(fleet.diaryOf(1)).as("what failed does not stand").doesNotContain("Post 1 1");
            assertThat(fleet.ask("drain").exit()).isZero();
            assertThat(failure(fleet.supervisor().publishChallenges(ONE))).isEqualTo(Reason.NO_WORKER);
            completes(fleet.supervisor().publishChallenges(Challenges.NONE));
        }
    }

    @Test
    void laterOnesAndTheEndOfTheServiceEndAPublication() throws IOException {
        TestFleet fleet = new TestFleet(folder, _ -> Script.NEVER_POSTS);
        try (fleet) {
            fleet.configured("workers = 1", "", "").started().ready();
            CompletionStage<Void> first = fleet.supervisor().publishChallenges(ONE);
            CompletionStage<Void> second = fleet.supervisor().publishChallenges(ONE);
            assertThat(failure(first)).isEqualTo(Reason.SUPERSEDED);
            fleet.supervisor().stopSignalled();

            assertThat(failure(second)).isEqualTo(Reason.STOPPING);
            assertThat(failure(fleet.supervisor().publishChallenges(ONE))).isEqualTo(Reason.STOPPING);
        }
        assertThat(failure(fleet.supervisor().publishChallenges(ONE))).as("long after").isEqualTo(Reason.STOPPING);
    }
}

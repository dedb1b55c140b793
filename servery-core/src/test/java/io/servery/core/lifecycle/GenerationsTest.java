package io.servery.core.lifecycle;

import static io.servery.core.lifecycle.Host.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.servery.core.control.Bounds;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Event.Change;
import io.servery.core.lifecycle.Event.ConfigurationAccepted;
import io.servery.core.lifecycle.Event.ConfigurationRefused;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Start, reload, rollback: from one generation to the next.
class GenerationsTest {
    private static final Plan TWO = Plans.of(2);
    private static final Shard FIRST = new Shard(0, 0);
    private static final Shard SECOND = new Shard(0, 1);

    @Test
    void planIsWithinWhatOrdersCanSay() {
        assertThatIllegalArgumentException().isThrownBy(() -> Plans.withShards(TWO, Plans.shards(0, 4_097)))
                .withMessage("plan: shards: found 4097; expected 1 to 4096");
        assertThatIllegalArgumentException().isThrownBy(() -> Plans.withShards(TWO, List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> Plans.withMinimum(TWO, 3))
                .withMessage("plan: minimum workers: found 3; expected 1 to 2");
    }

    // Start

    @Test
    void workersCommitWhenAllArePreparedAndReadWhenAllAreReady() {
        Host host = Host.starting(TWO);
        assertThat(host.spawned()).containsExactly(worker(1, 0, 1), worker(1, 1, 1));

        assertThat(host.prepared(worker(1, 0, 1)).orders(worker(1, 0, 1))).isEmpty();
        host.prepared(worker(1, 1, 1));
        assertThat(host.orders(worker(1, 0, 1))).containsExactly(new Order.Commit());
        assertThat(host.orders(worker(1, 1, 1))).containsExactly(new Order.Commit());

        assertThat(host.report(worker(1, 0, 1), new Report.Ready()).orders(worker(1, 0, 1))).isEmpty();
        assertThat(host.fleet().condition()).isEqualTo(Condition.STARTING);
        host.report(worker(1, 1, 1), new Report.Ready());
        assertThat(host.orders(worker(1, 0, 1))).containsExactly(new Order.Adopt(List.of(FIRST)));
        assertThat(host.orders(worker(1, 1, 1))).containsExactly(new Order.Adopt(List.of(SECOND)));
        assertThat(host.fleet().condition()).isEqualTo(Condition.READY);
        assertThat(host.verdict(0)).isEqualTo(new Verdict.Serving(1, 1));
    }

    @Test
    void startThatFailsEndsWithItsCauseAndCodeOneAtOnce() {
        Host host = Host.starting(TWO).hello(worker(1, 0, 1));
        host.report(worker(1, 0, 1), new Report.Failed(Reason.APPLICATION_STARTUP_FAILURE, "no module named shop"));

        assertThat(host.verdict(0)).isEqualTo(
                new Verdict.Kept(new Cause(Reason.APPLICATION_STARTUP_FAILURE, "no module named shop")));
        assertThat(host.signals()).extracting(Effect.Signal::worker).containsExactly(worker(1, 0, 1), worker(1, 1, 1));
        host.exit(worker(1, 0, 1), 1).exit(worker(1, 1, 1), 143);
        assertThat(host.fleet()).isEqualTo(new Fleet.Ended(ExitCode.FAILED));
    }

    @Test
    void workerThatIsNotReadyInTimeFailsTheStartAndNotTheOneThatWaitsForIt() {
        Host host = Host.starting(TWO).prepared(worker(1, 1, 1));
        host.pass(Duration.ofSeconds(30));

        assertThat(host.verdict(0)).isInstanceOfSatisfying(Verdict.Kept.class, kept -> {
            assertThat(kept.cause().reason()).isEqualTo(Reason.READINESS_TIMEOUT);
            assertThat(kept.cause().text()).isEqualTo("the worker said nothing within 30.0 s");
        });
    }

    // Reload

    static Stream<List<Report>> stepsOfTheBarrier() {
        Report hello = new Report.Hello(Bounds.VERSION, "build", "token");
        return Stream.of(List.of(), List.of(hello), List.of(hello, new Report.Prepared()));
    }

    @ParameterizedTest
    @MethodSource("stepsOfTheBarrier")
    void candidateThatFailsLeavesTheServingGenerationUntouched(List<Report> before) {
        Host host = Host.serving(TWO).reload().accept(1, Plans.revision(TWO, 2));
        before.forEach(report -> host.report(worker(2, 0, 1), report));
        host.exit(worker(2, 0, 1), 1);

        assertThat(host.verdict(1)).isInstanceOfSatisfying(Verdict.Kept.class,
                kept -> assertThat(kept.cause().reason()).isEqualTo(Reason.STARTUP_FAILURE));
        assertThat(host.signals()).containsExactly(
                new Effect.Signal(worker(2, 1, 1), Effect.Severity.TERM));
        assertThat(host.effects(Effect.Send.class)).isEmpty();
        assertThat(host.fleet().condition()).isEqualTo(Condition.READY);
        assertThat(host.reader(FIRST)).contains(worker(1, 0, 1));
    }

    @Test
    void candidateThatFailsBetweenCommitAndReadyLeavesTheServingGenerationUntouched() {
        Host host = Host.serving(TWO).reload().accept(1, Plans.revision(TWO, 2));
        host.prepared(worker(2, 0, 1)).prepared(worker(2, 1, 1));
        host.report(worker(2, 0, 1), new Report.Ready()).exit(worker(2, 1, 1), 1);

        assertThat(host.verdicts(1)).singleElement().isInstanceOf(Verdict.Kept.class);
        assertThat(host.signals()).containsExactly(new Effect.Signal(worker(2, 0, 1), Effect.Severity.TERM));
        assertThat(host.effects(Effect.Send.class)).isEmpty();
        assertThat(host.reader(SECOND)).contains(worker(1, 1, 1));
    }

    @Test
    void newGenerationReadsAShardWhenTheOldOneHasReleasedIt() {
        Host host = Host.serving(TWO).reload().accept(1, Plans.revision(TWO, 2)).bring(2);

        assertThat(host.verdict(1)).isEqualTo(new Verdict.Serving(2, 2));
        assertThat(host.orders(worker(1, 0, 1))).containsExactly(new Order.Release(1, List.of(FIRST)),
                new Order.Drain(Duration.ofSeconds(30), Duration.ofSeconds(5)));
        assertThat(host.orders(worker(2, 0, 1))).isEmpty();
        host.report(worker(1, 0, 1), new Report.Released(1, List.of(FIRST)));
        assertThat(host.orders(worker(2, 0, 1))).containsExactly(new Order.Adopt(List.of(FIRST)));
        assertThat(host.reader(SECOND)).isEmpty();
    }

    @Test
    void releaseThatIsNotConfirmedIsWaitedForASecond() {
        Host host = Host.serving(TWO).reload().accept(1, Plans.revision(TWO, 2)).bring(2);

        assertThat(host.pass(Duration.ofMillis(999)).orders(worker(2, 0, 1))).isEmpty();
        assertThat(host.pass(Duration.ofMillis(1)).orders(worker(2, 0, 1))).containsExactly(
                new Order.Adopt(List.of(FIRST)));
    }

    @Test
    void confirmationOfAnEarlierReleaseCountsForNothing() {
        Host host = Host.serving(TWO).reload().accept(1, Plans.revision(TWO, 2)).bring(2);

        host.report(worker(1, 0, 1), new Report.Released(7, List.of(FIRST)));
        assertThat(host.effects(Effect.Send.class)).isEmpty();
    }

    @Test
    void invalidConfigurationChangesNothing() {
        Host host = Host.serving(TWO).reload();
        Cause cause = new Cause(Reason.INVALID_CONFIG, "two faults");
        host.act(new ConfigurationRefused(host.now(), 1, cause));

        assertThat(host.verdict(1)).isEqualTo(new Verdict.Kept(cause));
        assertThat(host.spawned()).isEmpty();
    }

    @Test
    void configurationThatIsNotAnsweredForIsKeptOutAndTheNextBegins() {
        Host host = Host.serving(TWO).reload().reload().pass(Duration.ofSeconds(30));

        assertThat(host.verdict(1)).isEqualTo(new Verdict.Kept(
                new Cause(Reason.INVALID_CONFIG, "the configuration was not loaded within 30 s")));
        assertThat(host.effects(Effect.Load.class)).containsExactly(new Effect.Load(2));
        assertThat(host.accept(1, Plans.revision(TWO, 2)).spawned()).as("too late").isEmpty();
    }

    @Test
    void hotValuesArePushedWithoutAGeneration() {
        Host host = Host.serving(TWO).reload();
        host.act(new ConfigurationAccepted(host.now(), 1, Plans.revision(TWO, 2), Change.HOT));

        assertThat(host.verdict(1)).isEqualTo(new Verdict.Pushed(2));
        assertThat(host.effects(Effect.Push.class)).containsExactly(new Effect.Push(worker(1, 0, 1), 2),
                new Effect.Push(worker(1, 1, 1), 2));
        host.exit(worker(1, 0, 1), 1);
        assertThat(host.effects(Effect.Spawn.class)).containsExactly(new Effect.Spawn(worker(1, 0, 2), 2));
    }

    @Test
    void laterReloadsCoalesceIntoOneThatBeginsWhenThisOneIsDecided() {
        Host host = Host.serving(TWO).reload();
        assertThat(host.effects(Effect.Schedule.class)).containsExactly(new Effect.Schedule(1));
        assertThat(host.reload().effects(Effect.Schedule.class)).containsExactly(new Effect.Schedule(2));
        assertThat(host.reload().effects(Effect.Schedule.class)).containsExactly(new Effect.Schedule(2));
        assertThat(host.effects(Effect.Load.class)).isEmpty();

        host.act(new ConfigurationRefused(host.now(), 1, new Cause(Reason.INVALID_CONFIG, "a fault")));
        assertThat(host.effects(Effect.Load.class)).containsExactly(new Effect.Load(2));
    }

    @Test
    void rollbackThatIsAskedForMeanwhileSupersedesAReloadThatWaits() {
        Host host = Host.serving(TWO).reload().reload();
        host.act(new Event.RollbackRequested(host.now()));

        assertThat(host.verdict(2)).isEqualTo(new Verdict.Superseded());
        assertThat(host.effects(Effect.Schedule.class)).containsExactly(new Effect.Schedule(3));
    }

    @Test
    void fourthGenerationWaitsForTheOldestToBeGone() {
        Host host = Host.serving(TWO).reload().accept(1, TWO).bring(2).confirmReleases();
        host.reload().accept(2, TWO).bring(3).confirmReleases();

        assertThat(host.reload().effects(Effect.Load.class)).isEmpty();
        host.exit(worker(1, 0, 1), 0);
        assertThat(host.exit(worker(1, 1, 1), 0).effects(Effect.Load.class)).containsExactly(new Effect.Load(3));
    }

    @Test
    void addressThatIsRemovedIsClosedWhenItsQueueIsEmptyOrHalfASecondIsOver() {
        Plan moved = Plans.withShards(Plans.revision(TWO, 2), List.of(FIRST, new Shard(1, 0)));
        Host host = Host.serving(TWO).reload().accept(1, moved).bring(2);
        assertThat(host.orders(worker(1, 1, 1)))
                .containsExactly(new Order.Drain(Duration.ofSeconds(30), Duration.ofSeconds(5)));
        assertThat(host.orders(worker(2, 1, 1))).containsExactly(new Order.Adopt(List.of(new Shard(1, 0))));

        assertThat(host.pass(Duration.ofMillis(499)).effects(Effect.Close.class)).isEmpty();
        assertThat(host.pass(Duration.ofMillis(1)).effects(Effect.Close.class))
                .containsExactly(new Effect.Close(List.of(SECOND)));
        assertThat(host.orders(worker(1, 1, 1))).containsExactly(new Order.Release(2, List.of(SECOND)));
    }

    @Test
    void addressesThatACandidateBroughtAreClosedWithIt() {
        Plan more = Plans.withShards(Plans.revision(TWO, 2), List.of(FIRST, SECOND, new Shard(1, 0)));
        Host host = Host.serving(TWO).reload().accept(1, more);

        assertThat(host.exit(worker(2, 0, 1), 1).effects(Effect.Close.class))
                .containsExactly(new Effect.Close(List.of(new Shard(1, 0))));
    }

    // Rollback

    @Test
    void rollbackBringsTheConfigurationBeforeBackAsANewGeneration() {
        Host host = Host.serving(TWO).reloaded(1, Plans.revision(TWO, 2), 2);
        host.act(new Event.RollbackRequested(host.now()));
        assertThat(host.effects(Effect.Restore.class)).containsExactly(new Effect.Restore(2, TWO));
        host.accept(2, TWO).bring(3);

        assertThat(host.verdict(2)).isEqualTo(new Verdict.RolledBack(3, 1));
        assertThat(host.orders(worker(2, 1, 1))).as("what is wanted no more parts at once")
                .contains(new Order.Drain(Duration.ofSeconds(30), Duration.ZERO));
        host.confirmReleases().drainAll().act(new Event.RollbackRequested(host.now()));
        assertThat(host.verdict(3)).as("there is none before").isInstanceOf(Verdict.Kept.class);
    }

    @Test
    void firstConfigurationHasNoneBefore() {
        Host host = Host.serving(TWO);
        host.act(new Event.RollbackRequested(host.now()));

        assertThat(host.verdict(1)).isEqualTo(
                new Verdict.Kept(new Cause(Reason.INVALID_CONFIG, "no configuration before was good")));
        assertThat(Optional.of(host.fleet().condition())).contains(Condition.READY);
    }
}

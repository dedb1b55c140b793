package io.servery.core.lifecycle;

import static io.servery.core.lifecycle.Host.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.servery.core.control.Bounds;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Effect.Severity;
import io.servery.core.lifecycle.Event.Change;
import io.servery.core.lifecycle.Event.ConfigurationAccepted;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Drain and stop.
class EndTest {
    private static final Plan TWO = Plans.of(2);
    private static final Order.Drain DRAIN = new Order.Drain(Duration.ofSeconds(30), Duration.ZERO);

    private static Host stop(Host host) {
        return host.act(new Event.StopRequested(host.now()));
    }

    private static Host signal(Host host) {
        return host.act(new Event.StopSignalled(host.now()));
    }

    // Stop

    @Test
    void stopDrainsAndEndsWhenTheLastWorkerHasExited() {
        Host host = stop(Host.serving(TWO));
        assertThat(host.orders(worker(1, 0, 1))).containsExactly(DRAIN);
        assertThat(host.fleet().condition()).isEqualTo(Condition.DRAINING);

        host.report(worker(1, 0, 1), new Report.Released(0, List.of(new Shard(0, 0))));
        assertThat(host.effects(Effect.Close.class)).containsExactly(new Effect.Close(List.of(new Shard(0, 0))));
        host.report(worker(1, 0, 1), new Report.Drained(0)).exit(worker(1, 0, 1), 0);
        assertThat(host.exit(worker(1, 1, 1), 0).effects(Effect.Finish.class))
                .containsExactly(new Effect.Finish(ExitCode.OK));
    }

    @Test
    void listenersAreClosedWithinHalfASecondWhateverTheWorkersDo() {
        Host host = stop(Host.serving(TWO)).pass(Duration.ofMillis(500));

        assertThat(host.effects(Effect.Close.class)).containsExactly(new Effect.Close(TWO.shards()));
    }

    @Test
    void whatIsLeftAtTheDeadlineGetsTermAndThenKill() {
        Host host = stop(Host.serving(Plans.of(1))).pass(Duration.ofMillis(29_999));
        assertThat(host.signals()).isEmpty();
        assertThat(host.pass(Duration.ofMillis(1)).signals())
                .containsExactly(new Effect.Signal(worker(1, 0, 1), Severity.TERM));
        assertThat(host.pass(Duration.ofMillis(999)).signals()).isEmpty();
        assertThat(host.pass(Duration.ofMillis(1)).signals())
                .containsExactly(new Effect.Signal(worker(1, 0, 1), Severity.KILL));
        host.exit(worker(1, 0, 1), 137);
        assertThat(host.facts()).contains(new Fact.WorkerExited(worker(1, 0, 1), new Cause(Reason.FORCED_TERMINATION,
                "the worker was still there at the end of its drain")));
        assertThat(host.fleet()).isEqualTo(new Fleet.Ended(ExitCode.OK));
    }

    @Test
    void processThatOutlivesKillIsReportedAndNotWaitedFor() {
        Host host = stop(Host.serving(Plans.of(1))).pass(Duration.ofSeconds(32));

        assertThat(host.facts()).contains(new Fact.WorkerSurvived(worker(1, 0, 1)));
        assertThat(host.fleet()).isEqualTo(new Fleet.Ended(ExitCode.FAILED));
    }

    @Test
    void firstConfigurationThatWorkersFindInvalidEndsAsOneThatTheParentFinds() {
        Host host = Host.starting(Plans.of(1))
                .report(worker(1, 0, 1), new Report.Hello(Bounds.VERSION, "build", "token"))
                .report(worker(1, 0, 1), new Report.Failed(Reason.INVALID_CONFIG, "root: not there"));

        assertThat(host.exit(worker(1, 0, 1), 1).fleet()).isEqualTo(new Fleet.Ended(ExitCode.CONFIGURATION));
    }

    @Test
    void workerThatSaidThatItIsDoneHasFiveSecondsToExit() {
        Host host = stop(Host.serving(Plans.of(1))).report(worker(1, 0, 1), new Report.Drained(0));

        assertThat(host.pass(Duration.ofMillis(4_999)).signals()).isEmpty();
        assertThat(host.pass(Duration.ofMillis(1)).signals())
                .containsExactly(new Effect.Signal(worker(1, 0, 1), Severity.TERM));
    }

    @Test
    void timeoutsOfZeroAreAllOverAtOnceButReapingHasItsSecond() {
        Plan plan = Plans.withTiming(Plans.of(1), new Plan.Timing(Duration.ofSeconds(30), Duration.ZERO, Duration.ZERO,
                Duration.ofSeconds(10)));
        Host host = stop(Host.serving(plan)).act(new Event.TimePassed(new Moment(0)));
        assertThat(host.signals()).extracting(Effect.Signal::severity).containsExactly(Severity.TERM, Severity.KILL);

        assertThat(host.exit(worker(1, 0, 1), 137).fleet()).isEqualTo(new Fleet.Ended(ExitCode.OK));
    }

    @Test
    void stopAgainSaysNothingNew() {
        Host host = stop(Host.serving(TWO)).pass(Duration.ofSeconds(1));
        Fleet before = host.fleet();

        assertThat(stop(host).effects(Effect.class)).isEmpty();
        assertThat(host.fleet()).isEqualTo(before);
    }

    @Test
    void secondSignalForces() {
        Host host = signal(Host.serving(TWO));
        assertThat(host.signals()).isEmpty();

        assertThat(signal(host).signals()).containsExactly(new Effect.Signal(worker(1, 0, 1), Severity.TERM),
                new Effect.Signal(worker(1, 1, 1), Severity.TERM));
        assertThat(signal(host).signals()).as("once").isEmpty();
        assertThat(host.pass(Duration.ofSeconds(1)).signals()).extracting(Effect.Signal::severity)
                .containsExactly(Severity.KILL, Severity.KILL);
    }

    @Test
    void stopDuringAReloadEndsBothGenerationsAndSaysWhy() {
        Host host = Host.serving(TWO).reload().accept(1, Plans.revision(TWO, 2)).reload();
        stop(host);

        assertThat(host.verdict(1)).isEqualTo(
                new Verdict.Kept(new Cause(Reason.DRAINING, "the service is going away")));
        assertThat(host.verdict(2)).isInstanceOf(Verdict.Kept.class);
        assertThat(host.signals()).extracting(Effect.Signal::worker).containsExactly(worker(2, 0, 1), worker(2, 1, 1));
        assertThat(host.orders(worker(1, 1, 1))).containsExactly(DRAIN);
    }

    @Test
    void stopDuringTheStartIsNoFailure() {
        Host host = stop(Host.starting(Plans.of(1))).exit(worker(1, 0, 1), 143);

        assertThat(host.fleet()).isEqualTo(new Fleet.Ended(ExitCode.OK));
    }

    @Test
    void reloadAfterAStopIsRefused() {
        Host host = stop(Host.serving(TWO)).reload();

        assertThat(host.effects(Effect.Schedule.class)).containsExactly(new Effect.Schedule(1));
        assertThat(host.verdict(1)).isEqualTo(
                new Verdict.Kept(new Cause(Reason.DRAINING, "the service is going away")));
    }

    @Test
    void configurationThatComesTooLateIsClosedAgain() {
        Host host = Host.serving(TWO).reload();
        stop(host);
        Plan more = Plans.withShards(TWO, List.of(new Shard(0, 0), new Shard(0, 1), new Shard(3, 0)));
        host.act(new ConfigurationAccepted(host.now(), 1, more, Change.GENERATION));

        assertThat(host.spawned()).isEmpty();
        assertThat(host.effects(Effect.Close.class)).containsExactly(new Effect.Close(List.of(new Shard(3, 0))));
    }

    @Test
    void stopEndsTheMinuteOfAServiceThatFailed() {
        Host host = Host.serving(Plans.withRestarts(Plans.of(1), new Plan.RestartPolicy(Duration.ofSeconds(1),
                Duration.ofSeconds(1), 1, Duration.ofSeconds(60), Duration.ofSeconds(10))));
        host.exit(worker(1, 0, 1), 1).exit(worker(1, 0, 2), 1);
        assertThat(host.fleet().condition()).isEqualTo(Condition.FAILED);

        assertThat(stop(host).fleet()).isEqualTo(new Fleet.Ended(ExitCode.FAILED));
    }

    // Drain

    @Test
    void drainTakesTheServiceAwayAndAReloadBringsItBack() {
        Host host = Host.serving(TWO);
        host.act(new Event.DrainRequested(host.now()));
        assertThat(host.fleet().condition()).isEqualTo(Condition.DRAINING);
        host.drainAll();
        assertThat(host.fleet().condition()).isEqualTo(Condition.WITHDRAWN);
        assertThat(host.pass(Duration.ofHours(1)).effects(Effect.class)).isEmpty();

        host.reload().accept(1, TWO).bring(2);
        assertThat(host.fleet().condition()).isEqualTo(Condition.READY);
        assertThat(host.reader(new Shard(0, 0))).contains(worker(2, 0, 1));
    }

    @Test
    void drainAgainSaysNothingNew() {
        Host host = Host.serving(TWO);
        host.act(new Event.DrainRequested(host.now())).act(new Event.DrainRequested(host.now()));

        assertThat(host.effects(Effect.class)).isEmpty();
    }

    @Test
    void stopAfterADrainEndsAtOnce() {
        Host host = Host.serving(TWO);
        host.act(new Event.DrainRequested(host.now())).drainAll();

        assertThat(stop(host).fleet()).isEqualTo(new Fleet.Ended(ExitCode.OK));
    }

    // What cannot be

    @Test
    void eventAboutAWorkerThatIsGoneIsLateAndChangesNothing() {
        Host host = Host.serving(TWO).exit(worker(1, 0, 1), 1);
        Fleet before = host.fleet();
        host.report(worker(1, 0, 1), new Report.Heartbeat(0, 1, 1));

        assertThat(host.fleet()).isEqualTo(before);
        assertThat(host.effects(Effect.class)).isEmpty();
    }

    @Test
    void spawnThatFailsAfterItsHelloIsABug() {
        Host host = Host.starting(TWO).hello(worker(1, 0, 1));

        assertThatIllegalStateException().isThrownBy(() -> host.fleet().step(
                new Event.SpawnFailed(host.now(), worker(1, 0, 1), "no memory"))).withMessageContaining("Preparing");
    }
}

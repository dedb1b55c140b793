package io.servery.core.lifecycle;

import static io.servery.core.lifecycle.Host.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Plan.Recycling;
import io.servery.core.lifecycle.Plan.RestartPolicy;
import io.servery.core.lifecycle.Plan.Timing;
import io.servery.core.lifecycle.Reload.Kind;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every state that a small service can come to keeps the promises, by every event that can happen in it: how often time
/// passes and things go wrong is bounded. `-Dservery.walk.long=true` lets time pass once more in each.
class FleetWalkTest {
    /// All times are small multiples of each other, so that the states are few: what matters is which comes first.
    private static final Timing TIMING = new Timing(Duration.ofSeconds(2), Duration.ofSeconds(2),
            Duration.ofSeconds(1), Duration.ofSeconds(2));
    private static final int MORE = Boolean.getBoolean("servery.walk.long") ? 1 : 0;
    private static final RestartPolicy RESTARTS = new RestartPolicy(Duration.ofSeconds(1), Duration.ofSeconds(2), 1,
            Duration.ofSeconds(2), Duration.ofSeconds(2));

    private static Plan plan(int workers) {
        return Plans.withRestarts(Plans.withTiming(Plans.of(workers), TIMING), RESTARTS);
    }

    private static Plan moved(Plan plan) {
        List<Shard> shards = new ArrayList<>(plan.shards());
        shards.removeFirst();
        shards.add(new Shard(1, 0));
        return Plans.revision(Plans.withShards(plan, shards), 2);
    }

    private static Plan recycled(Plan plan) {
        return Plans.withRecycling(plan, new Recycling(Duration.ofSeconds(1), 0, 0));
    }

    private static FleetWalk walked(Plan plan, int reloads, int mishaps, int timeouts) {
        return new FleetWalk(plan, moved(plan)).walk(reloads, mishaps, timeouts + MORE);
    }

    @Test
    void oneWorkerThroughReloadOrRollback() {
        FleetWalk walk = walked(plan(1), 1, 1, 2);

        assertThat(walk.states()).isGreaterThan(1_500);
        assertThat(walk.kinds()).contains("Opening", "Open", "Withdrawn", "Idle", "Loading", "Bringing", "Preparing",
                "Committing", "Serving", "Retired", "GivenUp", "Waiting");
    }

    @Test
    void twoWorkersThroughTwoMishaps() {
        FleetWalk walk = walked(plan(2), 0, 2, 2);

        assertThat(walk.states()).isGreaterThan(4_000);
        assertThat(walk.kinds()).contains("Starting", "Preparing", "Prepared", "Committed", "Ready", "Silent",
                "Draining", "Terminating", "Killed", "Unread", "ReadBy", "Moving", "Closing");
    }

    @Test
    void twoWorkersThroughReloadAndOneMishap() {
        FleetWalk walk = walked(plan(2), 1, 1, 0);

        assertThat(walk.states()).isGreaterThan(700);
        assertThat(walk.kinds()).contains("Retired", "Serving", "Moving", "Loading", "Bringing");
    }

    @Test
    void oneWorkerThroughRecycling() {
        FleetWalk walk = walked(recycled(plan(1)), 0, 2, 3);

        assertThat(walk.states()).isGreaterThan(1_000);
        assertThat(walk.kinds()).contains("Overlapping", "Filled", "Running", "Ending", "Ended");
        assertThat(walk.kinds()).containsAll(conditions());
    }

    /// What answers a request of each kind, and nothing else does. Why what served before serves on: an own fault of the
    /// configuration, any way in which one of two workers can fail before both are ready, time, and the end of the service.
    private static Set<String> verdicts(Kind kind) {
        Stream<String> kept = Stream.of(Reason.STARTUP_FAILURE, Reason.APPLICATION_STARTUP_FAILURE,
                Reason.UNEXPECTED_EXIT, Reason.CLEAN_EXIT, Reason.HEALTH_FAILURE, Reason.READINESS_TIMEOUT,
                Reason.DRAINING).map(reason -> "Kept " + reason);
        Stream<String> others = switch (kind) {
            case START -> Stream.of("Serving");
            case RELOAD -> Stream.of("Serving", "Pushed", "Superseded", "Kept INVALID_CONFIG");
            case ROLLBACK, RECOVERY -> Stream.of("RolledBack", "Superseded", "Kept INVALID_CONFIG");
        };
        return Stream.concat(kept, others).map(verdict -> kind + " " + verdict).collect(Collectors.toSet());
    }

    /// Where a request of this kind has just begun.
    private static Host begun(Kind kind, Plan plan) {
        return switch (kind) {
            case START -> Host.starting(plan);
            case RELOAD -> Host.serving(plan).reload();
            case ROLLBACK -> {
                Host host = Host.serving(plan).reloaded(1, moved(plan), 2);
                yield host.act(new Event.RollbackRequested(host.now()));
            }
            case RECOVERY -> looping(Host.serving(plan).reloaded(1, moved(plan), 2));
        };
    }

    private static Host looping(Host host) {
        return host.exit(worker(2, 0, 1), 1).exit(worker(2, 0, 2), 1);
    }

    /// The same, and of a recovery, for which nobody asks, where it waits for a reload.
    private static Host waiting(Kind kind, Plan plan) {
        return kind == Kind.RECOVERY
                ? looping(Host.serving(plan).reloaded(1, moved(plan), 2).reload())
                : begun(kind, plan);
    }

    /// Through one mishap, through time alone, and through two requests more.
    @ParameterizedTest
    @EnumSource(Kind.class)
    void requestIsAnsweredWithEveryVerdictOfItsKindAndNoOther(Kind kind) {
        Plan one = plan(1);
        Plan two = plan(2);
        Set<String> found = Stream.of(new FleetWalk(two, moved(two)).walk(begun(kind, two), 0, 1, MORE),
                new FleetWalk(one, moved(one)).walk(begun(kind, one), 0, 0, 2 + MORE),
                new FleetWalk(one, moved(one)).walk(waiting(kind, one), 2, 0, MORE))
                .flatMap(walk -> walk.outcomes().all().stream()).collect(Collectors.toSet());

        assertThat(found).filteredOn(outcome -> outcome.startsWith(kind + " "))
                .containsExactlyInAnyOrderElementsOf(verdicts(kind));
        assertThat(found).contains("GenerationServed", "WorkerExited " + Reason.READINESS_TIMEOUT);
        assertThat(found.contains("WorkerRestarted " + Reason.CRASH_LOOP)).isEqualTo(kind == Kind.RECOVERY);
    }

    private static List<String> conditions() {
        return Arrays.stream(Condition.values()).map(Condition::name).toList();
    }
}

package io.servery.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Plan.Recycling;
import io.servery.core.lifecycle.Plan.RestartPolicy;
import io.servery.core.lifecycle.Plan.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every state that a small service can come to keeps the promises, by every event that can happen in it: how often time
/// passes and things go wrong is bounded. `-Dservery.walk.long=true` lets time pass once more in each.
class FleetWalkTest {
    /// All times are small multiples of each other, so that the states are few: what matters is which comes first.
    private static final Timing TIMING = new Timing(Duration.ofSeconds(2), Duration.ofSeconds(2),
            Duration.ofSeconds(1), Duration.ofSeconds(2));
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
        int more = Boolean.getBoolean("servery.walk.long") ? 1 : 0;
        return new FleetWalk(plan, moved(plan)).walk(reloads, mishaps, timeouts + more);
    }

    @Test
    void oneWorkerThroughReloadAndRollback() {
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

    private static List<String> conditions() {
        return Arrays.stream(Condition.values()).map(Condition::name).toList();
    }
}

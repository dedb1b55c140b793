package io.servery.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Plan.Recycling;
import io.servery.core.lifecycle.Plan.RestartPolicy;
import io.servery.core.lifecycle.Plan.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every state that a small service can come to keeps the promises, by every event that can happen in it.
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

    private static FleetWalk report(String what, FleetWalk walk) {
        System.out.println(what + " " + walk.states() + " " + walk.steps() + " " + walk.kinds());
        return walk;
    }

    @Test
    void a() {
        report("1 worker", new FleetWalk(plan(1), moved(plan(1))).walk(0, 1, 3));
        report("1 worker", new FleetWalk(plan(1), moved(plan(1))).walk(0, 2, 4));
        report("1 worker reload", new FleetWalk(plan(1), moved(plan(1))).walk(1, 1, 2));
        report("1 worker reload", new FleetWalk(plan(1), moved(plan(1))).walk(1, 1, 4));
        report("2 workers", new FleetWalk(plan(2), moved(plan(2))).walk(0, 1, 2));
        report("2 workers", new FleetWalk(plan(2), moved(plan(2))).walk(1, 0, 1));
    }
}

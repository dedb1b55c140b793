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

    private static FleetWalk walked(Plan plan, int reloads, int mishaps, int timeouts) {
        long from = System.nanoTime();
        FleetWalk w = new FleetWalk(plan, moved(plan)).walk(reloads, mishaps, timeouts);
        System.out.println(w.states() + " " + w.steps() + " " + (System.nanoTime() - from) / 1000000 + " " + w.kinds());
        return w;
    }

    private static Plan recycled(Plan plan) {
        return Plans.withRecycling(plan, new Recycling(Duration.ofSeconds(1), 0, 0));
    }

    @Test
    void oneWorkerThroughReloadsAndRollbacks() {
        walked(plan(1), 2, 1, 2);
        walked(plan(1), 1, 2, 3);
        walked(recycled(plan(1)), 0, 2, 4);
        walked(recycled(plan(1)), 1, 1, 4);
        walked(plan(2), 0, 2, 2);
        walked(plan(2), 1, 1, 1);
        walked(recycled(plan(2)), 0, 1, 3);
    }
}

package io.servery.core.lifecycle;

import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Plan.Recycling;
import io.servery.core.lifecycle.Plan.RestartPolicy;
import io.servery.core.lifecycle.Plan.Timing;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/// Configurations for tests. Each `with…` is another value.
final class Plans {
    static final Timing TIMING = new Timing(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(1),
            Duration.ofSeconds(10));
    static final RestartPolicy RESTARTS = new RestartPolicy(Duration.ofMillis(250), Duration.ofSeconds(30), 5,
            Duration.ofSeconds(60), RestartPolicy.STEADY);
    static final Recycling NEVER = new Recycling(Duration.ZERO, 0, 0);

    private Plans() {
    }

    /// So many workers of one loop each, with the defaults of the configuration, and one shard a loop.
    static Plan of(int workers) {
        return new Plan(1, workers, Math.max(1, workers - 1), 1, shards(0, workers), TIMING, RESTARTS, NEVER);
    }

    static List<Shard> shards(int group, int count) {
        return IntStream.range(0, count).mapToObj(index -> new Shard(group, index)).toList();
    }

    static Plan revision(Plan plan, int revision) {
        return new Plan(revision, plan.workers(), plan.minimumWorkers(), plan.eventLoops(), plan.shards(),
                plan.timing(), plan.restarts(), plan.recycling());
    }

    static Plan withShards(Plan plan, List<Shard> shards) {
        return new Plan(plan.revision(), plan.workers(), plan.minimumWorkers(), plan.eventLoops(), shards,
                plan.timing(), plan.restarts(), plan.recycling());
    }

    static Plan withMinimum(Plan plan, int minimumWorkers) {
        return new Plan(plan.revision(), plan.workers(), minimumWorkers, plan.eventLoops(), plan.shards(),
                plan.timing(), plan.restarts(), plan.recycling());
    }

    static Plan withTiming(Plan plan, Timing timing) {
        return new Plan(plan.revision(), plan.workers(), plan.minimumWorkers(), plan.eventLoops(), plan.shards(),
                timing, plan.restarts(), plan.recycling());
    }

    static Plan withRestarts(Plan plan, RestartPolicy restarts) {
        return new Plan(plan.revision(), plan.workers(), plan.minimumWorkers(), plan.eventLoops(), plan.shards(),
                plan.timing(), restarts, plan.recycling());
    }

    static Plan withRecycling(Plan plan, Recycling recycling) {
        return new Plan(plan.revision(), plan.workers(), plan.minimumWorkers(), plan.eventLoops(), plan.shards(),
                plan.timing(), plan.restarts(), recycling);
    }
}

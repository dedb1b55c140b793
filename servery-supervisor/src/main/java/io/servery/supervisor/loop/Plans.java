package io.servery.supervisor.loop;

import io.servery.core.config.RuntimeConfig;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Plan;
import java.util.List;

/// What the machine needs of a configuration.
final class Plans {
    private Plans() {
    }

    static Plan of(Revisions.Revision revision, List<Shard> shards, int processors) {
        RuntimeConfig runtime = revision.config().runtime();
        RuntimeConfig.Restarts restarts = runtime.restarts();
        RuntimeConfig.Recycling recycling = runtime.recycling();
        return new Plan(revision.number(), runtime.workers(processors), runtime.minimumWorkers(processors),
                runtime.eventLoops(processors), shards,
                new Plan.Timing(runtime.startTimeout(), runtime.drainTimeout(), runtime.forceTimeout(),
                        runtime.hangTimeout()),
                new Plan.RestartPolicy(restarts.backoffInitial(), restarts.backoffMax(), restarts.limit(),
                        restarts.window(), Plan.RestartPolicy.STEADY),
                new Plan.Recycling(recycling.ageMax(), recycling.jitter(), recycling.requestsMax()));
    }

    /// How many sockets an address gets: one for each event loop of each worker.
    static int shardsPerAddress(RuntimeConfig runtime, int processors) {
        return runtime.workers(processors) * runtime.eventLoops(processors);
    }
}

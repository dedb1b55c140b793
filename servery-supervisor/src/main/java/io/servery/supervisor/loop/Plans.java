package io.servery.supervisor.loop;

import io.servery.core.config.RuntimeConfig;
import io.servery.core.control.Bounds;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Plan;
import io.servery.supervisor.listen.ListenAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

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

    /// What a worker could not be told of a configuration.
    ///
    /// @return where, what was found, what was expected
    static Optional<String> fault(Revisions.Revision revision, int processors) {
        RuntimeConfig runtime = revision.config().runtime();
        long sockets = revision.addresses().stream().mapToLong(wanted -> switch (wanted.address()) {
            case ListenAddress.Tcp _ -> shardsPerAddress(runtime, processors);
            case ListenAddress.Unix _ -> 1;
            case ListenAddress.Inherited inherited -> inherited.descriptors().size();
        }).sum();
        if (sockets > Bounds.SHARDS_MAX) {
            return Optional.of("runtime.event_loops: found " + sockets + " listening sockets, one for each of "
                    + runtime.eventLoops(processors) + " event loops of each of " + runtime.workers(processors)
                    + " workers at each address; expected at most " + Bounds.SHARDS_MAX);
        }
        int bytes = revision.text().getBytes(StandardCharsets.UTF_8).length;
        return bytes > Bounds.CONFIGURATION_BYTES_MAX
                ? Optional.of("configuration: found " + bytes + " bytes with every value resolved; expected at most "
                        + Bounds.CONFIGURATION_BYTES_MAX)
                : Optional.empty();
    }
}

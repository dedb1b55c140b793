package io.servery.core.operator;

import io.servery.core.config.Resources;
import io.servery.core.config.ServeryConfig;
import java.util.List;

/// The limits that hold for each worker: of the service they are as many times that as it has workers.
///
/// @param workers how many there are when nothing is replaced
/// @param limits in the order of the configuration
public record WorkerLimits(int workers, List<Limit> limits) {

    public WorkerLimits {
        limits = List.copyOf(limits);
    }

    /// One limit of a worker.
    ///
    /// @param key of `[resources]`
    /// @param value 0 means none
    public record Limit(String key, long value, Unit unit) {
    }

    /// What a limit counts.
    public enum Unit {
        COUNT,
        BYTES
    }

    /// Those of a configuration.
    ///
    /// @param workers how many it has on this host
    public static WorkerLimits of(ServeryConfig config, int workers) {
        Resources resources = config.resources();
        return new WorkerLimits(workers, List.of(
                new Limit("max_connections", resources.maxConnections(), Unit.COUNT),
                new Limit("max_connections_per_client", resources.maxConnectionsPerClient(), Unit.COUNT),
                new Limit("compression_cache_bytes", resources.compressionCacheBytes(), Unit.BYTES),
                new Limit("file_cache_bytes", resources.fileCacheBytes(), Unit.BYTES),
                new Limit("lanes.compute.bytes", resources.lanes().compute().bytes(), Unit.BYTES)));
    }
}

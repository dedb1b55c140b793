package io.servery.core.config;

import java.time.Duration;
import java.util.Optional;

/// The table `[resources]`: every limit on what peers may use. Sizes are bytes.
///
/// @param maxConnectionsPerClient 0 means no limit of its own
/// @param maxRequestsPerConnection 0 means no limit
/// @param maxHeadBytes request line and fields together
/// @param maxTargetBytes the request target as sent
/// @param keepaliveDrainLimit how much of an unread request body is read to keep the connection
/// @param requestBodyTimeout the longest silence within a request body
/// @param requestBodyRate least bytes a second of a request body after its first 5 s; 0 means none
/// @param writeTimeout the longest time without progress of a response
/// @param compressionCacheBytes of compressed forms that were made; 0 keeps none
/// @param smallFileBytes up to this size a file may live in the file cache
public record Resources(int maxConnections, int maxConnectionsPerClient, int maxRequestsPerConnection,
        long maxHeadBytes, int maxFields, long maxTargetBytes, long maxRequestBody, long keepaliveDrainLimit,
        Duration handshakeTimeout, Duration requestHeadTimeout, Duration requestBodyTimeout, long requestBodyRate,
        Duration writeTimeout, Duration keepaliveTimeout, long fileCacheBytes, long smallFileBytes,
        long compressionCacheBytes, Lanes lanes) {
    /// Forms on the heap that are not kept may take so much of what the compute lane may retain,
    private static final int FORM_HEAP_PARTS = 4;
    /// and this in any case.
    private static final long FORM_HEAP_BYTES = 4L << 20;

    /// How much compressed forms may take together, those that are kept and those that are being made or sent.
    public long formBytes() {
        return compressionCacheBytes + lanes.compute().bytes();
    }

    /// How much of it may be on the heap.
    public long formHeapBytes() {
        long compute = lanes.compute().bytes();
        return compressionCacheBytes + Math.min(compute, Math.max(compute / FORM_HEAP_PARTS, FORM_HEAP_BYTES));
    }

    /// The tables `[resources.lanes.*]`.
    public record Lanes(Lane filesystem, ComputeLane compute) {
    }

    /// The executor of work that takes processor time and memory.
    ///
    /// @param threads empty means one a core
    /// @param bytes what its work may retain
    public record ComputeLane(Optional<Integer> threads, int queue, long bytes) {
    }

    /// One bounded executor.
    ///
    /// @param queue how many tasks may wait
    public record Lane(int threads, int queue) {
    }
}

package io.servery.core.config;

import java.time.Duration;

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
/// @param smallFileBytes up to this size a file may live in the file cache
public record Resources(int maxConnections, int maxConnectionsPerClient, int maxRequestsPerConnection,
        long maxHeadBytes, int maxFields, long maxTargetBytes, long maxRequestBody, long keepaliveDrainLimit,
        Duration handshakeTimeout, Duration requestHeadTimeout, Duration requestBodyTimeout, long requestBodyRate,
        Duration writeTimeout, Duration keepaliveTimeout, long fileCacheBytes, long smallFileBytes, Lanes lanes) {

    /// The tables `[resources.lanes.*]`.
    public record Lanes(Lane filesystem) {
    }

    /// One bounded executor.
    ///
    /// @param queue how many tasks may wait
    public record Lane(int threads, int queue) {
    }
}

package io.servery.core.metric;

import io.servery.core.reason.Reason;

/// Where each series lives in the array of a shard or a snapshot: arithmetic on ordinals, the same in every process of
/// one build. Gauges come first, so that what a dead worker leaves behind is one range.
///
/// Every label value has its slot, in use or not: a value that nobody announced is still counted and shown.
// Ordinals are the point here: an array slot found by arithmetic, never written down or sent without its build's table.
@SuppressWarnings("EnumOrdinal")
final class Slots {
    static final int STATUS_MIN = 100;
    static final int STATUS_MAX = 599;
    static final int STATUSES = STATUS_MAX - STATUS_MIN + 1;

    private static final int TRANSPORTS = Transport.values().length;
    private static final int METHOD_CLASSES = MethodClass.values().length;
    private static final int WORK_CLASSES = WorkClass.values().length;
    private static final int PHASES = Phase.values().length;
    private static final int QUEUES = QueueName.values().length;
    private static final int CACHES = CacheName.values().length;
    private static final int CACHE_RESULTS = CacheResult.values().length;
    private static final int LOG_SINKS = LogSink.values().length;
    private static final int LOG_DROP_REASONS = LogDropReason.values().length;
    private static final int REASONS = Reason.values().length;
    private static final int HANDSHAKE_RESULTS = HandshakeResult.values().length;
    private static final int RESUMED = Resumed.values().length;
    private static final int WORK = TRANSPORTS * WORK_CLASSES;

    // Gauges.
    private static final int IN_FLIGHT = 0;
    private static final int CONNECTIONS_ACTIVE = IN_FLIGHT + TRANSPORTS;
    private static final int CACHE_BYTES = CONNECTIONS_ACTIVE + TRANSPORTS;
    private static final int QUEUE_DEPTH = CACHE_BYTES + CACHES;
    private static final int QUEUE_CAPACITY = QUEUE_DEPTH + QUEUES;
    private static final int QUEUE_HIGH_WATER = QUEUE_CAPACITY + QUEUES;

    private static final int LANE_BYTES = QUEUE_HIGH_WATER + QUEUES;
    private static final int LANE_BYTES_CAPACITY = LANE_BYTES + QUEUES;

    /// The first slot of a counter; all below are gauges.
    static final int COUNTERS = LANE_BYTES_CAPACITY + QUEUES;

    // Counters.
    private static final int REQUESTS = COUNTERS;
    private static final int DURATION_BUCKETS = REQUESTS + TRANSPORTS * METHOD_CLASSES * STATUSES;
    private static final int DURATION_MICROS = DURATION_BUCKETS + WORK * DurationBuckets.TOTAL;
    private static final int REQUEST_BYTES = DURATION_MICROS + WORK;
    private static final int RESPONSE_BYTES = REQUEST_BYTES + WORK;
    private static final int CONNECTIONS = RESPONSE_BYTES + WORK;
    private static final int REJECTIONS = CONNECTIONS + TRANSPORTS;
    private static final int TIMEOUTS = REJECTIONS + REASONS * TRANSPORTS;
    private static final int DRAIN_FORCED = TIMEOUTS + PHASES * TRANSPORTS;
    private static final int CACHE_OPERATIONS = DRAIN_FORCED + REASONS * WORK_CLASSES;
    private static final int LOG_DROPPED = CACHE_OPERATIONS + CACHES * CACHE_RESULTS;

    private static final int HANDSHAKES = LOG_DROPPED + LOG_SINKS * LOG_DROP_REASONS;

    /// How many slots there are.
    static final int TOTAL = HANDSHAKES + HandshakeVersion.values().length * HANDSHAKE_RESULTS * RESUMED;

    private Slots() {
    }

    static int inFlight(Transport transport) {
        return IN_FLIGHT + transport.ordinal();
    }

    static int connectionsActive(Transport transport) {
        return CONNECTIONS_ACTIVE + transport.ordinal();
    }

    static int cacheBytes(CacheName cache) {
        return CACHE_BYTES + cache.ordinal();
    }

    static int queueDepth(QueueName queue) {
        return QUEUE_DEPTH + queue.ordinal();
    }

    static int queueCapacity(QueueName queue) {
        return QUEUE_CAPACITY + queue.ordinal();
    }

    static int queueHighWater(QueueName queue) {
        return QUEUE_HIGH_WATER + queue.ordinal();
    }

    static int laneBytes(QueueName lane) {
        return LANE_BYTES + lane.ordinal();
    }

    static int laneBytesCapacity(QueueName lane) {
        return LANE_BYTES_CAPACITY + lane.ordinal();
    }

    /// A status outside 100 to 599 counts as the nearest inside: no peer and no application can add a label.
    static int requests(Transport transport, MethodClass methodClass, int status) {
        int row = transport.ordinal() * METHOD_CLASSES + methodClass.ordinal();
        return REQUESTS + row * STATUSES + Math.clamp(status, STATUS_MIN, STATUS_MAX) - STATUS_MIN;
    }

    /// The first of the buckets, which lie side by side.
    static int durationBuckets(Transport transport, WorkClass workClass) {
        return DURATION_BUCKETS + work(transport, workClass) * DurationBuckets.TOTAL;
    }

    static int durationMicros(Transport transport, WorkClass workClass) {
        return DURATION_MICROS + work(transport, workClass);
    }

    static int requestBytes(Transport transport, WorkClass workClass) {
        return REQUEST_BYTES + work(transport, workClass);
    }

    static int responseBytes(Transport transport, WorkClass workClass) {
        return RESPONSE_BYTES + work(transport, workClass);
    }

    static int connections(Transport transport) {
        return CONNECTIONS + transport.ordinal();
    }

    static int rejections(Reason reason, Transport transport) {
        return REJECTIONS + reason.ordinal() * TRANSPORTS + transport.ordinal();
    }

    static int timeouts(Phase phase, Transport transport) {
        return TIMEOUTS + phase.ordinal() * TRANSPORTS + transport.ordinal();
    }

    static int drainForced(WorkClass workClass, Reason reason) {
        return DRAIN_FORCED + reason.ordinal() * WORK_CLASSES + workClass.ordinal();
    }

    static int cacheOperations(CacheName cache, CacheResult result) {
        return CACHE_OPERATIONS + cache.ordinal() * CACHE_RESULTS + result.ordinal();
    }

    static int logDropped(LogSink sink, LogDropReason reason) {
        return LOG_DROPPED + sink.ordinal() * LOG_DROP_REASONS + reason.ordinal();
    }

    static int handshakes(HandshakeVersion version, HandshakeResult result, Resumed resumed) {
        return HANDSHAKES + (version.ordinal() * HANDSHAKE_RESULTS + result.ordinal()) * RESUMED + resumed.ordinal();
    }

    private static int work(Transport transport, WorkClass workClass) {
        return transport.ordinal() * WORK_CLASSES + workClass.ordinal();
    }
}

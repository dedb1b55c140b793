package io.servery.core.metric;

import io.servery.core.reason.Reason;
import java.util.Arrays;
import java.util.List;

/// Everything that one worker, or several together, had counted at one moment; immutable.
///
/// The parent adds the snapshots of its workers, and to them what dead ones [#retained()], so a counter never falls.
public final class MetricSnapshot {
    /// How many series there are; they are numbered from 0, alike in every process of one build.
    public static final int SERIES = Slots.TOTAL;

    private final MetricScope scope;
    private final long[] slots;

    MetricSnapshot(MetricScope scope, long[] slots) {
        this.scope = scope;
        this.slots = slots;
    }

    /// Nothing counted yet: the neutral element of [#plus].
    public static MetricSnapshot empty(MetricScope scope) {
        return new MetricSnapshot(scope, new long[Slots.TOTAL]);
    }

    /// Both together. Gauges add up as counters do: also the high water of queues, which is then a bound of what was
    /// ever queued at once, as the capacity is.
    public MetricSnapshot plus(MetricSnapshot other) {
        long[] sums = slots.clone();
        for (int slot = 0; slot < sums.length; slot++) {
            sums[slot] += other.slots[slot];
        }
        return new MetricSnapshot(scope.plus(other.scope), sums);
    }

    /// This, reported after another of the same worker: its gauges are as they are now, and no counter is less than it was.
    MetricSnapshot after(MetricSnapshot before) {
        long[] latest = slots.clone();
        for (int slot = Slots.COUNTERS; slot < latest.length; slot++) {
            latest[slot] = Math.max(latest[slot], before.slots[slot]);
        }
        return new MetricSnapshot(scope.plus(before.scope), latest);
    }

    /// What remains when the worker is gone: its counters; its gauges end with it.
    public MetricSnapshot retained() {
        long[] counters = slots.clone();
        Arrays.fill(counters, 0, Slots.COUNTERS, 0);
        return new MetricSnapshot(scope, counters);
    }

    /// Every series, as it is exposed.
    public List<MetricFamily> families() {
        return new SnapshotFamilies(this).all();
    }

    public MetricScope scope() {
        return scope;
    }

    public long requestsInFlight(Transport transport) {
        return slots[Slots.inFlight(transport)];
    }

    public long requests(Transport transport, MethodClass methodClass, int status) {
        return slots[Slots.requests(transport, methodClass, status)];
    }

    /// How many requests ended in each bucket (not cumulative); the last is the unbounded one.
    public List<Long> durationBuckets(Transport transport, WorkClass workClass) {
        int first = Slots.durationBuckets(transport, workClass);
        return Arrays.stream(slots, first, first + DurationBuckets.TOTAL).boxed().toList();
    }

    public double durationSeconds(Transport transport, WorkClass workClass) {
        return slots[Slots.durationMicros(transport, workClass)] / 1e6;
    }

    public long requestBytes(Transport transport, WorkClass workClass) {
        return slots[Slots.requestBytes(transport, workClass)];
    }

    public long responseBytes(Transport transport, WorkClass workClass) {
        return slots[Slots.responseBytes(transport, workClass)];
    }

    public long connectionsActive(Transport transport) {
        return slots[Slots.connectionsActive(transport)];
    }

    public long connections(Transport transport) {
        return slots[Slots.connections(transport)];
    }

    public long rejections(Reason reason, Transport transport) {
        return slots[Slots.rejections(reason, transport)];
    }

    public long timeouts(Phase phase, Transport transport) {
        return slots[Slots.timeouts(phase, transport)];
    }

    public long drainForced(WorkClass workClass, Reason reason) {
        return slots[Slots.drainForced(workClass, reason)];
    }

    public long handshakes(HandshakeVersion version, HandshakeResult result, Resumed resumed) {
        return slots[Slots.handshakes(version, result, resumed)];
    }

    public long cacheOperations(CacheName cache, CacheResult result) {
        return slots[Slots.cacheOperations(cache, result)];
    }

    public long cacheBytes(CacheName cache) {
        return slots[Slots.cacheBytes(cache)];
    }

    public long queueDepth(QueueName queue) {
        return slots[Slots.queueDepth(queue)];
    }

    public long queueCapacity(QueueName queue) {
        return slots[Slots.queueCapacity(queue)];
    }

    public long queueHighWater(QueueName queue) {
        return slots[Slots.queueHighWater(queue)];
    }

    public long laneBytes(QueueName lane) {
        return slots[Slots.laneBytes(lane)];
    }

    public long laneBytesCapacity(QueueName lane) {
        return slots[Slots.laneBytesCapacity(lane)];
    }

    public long logDropped(LogSink sink, LogDropReason reason) {
        return slots[Slots.logDropped(sink, reason)];
    }

    /// Every value by the number of its series: what another process of this build makes the same snapshot of.
    public long[] values() {
        return slots.clone();
    }

    /// The snapshot that had these values.
    ///
    /// @param values as many as there are series
    public static MetricSnapshot of(MetricScope scope, long[] values) {
        if (values.length != SERIES) {
            throw new IllegalArgumentException("metric: values: found " + values.length + "; expected " + SERIES);
        }
        return new MetricSnapshot(scope, values.clone());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MetricSnapshot that && scope.equals(that.scope) && Arrays.equals(slots, that.slots);
    }

    @Override
    public int hashCode() {
        return 31 * scope.hashCode() + Arrays.hashCode(slots);
    }
}

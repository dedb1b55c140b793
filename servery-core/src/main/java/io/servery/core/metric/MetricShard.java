package io.servery.core.metric;

import io.servery.core.reason.Reason;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/// The counters of one event loop, or the one set that all other threads share. Recording is one or a few array slots:
/// no look-up, no boxing, no allocation.
///
/// *Owner*: a shard from [MetricRegistry#loopShard()] is written by one thread only; the one from
/// [MetricRegistry#sharedShard()] by any. Both are read by snapshots from any thread.
///
/// *Invariant*: a counter slot never falls; a negative amount counts as nothing.
public final class MetricShard {
    private static final long NANOS_PER_MICRO = 1_000;

    private final AtomicLongArray slots = new AtomicLongArray(Slots.TOTAL);
    /// All that [Slots#requests] counts, as a sum: a heartbeat asks for it too often to add up hundreds of slots.
    private final AtomicLong completed = new AtomicLong();
    private final boolean shared;

    MetricShard(boolean shared) {
        this.shared = shared;
    }

    /// A request head was accepted: the request is in flight until [#requestCompleted] or [#requestAbandoned].
    public void requestStarted(Transport transport) {
        add(Slots.inFlight(transport), 1);
    }

    /// A request got its final status and its response ended, whole or cut short.
    ///
    /// Long because a record of its seven parameters would be an allocation a request.
    public void requestCompleted(Transport transport, MethodClass methodClass, int status, WorkClass workClass,
            long durationNanos, long requestBytes, long responseBytes) {
        add(Slots.inFlight(transport), -1);
        add(Slots.requests(transport, methodClass, status), 1);
        add(Slots.durationBuckets(transport, workClass) + DurationBuckets.of(durationNanos), 1);
        count(Slots.durationMicros(transport, workClass), micros(durationNanos));
        count(Slots.requestBytes(transport, workClass), requestBytes);
        count(Slots.responseBytes(transport, workClass), responseBytes);
        if (shared) {
            completed.getAndIncrement();
        } else {
            completed.setRelease(completed.getPlain() + 1);
        }
    }

    /// A started request went away before it had a status, with its connection: it leaves the requests in flight.
    public void requestAbandoned(Transport transport) {
        add(Slots.inFlight(transport), -1);
    }

    public void connectionOpened(Transport transport) {
        add(Slots.connectionsActive(transport), 1);
        add(Slots.connections(transport), 1);
    }

    public void connectionClosed(Transport transport) {
        add(Slots.connectionsActive(transport), -1);
    }

    /// Something was refused for this reason, of any group but the forced drain, which [#drainForced] counts.
    public void rejected(Reason reason, Transport transport) {
        require(reason, reason.group().rejects(), "that rejects");
        add(Slots.rejections(reason, transport), 1);
    }

    /// A deadline passed. When a refusal was sent because of it (408), [#rejected] counts that too.
    public void timedOut(Phase phase, Transport transport) {
        add(Slots.timeouts(phase, transport), 1);
    }

    /// Work that was still running at the end of a drain was cut short; the reason is of the forced drain's group.
    public void drainForced(WorkClass workClass, Reason reason, long count) {
        require(reason, reason.group() == Reason.Group.FORCED_DRAIN, "of a forced drain");
        count(Slots.drainForced(workClass, reason), count);
    }

    /// A handshake of TLS ended. One that took too long is in [#timedOut] too.
    public void handshake(HandshakeVersion version, HandshakeResult result, Resumed resumed) {
        add(Slots.handshakes(version, result, resumed), 1);
    }

    public void cacheOperation(CacheName cache, CacheResult result) {
        add(Slots.cacheOperations(cache, result), 1);
    }

    /// A cache grew, or shrank by a negative amount.
    public void cacheBytes(CacheName cache, long delta) {
        add(Slots.cacheBytes(cache), delta);
    }

    public void logDropped(LogSink sink, LogDropReason reason, long count) {
        count(Slots.logDropped(sink, reason), count);
    }

    /// The connections that are open now.
    public long connectionsActive() {
        long sum = 0;
        for (Transport transport : Transport.values()) {
            sum += slots.getAcquire(Slots.connectionsActive(transport));
        }
        return sum;
    }

    /// The requests that were completed until now.
    public long requestsCompleted() {
        return completed.getAcquire();
    }

    /// Adds every slot to the given array.
    void addTo(long[] sums) {
        for (int slot = 0; slot < sums.length; slot++) {
            sums[slot] += slots.getAcquire(slot);
        }
    }

    private void count(int slot, long amount) {
        if (amount > 0) {
            add(slot, amount);
        }
    }

    /// A single writer needs no atomic addition: a read-modify-write of its own slot, published for readers.
    private void add(int slot, long delta) {
        if (shared) {
            slots.getAndAdd(slot, delta);
        } else {
            slots.setRelease(slot, slots.getPlain(slot) + delta);
        }
    }

    /// Microseconds, to the nearest: a sum of nanoseconds would overflow in ten days of 10,000 long streams.
    private static long micros(long nanos) {
        return nanos / NANOS_PER_MICRO + (nanos % NANOS_PER_MICRO >= NANOS_PER_MICRO / 2 ? 1 : 0);
    }

    private static void require(Reason reason, boolean counted, String expected) {
        if (!counted) {
            throw new IllegalArgumentException("metric: reason: found " + reason.code() + "; expected one " + expected);
        }
    }
}

package io.servery.interop.load;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// What all clients of one load have seen; for any thread.
final class Tally {
    /// A server that is gone must not fill the memory of the test.
    private static final int LOST_MAX = 1_000;

    private volatile boolean over;
    private final Map<Kind, LongAdder> answered = new EnumMap<>(Kind.class);
    private final Map<Kind, AtomicLong> longestNanos = new EnumMap<>(Kind.class);
    private final Queue<Lost> lost = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lostCount = new AtomicInteger();
    private final Stalls stalls = new Stalls(this);
    private final LongAdder crossed = new LongAdder();
    private final LongAdder endedIdle = new LongAdder();

    Tally() {
        for (Kind kind : Kind.values()) {
            answered.put(kind, new LongAdder());
            longestNanos.put(kind, new AtomicLong());
        }
    }

    boolean over() {
        return over;
    }

    void finish() {
        over = true;
    }

    Stalls stalls() {
        return stalls;
    }

    private static <T> T of(Map<Kind, T> map, Kind kind) {
        return Objects.requireNonNull(map.get(kind));
    }

    void answered(Kind kind) {
        of(answered, kind).increment();
    }

    void took(Kind kind, Duration time) {
        of(longestNanos, kind).accumulateAndGet(time.toNanos(), Math::max);
    }

    void crossed() {
        crossed.increment();
    }

    void endedIdle() {
        endedIdle.increment();
    }

    void lost(Lost one) {
        if (lostCount.incrementAndGet() <= LOST_MAX) {
            lost.add(one);
        }
    }

    long answers(Kind kind) {
        return of(answered, kind).sum();
    }

    List<Lost> allLost() {
        return List.copyOf(lost);
    }

    Duration longest(Kind kind) {
        return Duration.ofNanos(of(longestNanos, kind).get());
    }

    @Override
    public String toString() {
        return "answered " + answered + ", crossed " + crossed + ", ended while idle " + endedIdle
                + ", longest probe " + longest(Kind.PROBE).toMillis() + " ms, longest of a new connection "
                + longest(Kind.FRESH).toMillis() + " ms, lost " + lostCount;
    }
}

package io.servery.interop.load;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;

/// When this machine did not run a thread that was due: no server can be blamed for that time.
///
/// *Owner*: its own thread writes, any thread reads.
final class Stalls implements Runnable {
    private static final long PERIOD_NANOS = Duration.ofMillis(5).toNanos();
    /// Shorter ones are the grain of clocks and schedulers.
    private static final long STALL_NANOS_MIN = Duration.ofMillis(20).toNanos();
    private static final int KEPT_MAX = 10_000;

    private final ConcurrentLinkedDeque<Stall> stalls = new ConcurrentLinkedDeque<>();
    private final Tally tally;

    Stalls(Tally tally) {
        this.tally = tally;
    }

    private record Stall(long fromNanos, long toNanos) {
        long within(long from, long to) {
            return Math.max(0, Math.min(to, toNanos) - Math.max(from, fromNanos));
        }
    }

    @Override
    public void run() {
        int kept = 0;
        while (!tally.over()) {
            long due = System.nanoTime() + PERIOD_NANOS;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(PERIOD_NANOS);
            }
            long now = System.nanoTime();
            if (now - due > STALL_NANOS_MIN && kept < KEPT_MAX) {
                stalls.add(new Stall(due, now));
                kept++;
            }
        }
    }

    /// How much of this time was lost so.
    Duration within(long fromNanos, long toNanos) {
        return Duration.ofNanos(stalls.stream().mapToLong(stall -> stall.within(fromNanos, toNanos)).sum());
    }
}

package io.servery.interop.load;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// A new connection for each request, which must be answered within a second: probes at a fixed rate, others as they come.
final class FreshClient extends Client {
    private static final Duration ANSWERED = Duration.ofSeconds(1);
    private static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

    private long nextNanos;

    private FreshClient(Kind kind, Target target, Tally tally, long seed, long firstNanos) {
        super(kind, target, tally, seed);
        this.nextNanos = firstNanos;
    }

    static FreshClient unpaced(Target target, Tally tally, long seed) {
        return new FreshClient(Kind.FRESH, target, tally, seed, 0);
    }

    /// One that asks once a second, beginning at this moment.
    static FreshClient probe(Target target, Tally tally, long firstNanos) {
        return new FreshClient(Kind.PROBE, target, tally, 0, firstNanos);
    }

    @Override
    void round() throws Broken, Crossed {
        if (kind == Kind.PROBE) {
            awaitTurn();
        } else {
            think(5, 60);
        }
        if (!tally.over()) {
            ask();
        }
    }

    private void awaitTurn() {
        for (long left = nextNanos - System.nanoTime(); left > 0 && !tally.over(); left = nextNanos
                - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, 50_000_000));
        }
        nextNanos = Math.max(nextNanos + PERIOD_NANOS, System.nanoTime());
    }

    private void ask() throws Broken, Crossed {
        Visit visit = visit();
        visit.request("GET " + Target.SMALL + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        expect(visit.answer(), 200, target.small());
        long now = System.nanoTime();
        Duration stalled = tally.stalls().within(visit.openedNanos(), now);
        Duration took = Duration.ofNanos(now - visit.openedNanos()).minus(stalled);
        tally.took(kind, took);
        if (took.compareTo(ANSWERED) > 0) {
            throw new Broken(Lost.What.LATE, "answered after " + took.toMillis() + " ms, " + stalled.toMillis()
                    + " of this machine not counted");
        }
        end(visit);
    }
}

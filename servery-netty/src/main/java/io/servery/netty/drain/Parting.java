package io.servery.netty.drain;

import io.netty.util.concurrent.EventExecutor;
import io.servery.http.http1.Http1Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Tells the connections of one event loop to end, some every few milliseconds: their clients come anew one after the other,
/// to workers whose code is new as well, and none of them waits for the handshakes of all.
///
/// *Owner*: that event loop.
final class Parting implements Runnable {
    private static final long STEP_MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final EventExecutor executor;
    private final List<Http1Connection> connections;
    private final int each;
    private final long stepNanos;
    private int told;

    /// @param over so long; zero tells all at once
    Parting(EventExecutor executor, List<Http1Connection> connections, Duration over) {
        this.executor = executor;
        this.connections = connections;
        long steps = Math.clamp(over.toNanos() / STEP_MIN_NANOS, 1, Math.max(1, connections.size()));
        this.each = Math.toIntExact(Math.ceilDiv(connections.size(), steps));
        this.stepNanos = over.toNanos() / steps;
    }

    @Override
    public void run() {
        int until = Math.min(connections.size(), told + each);
        for (; told < until; told++) {
            connections.get(told).drain();
        }
        if (told < connections.size()) {
            var _ = executor.schedule(this, stepNanos, TimeUnit.NANOSECONDS);
        }
    }
}

package io.servery.http.http1;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;

/// Sees that a peer which is owed bytes takes some of them within `write_timeout`.
///
/// *Owner:* the event loop of the connection. Costs nothing while everything goes out at once.
final class WriteWatch implements Runnable {
    private final EventExecutor executor;
    private final PlanWriter writer;
    private final long patienceNanos;
    private final Runnable stuck;
    private boolean running;
    private long mark;

    /// @param stuck run once when nothing was taken for this long; the connection is then closed
    WriteWatch(EventExecutor executor, PlanWriter writer, long patienceNanos, Runnable stuck) {
        this.executor = executor;
        this.writer = writer;
        this.patienceNanos = patienceNanos;
        this.stuck = stuck;
    }

    /// Starts watching if something waits to be taken.
    void look() {
        if (!running && !writer.outboundEmpty()) {
            running = true;
            again();
        }
    }

    private void again() {
        mark = writer.progressMark();
        var _ = executor.schedule(this, patienceNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void run() {
        if (writer.outboundEmpty()) {
            running = false;
        } else if (writer.progressMark() != mark) {
            again();
        } else {
            stuck.run();
        }
    }
}

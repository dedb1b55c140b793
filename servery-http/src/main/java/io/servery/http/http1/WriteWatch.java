package io.servery.http.http1;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Sees that a peer which is owed bytes takes some of them within `write_timeout`.
///
/// *Owner:* the event loop of the connection. Costs nothing while everything goes out at once.
final class WriteWatch implements Runnable {
    /// A stall is found between one and one and a quarter times the patience after the last progress.
    private static final int LOOKS_PER_PATIENCE = 4;

    private final EventExecutor executor;
    private final PlanWriter writer;
    private final long patienceNanos;
    private final Runnable stuck;
    private @Nullable Future<?> timer;
    private long mark;
    private int looksInVain;

    /// @param stuck run once when nothing was taken for this long; the connection is then closed
    WriteWatch(EventExecutor executor, PlanWriter writer, long patienceNanos, Runnable stuck) {
        this.executor = executor;
        this.writer = writer;
        this.patienceNanos = patienceNanos;
        this.stuck = stuck;
    }

    /// Starts watching if something waits to be taken.
    void look() {
        if (timer == null && !writer.outboundEmpty()) {
            mark = writer.progressMark();
            looksInVain = 0;
            setTimer();
        }
    }

    /// Watches no more: the connection is gone.
    void cancel() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    @Override
    public void run() {
        timer = null;
        if (writer.outboundEmpty()) {
            return;
        }
        long before = mark;
        mark = writer.progressMark();
        looksInVain = mark == before ? looksInVain + 1 : 0;
        if (looksInVain == LOOKS_PER_PATIENCE) {
            stuck.run();
        } else {
            setTimer();
        }
    }

    private void setTimer() {
        timer = executor.schedule(this, Math.ceilDiv(patienceNanos, LOOKS_PER_PATIENCE), TimeUnit.NANOSECONDS);
    }
}

package io.servery.http.http1;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The one deadline by which the peer must do what is waited for. Moving it later, the common case, is two stores: the
/// timer that is already set finds out when it fires.
///
/// An event loop that was held up, by a collection or for want of a processor, comes to its timers before it has looked at
/// the sockets again: what was waited for may lie there. So a wait is over only when the loop has looked once more.
///
/// *Owner:* the event loop of the connection.
final class Deadline implements Runnable {
    /// What is waited for.
    enum Wait {
        NOTHING,
        /// The head of a request, from accept or from its first byte.
        HEAD,
        /// The rest of a request's content: looked at every second.
        BODY,
        /// The next request on a connection that has had one.
        KEEPALIVE,
        /// A request that may be on its way while the server drains.
        DRAIN,
        /// The peer's end of a connection that was half-closed.
        LINGER
    }

    private final EventExecutor executor;
    private final Consumer<Wait> expired;
    private Wait wait = Wait.NOTHING;
    private long dueNanos;
    private long timerNanos;
    /// Whether the loop looks at the sockets once more, and then the wait is over.
    private boolean looking;
    private @Nullable Future<?> timer;

    Deadline(EventExecutor executor, Consumer<Wait> expired) {
        this.executor = executor;
        this.expired = expired;
    }

    Wait waiting() {
        return wait;
    }

    /// Waits for this until then, instead of what was waited for before.
    void arm(Wait what, long untilNanos) {
        wait = what;
        dueNanos = untilNanos;
        looking = false;
        if (timer == null) {
            setTimer();
        } else if (timerNanos - untilNanos > 0) {
            timer.cancel(false);
            setTimer();
        }
    }

    /// Waits for nothing; a timer that is set fires in vain.
    void disarm() {
        wait = Wait.NOTHING;
    }

    /// Waits for nothing ever again.
    void cancel() {
        wait = Wait.NOTHING;
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    @Override
    public void run() {
        timer = null;
        if (wait == Wait.NOTHING) {
            return;
        }
        if (executor.ticker().nanoTime() - dueNanos < 0) {
            setTimer();
            return;
        }
        if (!looking) {
            looking = true;
            // Not `execute`, which may come before anything that the event loop reads.
            setTimer();
            return;
        }
        Wait what = wait;
        wait = Wait.NOTHING;
        expired.accept(what);
    }

    private void setTimer() {
        timerNanos = dueNanos;
        timer = executor.schedule(this, Math.max(0, dueNanos - executor.ticker().nanoTime()), TimeUnit.NANOSECONDS);
    }
}

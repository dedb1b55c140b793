package io.servery.netty.identity.acme;

import io.servery.netty.observe.Events;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The thread of an owner of certificates: one task after another, and what one throws is told, and keeps none from following.
///
/// *Owner*: any thread; an [Alarm] belongs to this one.
final class OwnerThread {
    private final Events events;
    private final ScheduledThreadPoolExecutor thread;

    OwnerThread(Events events) {
        this.events = events;
        thread = new ScheduledThreadPoolExecutor(1,
                Thread.ofPlatform().daemon().name("servery-certificates").factory());
        thread.setRemoveOnCancelPolicy(true);
    }

    /// After [#end] nothing is done any more.
    void execute(Runnable task) {
        try {
            thread.execute(() -> tell(task));
        } catch (RejectedExecutionException ended) {
            // The service has ended; what came too late is found by the next.
        }
    }

    private void tell(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error bug) {
            events.bug(bug);
        }
    }

    boolean isOver() {
        return thread.isShutdown();
    }

    /// Interrupts what is being done, and does nothing more.
    void end() {
        thread.shutdownNow();
    }

    /// At most one moment at which something is done.
    final class Alarm {
        private @Nullable Future<?> set;

        /// Instead of what it was set to.
        void set(Duration wait, Runnable task) {
            clear();
            try {
                set = thread.schedule(() -> tell(task), wait.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException ended) {
                // As above.
            }
        }

        void clear() {
            if (set != null) {
                set.cancel(false);
                set = null;
            }
        }
    }
}

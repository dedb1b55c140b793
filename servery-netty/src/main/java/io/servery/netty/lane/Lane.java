package io.servery.netty.lane;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A bounded executor for one kind of blocking work: exact threads, an exact queue, and admission that never waits.
///
///     offer ──► queued ──► running ──► done
///       │          └──(close)──► discarded
///       └──(no room, closed)──► false, and nothing is called
///
/// *Invariant*: at most `threads` run and at most `queue` wait. Work holds its place until `run` returns, whether or not
/// anybody still wants the result: a system call that hangs takes capacity, and more of them are refused, not stacked up.
///
/// *Owner*: any thread may offer; `run` is called on the lane's threads.
public final class Lane implements AutoCloseable {
    private final String name;
    private final int queueMax;
    private final QueueObserver observer;
    private final Consumer<Throwable> bugs;
    private final List<Thread> threads;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final ArrayDeque<Work> admitted;
    /// Threads that run work, or to which some of the admitted work is promised.
    private int active;
    /// Admitted work beyond that.
    private int queued;
    private int queuedHighWater;
    private long rejected;
    private boolean closed;

    /// Is told when work begins to wait for a thread and when it no longer does: a metric of the queue. Called under the
    /// lane's lock.
    public interface QueueObserver {
        /// Tells nobody.
        QueueObserver NONE = new QueueObserver() {
            @Override
            public void entered() {
                // Nobody to tell.
            }

            @Override
            public void left() {
                // Nobody to tell.
            }
        };

        void entered();

        void left();
    }

    /// The bounds of a lane.
    ///
    /// @param threads how much may run at once
    /// @param queue how much may wait beside what runs
    public record Bounds(int threads, int queue) {
        public Bounds {
            if (threads < 1 || queue < 0) {
                throw new IllegalArgumentException("lane: found " + threads + " threads and a queue of " + queue
                        + "; expected at least one thread and a queue of 0 or more");
            }
        }
    }

    /// Starts the threads.
    ///
    /// @param bugs told what work threw; the lane goes on
    public Lane(String name, Bounds bounds, QueueObserver observer, Consumer<Throwable> bugs) {
        this.name = name;
        this.queueMax = bounds.queue();
        this.observer = observer;
        this.bugs = bugs;
        this.admitted = new ArrayDeque<>(Math.min(bounds.queue(), 1024) + bounds.threads());
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < bounds.threads(); i++) {
            started.add(Thread.ofPlatform().name(name + "-" + i).daemon(true).unstarted(this::serve));
        }
        this.threads = List.copyOf(started);
        for (Thread thread : threads) {
            thread.start();
        }
    }

    /// Admits the work or not, without waiting.
    ///
    /// @return false when there is no room or the lane is closed; nothing of the work was or will be called then
    public boolean offer(Work work) {
        lock.lock();
        try {
            if (closed || active == threads.size() && queued == queueMax) {
                rejected++;
                return false;
            }
            if (active < threads.size()) {
                active++;
            } else {
                queued++;
                queuedHighWater = Math.max(queuedHighWater, queued);
                observer.entered();
            }
            admitted.addLast(work);
            notEmpty.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Admits work that makes something which must be given back when nobody wants it any more.
    ///
    /// @param make makes the result, on a thread of the lane
    /// @param deliver hands it over, on that thread; false says that nobody takes it
    /// @param dispose gives a result back that nobody takes
    /// @param discarded called instead of everything else when the lane closes first
    /// @return false when there is no room or the lane is closed; nothing is called then
    public <T> boolean offer(Supplier<T> make, Delivery<T> deliver, Consumer<T> dispose, Runnable discarded) {
        return offer(new Work() {
            @Override
            public void run() {
                T result = make.get();
                boolean taken = false;
                try {
                    taken = deliver.deliver(result);
                } finally {
                    if (!taken) {
                        dispose.accept(result);
                    }
                }
            }

            @Override
            public void discard() {
                discarded.run();
            }
        });
    }

    /// Takes a result over, or says that nobody wants it.
    @FunctionalInterface
    public interface Delivery<T> {
        boolean deliver(T result);
    }

    public LaneSnapshot snapshot() {
        lock.lock();
        try {
            return new LaneSnapshot(active, queued, queuedHighWater, rejected);
        } finally {
            lock.unlock();
        }
    }

    /// Ends admission and discards what waits; what runs goes on. Idempotent.
    @Override
    public void close() {
        List<Work> discarded;
        lock.lock();
        try {
            closed = true;
            discarded = List.copyOf(admitted);
            admitted.clear();
            active -= discarded.size() - queued;
            for (; queued > 0; queued--) {
                observer.left();
            }
            notEmpty.signalAll();
        } finally {
            lock.unlock();
        }
        for (Work work : discarded) {
            guarded(work::discard);
        }
    }

    /// Waits until what ran at `close` has ended.
    ///
    /// @return whether it has
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (Thread thread : threads) {
            Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
            if (!thread.join(left)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return name + " " + snapshot();
    }

    private void serve() {
        for (Work work = take(); work != null; work = take()) {
            guarded(work::run);
            ended();
        }
    }

    private @Nullable Work take() {
        lock.lock();
        try {
            while (admitted.isEmpty() && !closed) {
                notEmpty.awaitUninterruptibly();
            }
            return admitted.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    /// Promises this thread to the work that waits longest, or to none.
    private void ended() {
        lock.lock();
        try {
            if (queued > 0) {
                queued--;
                observer.left();
            } else {
                active--;
            }
        } finally {
            lock.unlock();
        }
    }

    // A lane outlives whatever its work throws; the thread is not to be lost with its capacity.
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable bug) {
            bugs.accept(bug);
        }
    }
}

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
/// *Invariant*: at most `threads` run, at most `queue` wait, and all of it together is charged at most `bytes`. Work holds its place until `run` returns, whether or not
/// anybody still wants the result: a system call that hangs takes capacity, and more of them are refused, not stacked up.
///
/// *Owner*: any thread may offer; `run` is called on the lane's threads.
public final class Lane implements AutoCloseable {
    private final String name;
    private final int queueMax;
    private final long bytesMax;
    private final QueueObserver observer;
    private final Consumer<Throwable> bugs;
    private final Runnable prepare;
    private final List<Thread> threads;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final ArrayDeque<Admitted> admitted;
    /// Threads that run work, or to which some of the admitted work is promised.
    private int active;
    /// Admitted work beyond that.
    private int queued;
    private int queuedHighWater;
    /// What admitted work retains, by its own word.
    private long bytes;
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

        /// What admitted work retains grew, or shrank by a negative amount.
        default void charged(long delta) {
            // Most lanes charge nothing.
        }
    }

    /// The bounds of a lane.
    ///
    /// @param threads how much may run at once
    /// @param queue how much may wait beside what runs
    /// @param bytes how much all of it may retain
    public record Bounds(int threads, int queue, long bytes) {
        public Bounds {
            if (threads < 1 || queue < 0 || bytes < 0) {
                throw new IllegalArgumentException("lane: found " + threads + " threads, a queue of " + queue + " and "
                        + bytes + " bytes; expected at least one thread, and 0 or more of the others");
            }
        }

        /// The bounds of a lane whose work is not charged.
        public Bounds(int threads, int queue) {
            this(threads, queue, Long.MAX_VALUE);
        }
    }

    private record Admitted(Work work, long bytes) {
    }

    /// Starts the threads.
    ///
    /// @param bugs told what work threw; the lane goes on
    public Lane(String name, Bounds bounds, QueueObserver observer, Consumer<Throwable> bugs) {
        this(name, bounds, observer, bugs, () -> {
        });
    }

    /// Starts the threads.
    ///
    /// @param bugs told what work threw; the lane goes on
    /// @param prepare called by each thread before its first work
    public Lane(String name, Bounds bounds, QueueObserver observer, Consumer<Throwable> bugs, Runnable prepare) {
        this.name = name;
        this.queueMax = bounds.queue();
        this.bytesMax = bounds.bytes();
        this.observer = observer;
        this.bugs = bugs;
        this.prepare = prepare;
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
        return offer(work, 0);
    }

    /// Admits the work or not, without waiting.
    ///
    /// @param charge how many bytes it retains until it ends, input and output
    /// @return false when there is no room or the lane is closed; nothing of the work was or will be called then
    public boolean offer(Work work, long charge) {
        lock.lock();
        try {
            if (closed || active == threads.size() && queued == queueMax || charge > bytesMax - bytes) {
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
            charge(charge);
            admitted.addLast(new Admitted(work, charge));
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
            return new LaneSnapshot(active, queued, queuedHighWater, bytes, rejected);
        } finally {
            lock.unlock();
        }
    }

    /// Ends admission and discards what waits; what runs goes on. Idempotent.
    @Override
    public void close() {
        List<Admitted> discarded;
        lock.lock();
        try {
            closed = true;
            discarded = List.copyOf(admitted);
            admitted.clear();
            active -= discarded.size() - queued;
            for (; queued > 0; queued--) {
                observer.left();
            }
            charge(-discarded.stream().mapToLong(Admitted::bytes).sum());
            notEmpty.signalAll();
        } finally {
            lock.unlock();
        }
        for (Admitted one : discarded) {
            guarded(one.work()::discard);
        }
    }

    /// Whether `close` was called: asked by long work, which is to leave off then.
    public boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
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
        guarded(prepare);
        for (Admitted next = take(); next != null; next = take()) {
            guarded(next.work()::run);
            ended(next);
        }
    }

    private @Nullable Admitted take() {
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
    private void ended(Admitted work) {
        lock.lock();
        try {
            charge(-work.bytes());
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

    private void charge(long delta) {
        if (delta != 0) {
            bytes += delta;
            observer.charged(delta);
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

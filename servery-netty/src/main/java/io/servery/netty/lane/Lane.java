package io.servery.netty.lane;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A bounded executor for one kind of blocking work: exact threads, an exact queue, and admission that never waits.
///
///     offer ──► queued ──► running ──► done
///       │          └──(close)──► discarded
///       └──(no room, closed)──► false, and nothing is called
///
/// *Invariant*: at most `threads` run, at most `queue` wait, and all of it together is charged at most `bytes`. Work holds its place until `run` returns, whether or not
/// anybody still wants the result: a system call that hangs takes capacity, and more of them are refused, not stacked up. What waits has no thread that it may have:
/// the one that came first of what may run is next.
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
    private final Share whole;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    /// Work that a thread is promised to, which comes for it.
    private final ArrayDeque<Admitted> promised;
    /// Work beyond that.
    private final ArrayDeque<Admitted> waiting;
    /// Threads that run work, or are promised to some.
    private int active;
    /// What admitted work retains, by its own word.
    private long bytes;
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

    /// Some of a lane's threads: all that one kind of work may have, however much of it there is. Work of another kind passes by what waits for them.
    ///
    /// *Owner*: its one lane, under its lock.
    public static final class Share {
        private final int threads;
        private int active;

        public Share(int threads) {
            if (threads < 1) {
                throw new IllegalArgumentException("share: found " + threads + " threads; expected at least one");
            }
            this.threads = threads;
        }
    }

    private record Admitted(Work work, long bytes, Share share) {
        boolean mayRun() {
            return share.active < share.threads;
        }
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
        this.whole = new Share(bounds.threads());
        this.promised = new ArrayDeque<>(bounds.threads());
        this.waiting = new ArrayDeque<>(Math.min(bounds.queue(), 1024));
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
        return offer(work, charge, whole);
    }

    /// Admits the work or not, without waiting.
    ///
    /// @param charge how many bytes it retains until it ends, input and output
    /// @param share the threads that may run it
    /// @return false when there is no room or the lane is closed; nothing of the work was or will be called then
    public boolean offer(Work work, long charge, Share share) {
        Admitted offered = new Admitted(work, charge, share);
        lock.lock();
        try {
            boolean free = active < threads.size() && offered.mayRun();
            if (closed || !free && waiting.size() == queueMax || charge > bytesMax - bytes) {
                return false;
            }
            charge(charge);
            if (free) {
                promise(offered);
                notEmpty.signal();
            } else {
                waiting.addLast(offered);
                observer.entered();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// How full it is now.
    public LaneSnapshot snapshot() {
        lock.lock();
        try {
            return new LaneSnapshot(active, waiting.size(), bytes);
        } finally {
            lock.unlock();
        }
    }

    /// How many threads it has.
    public int threads() {
        return threads.size();
    }

    /// What all of its work may retain together.
    public long bytesMax() {
        return bytesMax;
    }

    /// Ends admission and discards what waits; what runs goes on. Idempotent.
    @Override
    public void close() {
        List<Admitted> discarded = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            active -= promised.size();
            waiting.forEach(_ -> observer.left());
            discarded.addAll(promised);
            discarded.addAll(waiting);
            promised.clear();
            waiting.clear();
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
        LaneSnapshot now = snapshot();
        return name + ": " + now.active() + " running, " + now.queued() + " waiting, " + now.bytes() + " bytes";
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
            while (promised.isEmpty() && !closed) {
                notEmpty.awaitUninterruptibly();
            }
            return promised.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    private void promise(Admitted work) {
        active++;
        work.share().active++;
        promised.addLast(work);
    }

    /// Promises this thread to what waits longest of all that may run, or to none.
    private void ended(Admitted work) {
        lock.lock();
        try {
            charge(-work.bytes());
            active--;
            work.share().active--;
            for (Iterator<Admitted> all = waiting.iterator(); all.hasNext();) {
                Admitted next = all.next();
                if (next.mayRun()) {
                    all.remove();
                    observer.left();
                    promise(next);
                    return;
                }
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

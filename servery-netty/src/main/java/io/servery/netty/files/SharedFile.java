package io.servery.netty.files;

import io.servery.http.exchange.AcquiredFile;
import io.servery.netty.lane.Lane;
import io.servery.netty.lane.Work;
import io.servery.netty.files.open.OpenedFile;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An opened file that several hold at once: the cache, and every answer that is being sent from it. The last one closes it.
///
/// *Owner*: any thread. *Invariant*: who made it or whose `acquire` was answered with true closes it once.
final class SharedFile implements AcquiredFile {
    /// One turn of an event loop: the answers for a popular file share one question.
    private static final long FOUND_HOLDS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// What was found in memory is not looked for again so soon: it takes a want of memory to lose it.
    private static final long SEEN_HOLDS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final OpenedFile file;
    private final Lane lane;
    private final Holders holders = new Holders();
    private final Object bringing = new Object();
    /// What was admitted last and is not done; guarded by `bringing`.
    private @Nullable BringingIn newest;
    /// When it was found unchanged last; a race asks once more.
    private volatile long foundNanos;
    /// When all of it was found in memory last.
    private volatile long seenNanos;

    /// Takes the file over; whoever makes this is its first holder.
    ///
    /// @param lane waits for the disk
    SharedFile(OpenedFile file, Lane lane) {
        this.file = file;
        this.lane = lane;
        this.foundNanos = System.nanoTime() - FOUND_HOLDS_NANOS;
        this.seenNanos = System.nanoTime() - SEEN_HOLDS_NANOS;
    }

    /// Becomes one more holder; false when the last one is gone already.
    boolean acquire() {
        return holders.join();
    }

    @Override
    public FileChannel channel() {
        return file.channel();
    }

    @Override
    public boolean unchanged() {
        long now = System.nanoTime();
        if (now - foundNanos < FOUND_HOLDS_NANOS) {
            return true;
        }
        boolean unchanged = file.unchanged();
        if (unchanged) {
            foundNanos = now;
        }
        return unchanged;
    }

    @Override
    public long inMemory(long position, long count) {
        boolean all = position == 0 && count == file.identity().size();
        long now = System.nanoTime();
        if (all && now - seenNanos < SEEN_HOLDS_NANOS) {
            return count;
        }
        long found = file.inMemory(position, count);
        if (all && found == count) {
            seenNanos = now;
        }
        return found;
    }

    /// Who wants what is being brought in already waits for that: a popular file takes one place of the lane, not one for each visitor.
    @Override
    public boolean bringIn(long position, long count, Runnable then) {
        synchronized (bringing) {
            BringingIn under = newest;
            if (under != null && under.covers(position, count)) {
                under.waiting.add(then);
                return true;
            }
            if (!acquire()) {
                throw new IllegalStateException("file: found it closed");
            }
            BringingIn more = new BringingIn(position, count, then);
            if (lane.offer(more)) {
                newest = more;
                return true;
            }
        }
        close();
        return false;
    }

    /// Holds the file until it is done: whoever asked may have left it by then.
    private final class BringingIn implements Work {
        private final long position;
        private final long count;
        /// Who is to be told.
        private final List<Runnable> waiting = new ArrayList<>(1);

        BringingIn(long position, long count, Runnable first) {
            this.position = position;
            this.count = count;
            waiting.add(first);
        }

        boolean covers(long from, long length) {
            return position <= from && from + length <= position + count;
        }

        @Override
        public void run() {
            try {
                file.bringIn(position, count);
            } finally {
                end();
            }
        }

        @Override
        public void discard() {
            end();
        }

        private void end() {
            synchronized (bringing) {
                // Nobody joins any more.
                newest = newest == this ? null : newest;
            }
            try {
                close();
            } finally {
                waiting.forEach(Runnable::run);
            }
        }
    }

    @Override
    public void close() {
        if (holders.leave()) {
            file.close();
        }
    }
}

package io.servery.netty.files;

import io.servery.http.exchange.AcquiredFile;
import io.servery.netty.files.open.OpenedFile;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;

/// An opened file that several hold at once: the cache, and every answer that is being sent from it. The last one closes it.
///
/// *Owner*: any thread. *Invariant*: who made it or whose `acquire` was answered with true closes it once.
final class SharedFile implements AcquiredFile {
    /// One turn of an event loop: the answers for a popular file share one question.
    private static final long FOUND_HOLDS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final OpenedFile file;
    private final Holders holders = new Holders();
    /// When it was found unchanged last; a race asks once more.
    private volatile long foundNanos;

    /// Takes the file over; whoever makes this is its first holder.
    SharedFile(OpenedFile file) {
        this.file = file;
        this.foundNanos = System.nanoTime() - FOUND_HOLDS_NANOS;
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
    public void close() {
        if (holders.leave()) {
            file.close();
        }
    }
}

package io.servery.http.http1;

import io.netty.util.concurrent.EventExecutor;
import io.servery.http.exchange.AcquiredFile;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// Has a file's bytes in memory before they are sent, so that no event loop waits for a disk: neither sendfile(2) nor read(2)
/// can be asked not to.
///
/// What is in memory already, as nearly always, costs some looks; what is not is brought there by a thread that may wait, a
/// part at a time, while the peer takes what it has. Memory that is lost between the look and the sending makes the loop wait
/// after all: a matter of a host that is short of it, and of what one socket takes at once.
///
/// *Owner:* the event loop of the connection. *Invariant:* after `begin` and `end` nobody is told of what was awaited before.
final class ReadAhead {
    /// How much is looked at, and handed to the transport, at a time.
    static final int SEGMENT_BYTES = 16 * 1024 * 1024;
    /// How much is brought in at a time, while the peer waits.
    static final int BROUGHT_BYTES = 2 * 1024 * 1024;
    /// After which time there is another look for room where it is brought in.
    private static final int ROOM_MILLIS = 10;

    private final EventExecutor executor;
    private final Runnable next;
    /// Up to this position the file was found in memory, or brought there.
    private long ready;
    /// Of which `begin` something is awaited.
    private int generation;

    /// @param next called on the event loop when there is more to send after there was none
    ReadAhead(EventExecutor executor, Runnable next) {
        this.executor = executor;
        this.next = next;
    }

    /// What is asked for from here on is another file, or another part of it.
    void begin(long position) {
        ready = position;
        generation++;
    }

    /// Nothing is awaited any more.
    void end() {
        generation++;
    }

    /// How many bytes from this position on are to be sent now; 0 when `next` will be called.
    ///
    /// @param end where what is wanted ends, beyond the position
    long available(AcquiredFile file, long position, long end) {
        if (position == ready) {
            long count = Math.min(SEGMENT_BYTES, end - position);
            ready += file.inMemory(position, count);
            if (position == ready) {
                await(file, Math.min(BROUGHT_BYTES, count));
            }
        }
        return ready - position;
    }

    private void await(AcquiredFile file, long count) {
        int awaited = generation;
        boolean admitted = file.bringIn(ready, count, () -> {
            try {
                executor.execute(() -> arrived(awaited, count));
            } catch (RejectedExecutionException e) {
                // The event loop is gone, and with it the connection.
            }
        });
        if (!admitted) {
            var _ = executor.schedule(() -> arrived(awaited, 0), ROOM_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void arrived(int awaited, long count) {
        if (awaited == generation) {
            ready += count;
            next.run();
        }
    }
}

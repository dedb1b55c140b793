package io.servery.supervisor.channel;

import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;

/// The one wait of a loop: until a descriptor is ready, another thread wakes it, or time is up. poll(2), since what is waited
/// for is a handful.
///
/// *Owner*: the thread of the loop; [#wake] may be called by any, until it is closed.
public final class Poller implements AutoCloseable {
    private static final Posix POLL = Posix.function("poll");
    private static final Posix EVENTFD = Posix.function("eventfd");
    private static final Posix READ = Posix.function("read");
    private static final Posix WRITE = Posix.function("write");
    private static final long EFD_CLOEXEC_NONBLOCK = 0x80800;
    private static final short POLLIN = 1;
    private static final short POLLOUT = 4;
    private static final int POLLED_FIRST = 16;
    private static final long NANOS_IN_MILLI = 1_000_000;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
    private final MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
    private final int waker;
    private PollSet polled = new PollSet(arena, POLLED_FIRST);

    /// Something that has a descriptor and waits for it.
    public interface Watched {
        int descriptor();

        /// Whether there is something to write that did not go out.
        default boolean wantsToWrite() {
            return false;
        }

        /// There is something to read, an end or an error included, or room to write.
        void ready(boolean readable, boolean writable);
    }

    public Poller() throws PosixException {
        waker = EVENTFD.call(0, EFD_CLOEXEC_NONBLOCK);
    }

    /// Ends the wait that is under way, or the next one: eventfd(2).
    public void wake() {
        WRITE.tryCall(waker, one.address(), Long.BYTES);
    }

    /// Waits once, and tells everyone whose descriptor is ready, in the order of the list.
    ///
    /// @param watched one that is told may be closed by an earlier one: it has to bear being told then
    /// @param timeout rounded up to milliseconds
    public void await(List<? extends Watched> watched, Duration timeout) throws PosixException {
        int size = watched.size();
        if (polled.room() <= size) {
            polled = new PollSet(arena, 2 * (size + 1));
        }
        polled.set(0, waker, POLLIN);
        for (int i = 0; i < size; i++) {
            Watched each = watched.get(i);
            polled.set(i + 1, each.descriptor(), each.wantsToWrite() ? (short) (POLLIN | POLLOUT) : POLLIN);
        }
        int ready = POLL.tryCall(polled.address(), size + 1L, millis(timeout));
        if (ready < 0 && ready != -Errno.EINTR) {
            throw POLL.failure(ready);
        }
        if (ready <= 0) {
            return;
        }
        if (polled.found(0) != 0) {
            READ.tryCall(waker, count.address(), Long.BYTES);
        }
        for (int i = 0; i < size; i++) {
            short found = polled.found(i + 1);
            if (found != 0) {
                // An error and a hang-up are found out by reading.
                watched.get(i).ready((found & ~POLLOUT) != 0, (found & POLLOUT) != 0);
            }
        }
    }

    private static long millis(Duration timeout) {
        long nanos = Math.max(0, timeout.toNanos());
        return Math.min(Math.ceilDiv(nanos, NANOS_IN_MILLI), Integer.MAX_VALUE);
    }

    @Override
    public void close() {
        Descriptors.close(waker);
        arena.close();
    }
}

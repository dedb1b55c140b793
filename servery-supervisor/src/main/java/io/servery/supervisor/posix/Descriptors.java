package io.servery.supervisor.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// File descriptors as numbers: whoever holds one closes it once.
public final class Descriptors {
    private static final Posix CLOSE = Posix.function("close");
    private static final Posix PIPE2 = Posix.function("pipe2");
    private static final Posix FCNTL = Posix.function("fcntl");
    private static final long O_CLOEXEC = 0x80000;
    private static final long F_DUPFD_CLOEXEC = 1030;
    private static final long F_GETFL = 3;
    private static final long F_SETFL = 4;
    private static final long O_NONBLOCK = 0x800;

    private Descriptors() {
    }

    /// Closes it. Linux has closed it whatever close(2) says then, so there is nothing to do about an error.
    public static void close(int descriptor) {
        CLOSE.tryCall(descriptor);
    }

    /// Both ends of a pipe, which no program that is executed inherits.
    ///
    /// @return the end to read, the end to write
    public static int[] pipe() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
            PIPE2.call(ends.address(), O_CLOEXEC);
            return ends.toArray(ValueLayout.JAVA_INT);
        }
    }

    /// Reading and writing never wait from now on: for everyone who has this open file, in other processes too.
    public static void makeNonBlocking(int descriptor) throws PosixException {
        FCNTL.call(descriptor, F_SETFL, FCNTL.call(descriptor, F_GETFL, 0) | O_NONBLOCK);
    }

    /// Another number for the same open file, which no program that is executed inherits: fcntl(2), F_DUPFD_CLOEXEC.
    public static int duplicate(int descriptor) throws PosixException {
        return FCNTL.call(descriptor, F_DUPFD_CLOEXEC, 0);
    }
}

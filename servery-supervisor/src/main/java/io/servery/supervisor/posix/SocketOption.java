package io.servery.supervisor.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What the kernel says of a socket, whoever made it: socket(7).
public enum SocketOption {
    /// Which kind it is; [#STREAM] of a stream socket.
    TYPE(3),
    /// Whether it listens: 0 when it does not.
    ACCEPT_CONNECTIONS(30);

    /// SOCK_STREAM.
    public static final int STREAM = 1;

    private static final Posix GETSOCKOPT = Posix.function("getsockopt");
    private static final long SOL_SOCKET = 1;

    private final int number;

    SocketOption(int number) {
        this.number = number;
    }

    /// The value of a socket.
    ///
    /// @throws PosixException where the descriptor is no socket
    public int of(int descriptor) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, Integer.BYTES);
            GETSOCKOPT.call(descriptor, SOL_SOCKET, number, value.address(), length.address());
            return value.get(ValueLayout.JAVA_INT, 0);
        }
    }
}

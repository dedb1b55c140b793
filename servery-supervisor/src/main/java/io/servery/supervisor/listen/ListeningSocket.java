package io.servery.supervisor.listen;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/// One socket, from socket(2) to listen(2): close-on-exec, non-blocking.
final class ListeningSocket {
    private static final Posix SOCKET = Posix.function("socket");
    private static final Posix BIND = Posix.function("bind");
    private static final Posix LISTEN = Posix.function("listen");
    private static final Posix SETSOCKOPT = Posix.function("setsockopt");

    private static final long SOCK_STREAM = 1;
    private static final long CLOEXEC_NONBLOCK = 0x80800;
    private static final long SOL_SOCKET = 1;
    private static final long SO_REUSEADDR = 2;
    private static final long SO_REUSEPORT = 15;
    private static final long IPPROTO_IPV6 = 41;
    private static final long IPV6_V6ONLY = 26;

    private ListeningSocket() {
    }

    /// The first socket of a group. It is bound without SO_REUSEPORT, so that an address which anyone else has, under the
    /// same user too, is found out; then it joins those that are to come.
    static int first(InetSocketAddress address, int backlog) throws PosixException {
        int descriptor = open(SocketAddresses.family(address.getAddress()));
        try {
            bind(descriptor, address);
            set(descriptor, SOL_SOCKET, SO_REUSEPORT);
            listen(descriptor, backlog);
            return descriptor;
        } catch (PosixException failed) {
            Descriptors.close(descriptor);
            throw failed;
        }
    }

    /// One more socket at the address of a group. It does not listen yet, so the kernel gives it no connection.
    static int next(InetSocketAddress address) throws PosixException {
        int descriptor = open(SocketAddresses.family(address.getAddress()));
        try {
            set(descriptor, SOL_SOCKET, SO_REUSEPORT);
            bind(descriptor, address);
            return descriptor;
        } catch (PosixException failed) {
            Descriptors.close(descriptor);
            throw failed;
        }
    }

    /// The socket at a path that nothing is at.
    static int unix(Path path, int backlog) throws PosixException {
        int descriptor = open(SocketAddresses.AF_UNIX);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = SocketAddresses.of(arena, path);
            BIND.call(descriptor, address.address(), address.byteSize());
            listen(descriptor, backlog);
            return descriptor;
        } catch (PosixException failed) {
            Descriptors.close(descriptor);
            throw failed;
        }
    }

    /// Begins to listen, or changes the length of the queue.
    static void listen(int descriptor, int backlog) throws PosixException {
        LISTEN.call(descriptor, backlog);
    }

    private static int open(short family) throws PosixException {
        return SOCKET.call(family, SOCK_STREAM | CLOEXEC_NONBLOCK, 0);
    }

    private static void bind(int descriptor, InetSocketAddress tcp) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = SocketAddresses.of(arena, tcp);
            if (SocketAddresses.family(tcp.getAddress()) == SocketAddresses.AF_INET6) {
                set(descriptor, IPPROTO_IPV6, IPV6_V6ONLY);
            }
            set(descriptor, SOL_SOCKET, SO_REUSEADDR);
            BIND.call(descriptor, address.address(), address.byteSize());
        }
    }

    private static void set(int descriptor, long level, long option) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment on = arena.allocateFrom(JAVA_INT, 1);
            SETSOCKOPT.call(descriptor, level, option, on.address(), on.byteSize());
        }
    }
}

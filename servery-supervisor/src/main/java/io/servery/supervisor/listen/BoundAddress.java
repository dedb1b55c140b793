package io.servery.supervisor.listen;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.servery.core.tls.AddressText;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/// Where a socket listens, as getsockname(2) says it: the same words in the parent and in a worker that got a duplicate.
public sealed interface BoundAddress {

    /// As an order and `status` print it: `127.0.0.1:8000`, `[::]:443`, `unix:/run/servery/http.sock`.
    String text();

    /// As people open it: a URL for TCP, `unix:` and the path otherwise.
    ///
    /// @param scheme `http` or `https`
    String url(String scheme);

    /// A TCP socket.
    record Tcp(InetSocketAddress address) implements BoundAddress {
        @Override
        public String text() {
            String host = AddressText.of(address.getAddress());
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
        }

        @Override
        public String url(String scheme) {
            String host = address.getAddress().getHostAddress();
            return scheme + "://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort() + "/";
        }
    }

    /// A Unix socket.
    record Unix(String path) implements BoundAddress {
        @Override
        public String text() {
            return "unix:" + path;
        }

        @Override
        public String url(String scheme) {
            return text();
        }
    }

    /// Asks the kernel.
    ///
    /// @throws PosixException where the descriptor is no socket
    static BoundAddress of(int descriptor) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SocketAddresses.BYTES_MAX, Long.BYTES);
            MemorySegment length = arena.allocateFrom(JAVA_INT, (int) address.byteSize());
            SocketAddresses.GETSOCKNAME.call(descriptor, address.address(), length.address());
            return SocketAddresses.read(address.asSlice(0, length.get(JAVA_INT, 0)));
        }
    }
}

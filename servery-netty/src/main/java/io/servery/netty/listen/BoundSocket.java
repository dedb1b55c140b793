package io.servery.netty.listen;

import io.servery.supervisor.posix.Descriptors;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;

/// One socket that is bound and listens, and that nobody accepts from yet.
///
/// *Invariant:* whoever holds it gives it to one worker or closes it.
public sealed interface BoundSocket {
    /// Closes the socket of a listener that no worker took.
    void close() throws IOException;

    /// A TCP socket as a descriptor, for the epoll transport.
    record Tcp(int descriptor) implements BoundSocket {
        @Override
        public void close() {
            Descriptors.close(descriptor);
        }
    }

    /// A Unix socket as a descriptor, for the epoll transport.
    record Unix(int descriptor) implements BoundSocket {
        @Override
        public void close() {
            Descriptors.close(descriptor);
        }
    }

    /// A TCP socket as a channel, for the NIO transport.
    record Nio(ServerSocketChannel channel) implements BoundSocket {
        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}

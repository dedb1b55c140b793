package io.servery.supervisor.listen;

import io.servery.supervisor.channel.Poller;
import io.servery.supervisor.channel.UnixSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A program that receives descriptors from a Unix socket, says where each listens, and keeps them until it is killed.
final class Holder {
    private Holder() {
    }

    public static void main(String[] arguments) throws IOException {
        try (UnixSocket socket = UnixSocket.connect(Path.of(arguments[0])); Poller poller = new Poller()) {
            ByteBuffer into = ByteBuffer.allocate(1);
            UnixSocket.Received received = socket.receive(into);
            while (received.bytes() == 0) {
                poller.await(List.of(new Waiting(socket.descriptor())), Duration.ofSeconds(60));
                received = socket.receive(into);
            }
            for (int descriptor : received.descriptors()) {
                System.out.println(BoundAddress.of(descriptor).text());
            }
            System.in.read();
        }
    }

    private record Waiting(int descriptor) implements Poller.Watched {
        @Override
        public void ready(boolean readable, boolean writable) {
            // The caller reads.
        }
    }
}

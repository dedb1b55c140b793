package io.servery.supervisor.channel;

import io.servery.core.control.Decoded;
import io.servery.core.control.Order;
import io.servery.core.control.OrderCodec;
import io.servery.core.control.Report;
import io.servery.core.control.ReportCodec;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One end of a control channel: frames out, frames in, descriptors beside them.
///
/// *Owner*: one thread. *Invariant*: what waits to be sent is bounded; a peer that does not read for so long is lost.
///
/// @param <I> what comes in
/// @param <O> what goes out
public final class ControlChannel<I, O> implements AutoCloseable {
    private static final int ROOM_BYTES = 4096;
    /// Of frames that the socket did not take yet: many times what a start needs.
    private static final int QUEUE_BYTES_MAX = 8 << 20;
    private static final int DESCRIPTORS_MAX = 8192;

    private record Outgoing(ByteBuffer frame, List<Integer> descriptors) {
    }

    private final UnixSocket socket;
    private final Function<ByteBuffer, Decoded<I>> decoder;
    private final Function<O, byte[]> encoder;
    private final ArrayDeque<Outgoing> queue = new ArrayDeque<>();
    private final ArrayDeque<Integer> received = new ArrayDeque<>();
    private ByteBuffer incoming = ByteBuffer.allocate(ROOM_BYTES);
    private int queuedBytes;
    private @Nullable String end;

    private ControlChannel(UnixSocket socket, Function<ByteBuffer, Decoded<I>> decoder, Function<O, byte[]> encoder) {
        this.socket = socket;
        this.decoder = decoder;
        this.encoder = encoder;
    }

    /// The end of the parent.
    public static ControlChannel<Report, Order> ofParent(UnixSocket socket) {
        return new ControlChannel<>(socket, ReportCodec::decode, OrderCodec::encode);
    }

    /// The end of a worker.
    public static ControlChannel<Order, Report> ofWorker(UnixSocket socket) {
        return new ControlChannel<>(socket, OrderCodec::decode, ReportCodec::encode);
    }

    public UnixSocket socket() {
        return socket;
    }

    /// How the channel ended, in words that follow the name of its other end; null while it goes on.
    public @Nullable String end() {
        return end;
    }

    /// Sends a frame, as far as the socket takes it; the rest goes out by [#flush].
    ///
    /// @param descriptors beside it; they stay the sender's own, and open until they went out
    public void send(O message, List<Integer> descriptors) {
        if (end != null) {
            return;
        }
        byte[] frame = encoder.apply(message);
        queuedBytes += frame.length;
        if (queuedBytes > QUEUE_BYTES_MAX) {
            end = "has not read its control channel for " + QUEUE_BYTES_MAX + " bytes";
            return;
        }
        queue.add(new Outgoing(ByteBuffer.wrap(frame), descriptors));
        flush();
    }

    /// Whether something waits for room in the socket.
    public boolean wantsToWrite() {
        return end == null && !queue.isEmpty();
    }

    /// Sends what waits, as far as the socket takes it.
    public void flush() {
        try {
            while (end == null && !queue.isEmpty()) {
                Outgoing first = queue.getFirst();
                boolean begun = first.frame().position() > 0;
                var taken = socket.send(first.frame(), begun ? List.of() : first.descriptors());
                if (taken.isEmpty()) {
                    return;
                }
                queuedBytes -= taken.getAsInt();
                if (!first.frame().hasRemaining()) {
                    queue.removeFirst();
                }
            }
        } catch (PosixException failed) {
            queue.clear();
            queuedBytes = 0;
            if (!failed.is(Errno.EPIPE) && !failed.is(Errno.ECONNRESET)) {
                end = "could not be sent to: " + failed.getMessage();
            }
            // Else it is gone, and what it sent before that is still to be read: reading finds the end.
        }
    }

    /// Reads what is there, and gives each whole frame to the sink, which may close this channel.
    public void receive(Consumer<I> sink) {
        while (end == null) {
            try {
                UnixSocket.Received read = socket.receive(incoming);
                received.addAll(read.descriptors());
                if (received.size() > DESCRIPTORS_MAX) {
                    end = "sent " + received.size() + " descriptors that nobody asked for";
                } else if (read.bytes() < 0) {
                    end = "closed its control channel";
                } else if (read.bytes() == 0) {
                    return;
                } else {
                    decode(sink);
                }
            } catch (IOException lost) {
                end = "lost its control channel: " + lost.getMessage();
            }
        }
    }

    private void decode(Consumer<I> sink) {
        incoming.flip();
        int needed = 0;
        while (end == null && needed == 0) {
            switch (decoder.apply(incoming)) {
                case Decoded.Complete<I>(I message) -> sink.accept(message);
                case Decoded.Incomplete<I>(int bytes) -> needed = bytes;
                case Decoded.Malformed<I>(String what) -> end = "sent what is no frame of its control channel: " + what;
            }
        }
        if (needed > incoming.capacity()) {
            incoming = ByteBuffer.allocate(needed).put(incoming);
        } else if (incoming.capacity() > ROOM_BYTES && incoming.remaining() <= ROOM_BYTES && needed <= ROOM_BYTES) {
            incoming = ByteBuffer.allocate(ROOM_BYTES).put(incoming);
        } else {
            incoming.compact();
        }
    }

    /// The first descriptors of those that came, now the caller's to close; fewer when fewer came.
    public List<Integer> takeDescriptors(int count) {
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < count && !received.isEmpty(); i++) {
            taken.add(received.removeFirst());
        }
        return taken;
    }

    /// How many descriptors came that nobody took.
    public int surplus() {
        return received.size();
    }

    @Override
    public void close() {
        if (end == null) {
            end = "was let go";
        }
        received.forEach(Descriptors::close);
        received.clear();
        socket.close();
    }
}

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
    /// What a worker is handed over may wait for its order; a parent asked for none.
    private static final int WORKER_DESCRIPTORS_MAX = 8192;
    /// So much of a peer that never stops is read in one turn: others have their turn too.
    private static final int TURN_BYTES_MAX = 64 << 10;

    /// @param descriptors beside its first byte; duplicates of this channel's own, once it has to wait
    private record Outgoing(ByteBuffer frame, List<Integer> descriptors) {
        boolean isBegun() {
            return frame.position() > 0;
        }
    }

    private final UnixSocket socket;
    private final Function<ByteBuffer, Decoded<I>> decoder;
    private final Function<O, byte[]> encoder;
    private final int descriptorsMax;
    private final ArrayDeque<Outgoing> queue = new ArrayDeque<>();
    private final ArrayDeque<Integer> received = new ArrayDeque<>();
    private ByteBuffer incoming = ByteBuffer.allocate(ROOM_BYTES);
    private int queuedBytes;
    private @Nullable String end;
    private boolean peerGone;

    private ControlChannel(UnixSocket socket, Function<ByteBuffer, Decoded<I>> decoder, Function<O, byte[]> encoder,
            int descriptorsMax) {
        this.socket = socket;
        this.decoder = decoder;
        this.encoder = encoder;
        this.descriptorsMax = descriptorsMax;
    }

    /// The end of the parent.
    public static ControlChannel<Report, Order> ofParent(UnixSocket socket) {
        return new ControlChannel<>(socket, ReportCodec::decode, OrderCodec::encode, 0);
    }

    /// The end of a worker.
    public static ControlChannel<Order, Report> ofWorker(UnixSocket socket) {
        return new ControlChannel<>(socket, OrderCodec::decode, ReportCodec::encode, WORKER_DESCRIPTORS_MAX);
    }

    public UnixSocket socket() {
        return socket;
    }

    /// How the channel ended, in words that follow the name of its other end; null while it goes on.
    public @Nullable String end() {
        return end;
    }

    /// Whether it ended because its other end is gone, not for what that did.
    public boolean isPeerGone() {
        return peerGone;
    }

    /// Sends a frame, as far as the socket takes it; the rest goes out by [#flush].
    ///
    /// @param descriptors beside it; they stay the sender's own, who may close them at once
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
        Outgoing outgoing = new Outgoing(ByteBuffer.wrap(frame), descriptors);
        if (queue.isEmpty() && sent(outgoing)) {
            return;
        }
        enqueue(outgoing);
    }

    /// A number that waits could be closed meanwhile, and be another file's when it goes.
    private void enqueue(Outgoing outgoing) {
        List<Integer> own = new ArrayList<>();
        try {
            if (!outgoing.isBegun()) {
                for (int descriptor : outgoing.descriptors()) {
                    own.add(Descriptors.duplicate(descriptor));
                }
            }
            queue.add(new Outgoing(outgoing.frame(), own));
        } catch (PosixException none) {
            own.forEach(Descriptors::close);
            end = "could not be sent to: " + none.getMessage();
        }
    }

    /// Whether something waits for room in the socket.
    public boolean wantsToWrite() {
        return end == null && !queue.isEmpty();
    }

    /// Sends what waits, as far as the socket takes it.
    public void flush() {
        while (end == null && !queue.isEmpty()) {
            Outgoing first = queue.getFirst();
            boolean waited = !first.isBegun();
            boolean sent = sent(first);
            if (waited && first.isBegun()) {
                first.descriptors().forEach(Descriptors::close);
            }
            if (!sent) {
                return;
            }
            queue.pollFirst();
        }
    }

    /// Whether all of it went out, or nothing ever will.
    private boolean sent(Outgoing outgoing) {
        try {
            while (outgoing.frame().hasRemaining()) {
                var taken = socket.send(outgoing.frame(), outgoing.isBegun() ? List.of() : outgoing.descriptors());
                if (taken.isEmpty()) {
                    return false;
                }
                queuedBytes -= taken.getAsInt();
            }
        } catch (PosixException failed) {
            forgetQueue();
            if (!failed.is(Errno.EPIPE) && !failed.is(Errno.ECONNRESET)) {
                end = "could not be sent to: " + failed.getMessage();
            }
            // Else it is gone, and what it sent before that is still to be read: reading finds the end.
        }
        return true;
    }

    private void forgetQueue() {
        queue.stream().filter(outgoing -> !outgoing.isBegun())
                .forEach(outgoing -> outgoing.descriptors().forEach(Descriptors::close));
        queue.clear();
        queuedBytes = 0;
    }

    /// Reads what is there, [#TURN_BYTES_MAX] of it and a buffer's room more at most, and gives each whole frame to the sink,
    /// which may close this channel.
    ///
    /// @return whether nothing is left to be read now
    public boolean receive(Consumer<I> sink) {
        int left = TURN_BYTES_MAX;
        while (end == null && left > 0) {
            try {
                UnixSocket.Received read = socket.receive(incoming);
                received.addAll(read.descriptors());
                if (received.size() > descriptorsMax) {
                    end = "sent " + received.size() + " descriptors that nobody asked for";
                } else if (read.bytes() < 0) {
                    peerGone = true;
                    end = "closed its control channel";
                } else if (read.bytes() == 0) {
                    return true;
                } else {
                    left -= read.bytes();
                    decode(sink);
                }
            } catch (IOException lost) {
                peerGone = true;
                end = "lost its control channel: " + lost.getMessage();
            }
        }
        return end != null;
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
        forgetQueue();
        socket.close();
    }
}

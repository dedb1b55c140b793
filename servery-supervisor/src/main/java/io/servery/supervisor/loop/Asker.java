package io.servery.supervisor.loop;

import io.servery.core.control.Decoded;
import io.servery.core.lifecycle.Moment;
import io.servery.core.operator.OperatorCommand;
import io.servery.core.operator.OperatorReplies;
import io.servery.core.operator.OperatorReply;
import io.servery.core.operator.OperatorRequest;
import io.servery.supervisor.channel.Poller;
import io.servery.supervisor.channel.UnixSocket;
import io.servery.supervisor.posix.Descriptors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// One operator who asks: a connection that carries one request and one reply.
///
///     Asking ──request──► Waiting ──reply──► Answering ──all of it is sent──► closed
///       └── late, malformed, gone ──────────────────────────────────────────►
///
/// *Owner*: the loop. *Invariant*: a peer that does not ask, or does not read, has five seconds for it, and less where
/// others ask for its place.
final class Asker implements Poller.Watched {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final UnixSocket socket;
    private final BiConsumer<Asker, OperatorRequest> requests;
    private final ByteBuffer incoming = ByteBuffer.allocate(OperatorRequest.BYTES_MAX + 1);
    private @Nullable ByteBuffer reply;
    private Optional<Moment> until;
    private OperatorCommand command = OperatorCommand.STATUS;
    private boolean asked;
    private boolean closed;

    Asker(UnixSocket socket, Moment now, BiConsumer<Asker, OperatorRequest> requests) {
        this.socket = socket;
        this.requests = requests;
        this.until = Optional.of(now.plus(PATIENCE));
    }

    /// What was asked for.
    OperatorCommand command() {
        return command;
    }

    boolean isClosed() {
        return closed;
    }

    /// Whether there is no whole request of it yet.
    boolean isSilent() {
        return !closed && !asked;
    }

    /// When it is closed at the latest, unless it waits for an answer.
    Optional<Moment> deadline() {
        return closed ? Optional.empty() : until;
    }

    void passed(Moment now) {
        if (deadline().filter(moment -> moment.isReached(now)).isPresent()) {
            close();
        }
    }

    @Override
    public int descriptor() {
        return closed ? -1 : socket.descriptor();
    }

    @Override
    public boolean wantsToWrite() {
        return reply != null;
    }

    @Override
    public void ready(boolean readable, boolean writable) {
        if (!closed && readable) {
            read();
        }
        if (!closed && writable) {
            write();
        }
    }

    private void read() {
        try {
            if (asked) {
                incoming.clear();
            }
            UnixSocket.Received received = socket.receive(incoming);
            received.descriptors().forEach(Descriptors::close); // nobody asked for any
            if (received.bytes() < 0) {
                close(); // whoever asked is gone; what was asked for goes on
            } else if (received.bytes() > 0 && !asked) {
                decode();
            }
        } catch (IOException gone) {
            close();
        }
    }

    private void decode() {
        switch (OperatorRequest.decode(incoming.duplicate().flip())) {
            case Decoded.Incomplete<OperatorRequest> _ -> {
            }
            case Decoded.Malformed<OperatorRequest>(String what) -> {
                asked = true;
                answer(OperatorReplies.malformed(what), new Moment(System.nanoTime()));
            }
            case Decoded.Complete<OperatorRequest>(OperatorRequest request) -> {
                asked = true;
                command = request.command();
                until = Optional.empty();
                requests.accept(this, request);
            }
        }
    }

    /// The answer, and the end.
    void answer(OperatorReply answer, Moment now) {
        if (!closed) {
            until = Optional.of(now.plus(PATIENCE));
            reply = ByteBuffer.wrap(answer.encode());
            write();
        }
    }

    private void write() {
        ByteBuffer left = reply;
        try {
            while (left != null && left.hasRemaining()) {
                if (socket.send(left, List.of()).isEmpty()) {
                    return;
                }
            }
        } catch (IOException gone) {
            // Nobody reads it any more.
        }
        close();
    }

    void close() {
        closed = true;
        socket.close();
    }
}

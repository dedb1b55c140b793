package io.servery.interop.load;

import io.servery.interop.Answer;
import io.servery.interop.AnswerReader;
import io.servery.interop.Heard;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/// One connection of one client, which knows what its server owes it.
///
/// *Owner*: the thread of its client.
final class Visit implements AutoCloseable {
    /// For whatever must come, however busy the machine.
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /// An idle connection gets at least this in a drain, for a request that may be on its way.
    private static final Duration GRACE = Duration.ofMillis(100);

    private final Socket connection;
    /// The connection, or TLS over it.
    private final Socket socket;
    private final AnswerReader reader;
    private final long openedNanos;
    /// When the request before was begun, or the connection: no later than the server last heard of it.
    private long heardNanos;
    private long begunNanos;
    /// When the first bytes of the request were with the server's system.
    private long arrivedNanos;

    private Visit(Socket connection, Socket socket, AnswerReader reader, long openedNanos) {
        this.connection = connection;
        this.socket = socket;
        this.reader = reader;
        this.openedNanos = openedNanos;
        this.heardNanos = openedNanos;
        this.begunNanos = openedNanos;
        this.arrivedNanos = openedNanos;
    }

    static Visit open(Target target) throws Broken {
        return open(target, 0, bytes -> bytes);
    }

    /// @param receiveBufferBytes 0 leaves it to the system
    /// @param pace what stands between the connection and its reader
    static Visit open(Target target, int receiveBufferBytes, UnaryOperator<InputStream> pace) throws Broken {
        long from = System.nanoTime();
        Socket connection = new Socket();
        try {
            if (receiveBufferBytes > 0) {
                connection.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
            }
            connection.setTcpNoDelay(true);
            connection.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port()),
                    (int) PATIENCE.toMillis());
            connection.setSoTimeout((int) PATIENCE.toMillis());
            Socket socket = target.through(connection);
            return new Visit(connection, socket, new AnswerReader(pace.apply(socket.getInputStream())), from);
        } catch (IOException e) {
            throw new Broken(whatOf(e), "connecting: " + e);
        }
    }

    private static Lost.What whatOf(IOException e) {
        return switch (e) {
            case SocketTimeoutException _ -> Lost.What.SILENCE;
            case ConnectException _ -> Lost.What.REFUSED;
            // An alert, or a certificate that is none: no end of a connection.
            case SSLException alert when !(alert.getCause() instanceof EOFException) -> Lost.What.WRONG;
            default -> Lost.What.RESET;
        };
    }

    /// Makes the connection fit for requests.
    void shakeHands() throws Broken {
        if (socket instanceof SSLSocket tls) {
            try {
                tls.startHandshake();
            } catch (IOException e) {
                throw new Broken(whatOf(e), "handshake: " + e);
            }
        }
    }

    int clientPort() {
        return connection.getLocalPort();
    }

    long openedNanos() {
        return openedNanos;
    }

    /// Begins a request.
    void request(String bytes) throws Broken {
        heardNanos = begunNanos;
        begunNanos = System.nanoTime();
        send(bytes);
        arrivedNanos = System.nanoTime();
    }

    /// More of the same request.
    void send(String bytes) throws Broken {
        try {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new Broken(Lost.What.RESET, "sending: " + e);
        }
    }

    /// The answer to the request before, which must be whole.
    Answer answer() throws Broken, Crossed {
        Heard heard = hear();
        if (heard == Heard.Ending.FIN) {
            Duration silent = Duration.ofNanos(arrivedNanos - heardNanos);
            if (silent.compareTo(GRACE) >= 0) {
                throw new Crossed();
            }
            throw new Broken(Lost.What.UNANSWERED,
                    "an end instead of an answer; the client had been silent for " + silent.toMillis() + " ms at most");
        }
        return whole(heard);
    }

    /// The answer to a further request of the same write.
    Answer furtherAnswer() throws Broken {
        Heard heard = hear();
        if (heard == Heard.Ending.FIN) {
            throw new Broken(Lost.What.UNANNOUNCED, "an end that no answer announced");
        }
        return whole(heard);
    }

    private static Answer whole(Heard heard) throws Broken {
        return switch (heard) {
            case Answer answer -> answer;
            case Heard.Cut cut -> throw new Broken(cut.ending() == Heard.Ending.RESET ? Lost.What.RESET : Lost.What.CUT,
                    cut.ending() + " within an answer, after " + cut.head().length + " bytes of its head and "
                            + cut.body().length + " of its content");
            case Heard.Ending ending when ending == Heard.Ending.SILENCE ->
                throw new Broken(Lost.What.SILENCE, "no answer within " + PATIENCE);
            case Heard.Ending ending -> throw new Broken(Lost.What.RESET, ending + " instead of an answer");
        };
    }

    /// Waits without sending anything.
    ///
    /// @return whether the server ended the connection meanwhile, in order
    boolean ends(Duration within) throws Broken {
        try {
            socket.setSoTimeout(Math.max(1, (int) within.toMillis()));
            Heard heard = hear();
            socket.setSoTimeout((int) PATIENCE.toMillis());
            return switch (heard) {
                case Heard.Ending ending when ending == Heard.Ending.RESET ->
                    throw new Broken(Lost.What.RESET, "RST on an idle connection");
                case Heard.Ending ending -> ending == Heard.Ending.FIN;
                default -> throw new Broken(Lost.What.WRONG, "an answer to nothing: " + heard);
            };
        } catch (IOException e) {
            throw new Broken(Lost.What.RESET, "waiting: " + e);
        }
    }

    /// The end that was announced, which must be orderly.
    void end() throws Broken {
        if (!ends(PATIENCE)) {
            throw new Broken(Lost.What.SILENCE, "no end within " + PATIENCE + " after it was announced");
        }
    }

    private Heard hear() throws Broken {
        try {
            return reader.next(false);
        } catch (AnswerReader.MalformedAnswer e) {
            throw new Broken(Lost.What.WRONG, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException nothingToSend) {
            // The verdict is made already.
        }
    }
}

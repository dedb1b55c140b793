package io.servery.interop;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// A TCP connection to the server, raw or one that was secured before: exact bytes out, strictly read messages in.
public final class WireConnection implements AutoCloseable {
    /// How long a client waits for anything that must come at once.
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Socket socket;
    private final AnswerReader reader;

    private WireConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.reader = new AnswerReader(socket.getInputStream());
    }

    public static WireConnection open(int port) {
        return open(port, 0);
    }

    /// A connection to another address of this host.
    public static WireConnection open(String host, int port) {
        return open(new InetSocketAddress(host, port), 0);
    }

    /// A connection whose receive buffer is kept small, so that a reader that stops reading is felt by the server.
    public static WireConnection open(int port, int receiveBufferBytes) {
        return open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), receiveBufferBytes);
    }

    private static WireConnection open(InetSocketAddress address, int receiveBufferBytes) {
        try {
            var socket = new Socket();
            if (receiveBufferBytes > 0) {
                socket.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
            }
            socket.setTcpNoDelay(true);
            socket.connect(address, (int) PATIENCE.toMillis());
            socket.setSoTimeout((int) PATIENCE.toMillis());
            return new WireConnection(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What was connected by somebody else, such as TLS.
    public static WireConnection over(Socket connected) {
        try {
            connected.setSoTimeout((int) PATIENCE.toMillis());
            return new WireConnection(connected);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends text, a char a byte, as one write.
    public WireConnection send(String text) {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public WireConnection send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends what the peer may refuse to take: false when the connection is gone.
    public boolean trySend(byte[] bytes) {
        try {
            send(bytes);
            return true;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    public boolean trySend(String text) {
        return trySend(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// A request for this host.
    public WireConnection get(String host, String target) {
        return send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }

    public WireConnection get(String target) {
        return get("localhost", target);
    }

    public void halfClose() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Heard hear() {
        return reader.next(false);
    }

    public Heard hear(boolean toHead) {
        return reader.next(toHead);
    }

    public Heard hear(Duration within) {
        try {
            socket.setSoTimeout((int) within.toMillis());
            Heard heard = reader.next(false);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            return heard;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The next message, which must be complete.
    public Answer answer() {
        return whole(hear());
    }

    /// The next message, which must be complete.
    public Answer answer(Duration within) {
        return whole(hear(within));
    }

    public Answer answerToHead() {
        return whole(hear(true));
    }

    private static Answer whole(Heard heard) {
        if (heard instanceof Answer answer) {
            return answer;
        }
        throw new AssertionError("expected an answer, found " + describe(heard));
    }

    public static String describe(Heard heard) {
        return switch (heard) {
            case Answer answer -> answer.toString();
            case Heard.Cut cut -> "a message cut by " + cut.ending() + " after " + cut.body().length
                    + " bytes of content: " + new String(cut.head(), StandardCharsets.ISO_8859_1);
            case Heard.Ending ending -> ending.toString();
        };
    }

    /// The bytes as they come, for readers that control their own pace; never mixed with `hear`.
    public InputStream raw() {
        try {
            return socket.getInputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int localPort() {
        return socket.getLocalPort();
    }

    /// Ends it before its test does, as a client does that has all: else the server lingers for it.
    public void leave() {
        close();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

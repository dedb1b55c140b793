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

/// A raw TCP connection to the server: exact bytes out, strictly read messages in.
final class WireConnection implements AutoCloseable {
    /// How long a client waits for anything that must come at once.
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Socket socket;
    private final AnswerReader reader;

    private WireConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.reader = new AnswerReader(socket.getInputStream());
    }

    static WireConnection open(int port) {
        return open(port, 0);
    }

    /// A connection whose receive buffer is kept small, so that a reader that stops reading is felt by the server.
    static WireConnection open(int port, int receiveBufferBytes) {
        try {
            var socket = new Socket();
            if (receiveBufferBytes > 0) {
                socket.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
            }
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) PATIENCE.toMillis());
            socket.setSoTimeout((int) PATIENCE.toMillis());
            return new WireConnection(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends text, a char a byte, as one write.
    WireConnection send(String text) {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    WireConnection send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends what the peer may refuse to take: false when the connection is gone.
    boolean trySend(byte[] bytes) {
        try {
            send(bytes);
            return true;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    boolean trySend(String text) {
        return trySend(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    WireConnection get(String target) {
        return send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    void halfClose() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Heard hear() {
        return reader.next(false);
    }

    Heard hear(boolean toHead) {
        return reader.next(toHead);
    }

    Heard hear(Duration within) {
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
    Answer answer() {
        return whole(hear());
    }

    Answer answerToHead() {
        return whole(hear(true));
    }

    private static Answer whole(Heard heard) {
        if (heard instanceof Answer answer) {
            return answer;
        }
        throw new AssertionError("expected an answer, found " + describe(heard));
    }

    static String describe(Heard heard) {
        return switch (heard) {
            case Answer answer -> answer.toString();
            case Heard.Cut cut -> "a message cut by " + cut.ending() + " after " + cut.body().length
                    + " bytes of content: " + new String(cut.head(), StandardCharsets.ISO_8859_1);
            case Heard.Ending ending -> ending.toString();
        };
    }

    /// The bytes as they come, for readers that control their own pace; never mixed with `hear`.
    InputStream raw() {
        try {
            return socket.getInputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int localPort() {
        return socket.getLocalPort();
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

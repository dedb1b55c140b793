package io.servery.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;

/// A client whose encrypted bytes are sent when the test says so.
final class ClientByHand {
    private final Socket socket;
    private final EmbeddedChannel tls;
    private final String name;
    private byte[] bytes = {};
    private int sent;

    ClientByHand(Socket socket, SslContext context, String name) throws IOException {
        this.socket = socket;
        this.name = name;
        socket.setTcpNoDelay(true);
        tls = new EmbeddedChannel(context.newHandler(Unpooled.buffer().alloc()));
    }

    String content() {
        return name.repeat(700);
    }

    void handshake(int pieceBytes) throws IOException {
        toldByTheServer(pieceBytes);
        while (hasMore()) {
            sendPiece(pieceBytes);
        }
    }

    /// In place of the client's last messages these bytes.
    void handshakeUpTo(byte[] last) throws IOException {
        toldByTheServer(Integer.MAX_VALUE);
        socket.getOutputStream().write(last);
    }

    private void toldByTheServer(int pieceBytes) throws IOException {
        take();
        while (hasMore()) {
            sendPiece(pieceBytes);
        }
        while (!hasMore()) {
            read();
            take();
        }
    }

    void prepare() {
        tls.writeOutbound(Unpooled.copiedBuffer("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                + content().length() + "\r\n\r\n" + content(), ISO_8859_1));
        take();
    }

    private void take() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Arrays.copyOfRange(bytes, sent, bytes.length));
        for (ByteBuf part = tls.readOutbound(); part != null; part = tls.readOutbound()) {
            byte[] copy = new byte[part.readableBytes()];
            part.readBytes(copy);
            all.writeBytes(copy);
            part.release();
        }
        bytes = all.toByteArray();
        sent = 0;
    }

    boolean hasMore() {
        return sent < bytes.length;
    }

    void sendPiece(int pieceBytes) throws IOException {
        int count = Math.min(pieceBytes, bytes.length - sent);
        socket.getOutputStream().write(bytes, sent, count);
        sent += count;
    }

    void sendBare(int value) throws IOException {
        socket.getOutputStream().write(value);
    }

    private void read() throws IOException {
        byte[] some = new byte[16 * 1024];
        int count = socket.getInputStream().read(some);
        assertThat(count).as("bytes of the server").isPositive();
        tls.writeInbound(Unpooled.copiedBuffer(some, 0, count));
    }

    String answer() throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.isEmpty() || answer.charAt(answer.length() - 1) != '>') {
            read();
            for (ByteBuf part = tls.readInbound(); part != null; part = tls.readInbound()) {
                answer.append(part.toString(ISO_8859_1));
                part.release();
            }
        }
        return answer.toString();
    }

    void close() throws IOException {
        socket.close();
        tls.finishAndReleaseAll();
    }
}

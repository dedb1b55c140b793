package io.servery.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// A client that allocates nothing for a request: the same bytes out of one buffer, an answer of known length into another.
final class SilentClient implements AutoCloseable {
    private static final int ROOM_BYTES = 8192;

    private final SocketChannel channel;
    private final ByteBuffer request;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(ROOM_BYTES);
    private final int answerBytes;

    /// Connects and asks once, to learn how long the answer is.
    SilentClient(SocketAddress server, String head) throws IOException {
        channel = SocketChannel.open(server);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        byte[] bytes = head.getBytes(StandardCharsets.US_ASCII);
        request = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        answerBytes = firstAnswer();
    }

    private int firstAnswer() throws IOException {
        send();
        answer.clear();
        String text = "";
        int length = Integer.MAX_VALUE;
        while (answer.position() < length) {
            if (channel.read(answer) < 0) {
                throw new EOFException("the server answered: " + text);
            }
            byte[] soFar = new byte[answer.position()];
            answer.get(0, soFar);
            text = new String(soFar, StandardCharsets.ISO_8859_1);
            int headEnd = text.indexOf("\r\n\r\n");
            if (headEnd >= 0) {
                length = headEnd + 4 + ServedFile.FILE_BYTES;
            }
        }
        if (!text.startsWith("HTTP/1.1 200 ") || !text.endsWith("x".repeat(ServedFile.FILE_BYTES))) {
            throw new IOException("the server answered: " + text);
        }
        return length;
    }

    private void send() throws IOException {
        request.flip();
        while (request.hasRemaining()) {
            channel.write(request);
        }
    }

    /// One request and its whole answer. Every answer is as long as the first: its `Date` has a fixed width.
    int ask() throws IOException {
        request.position(request.capacity());
        send();
        answer.clear().limit(answerBytes);
        while (answer.hasRemaining()) {
            if (channel.read(answer) < 0) {
                throw new EOFException("the server closed the connection");
            }
        }
        return answer.get(9);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

package io.servery.interop.fleet;

import io.servery.interop.Answer;
import io.servery.interop.AnswerReader;
import io.servery.interop.Heard;
import io.servery.interop.OsProcess;
import io.servery.interop.WireConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/// A connection to a Unix socket. It waits for as long as its test may.
final class UnixConnection implements AutoCloseable {
    /// The columns of `/proc/net/unix` (proc(5)).
    private static final int STATE = 5;
    private static final int INODE = 6;
    private static final int PATH = 7;
    private static final String CONNECTED = "03";

    private final SocketChannel channel;
    private final AnswerReader reader;

    private UnixConnection(SocketChannel channel) {
        this.channel = channel;
        this.reader = new AnswerReader(Channels.newInputStream(channel));
    }

    static UnixConnection open(Path socket) {
        try {
            return new UnixConnection(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    UnixConnection get(String target) {
        return send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    UnixConnection send(String text) {
        try {
            ByteBuffer left = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (left.hasRemaining()) {
                channel.write(left);
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Heard hear() {
        return reader.next(false);
    }

    /// The next message, which must be complete.
    Answer answer() {
        Heard heard = hear();
        if (heard instanceof Answer answer) {
            return answer;
        }
        throw new AssertionError("expected an answer, found " + WireConnection.describe(heard));
    }

    /// Whether this process has accepted a connection of that socket which is open.
    static boolean isHeldBy(OsProcess process, Path socket) {
        try (var lines = Files.lines(Path.of("/proc/net/unix"))) {
            Set<Long> connected = lines.map(line -> line.strip().split(" +", -1))
                    .filter(columns -> columns.length > PATH && columns[STATE].equals(CONNECTED)
                            && columns[PATH].equals(socket.toString()))
                    .map(columns -> Long.valueOf(columns[INODE])).collect(Collectors.toSet());
            return process.sockets().stream().anyMatch(connected::contains);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

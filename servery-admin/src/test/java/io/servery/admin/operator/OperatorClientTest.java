package io.servery.admin.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Decoded;
import io.servery.core.operator.OperatorCommand;
import io.servery.core.operator.OperatorReply;
import io.servery.core.operator.OperatorRequest;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The operator's end against real sockets.
class OperatorClientTest {
    private static final OperatorRequest STATUS = new OperatorRequest(OperatorCommand.STATUS, true);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private Path socket;
    private ServerSocketChannel server;
    private final List<Thread> threads = new ArrayList<>();

    /// What a parent does with one connection, once the request was read.
    private interface Answer {
        void write(OperatorRequest request, SocketChannel channel) throws IOException, InterruptedException;
    }

    @BeforeEach
    void listen() throws IOException {
        socket = directory.resolve("operator.sock");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @AfterEach
    void close() throws Exception {
        server.close();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void answering(Answer answer) throws IOException {
        server.bind(UnixDomainSocketAddress.of(socket));
        threads.add(Thread.ofPlatform().start(() -> {
            try (SocketChannel channel = server.accept()) {
                ByteBuffer bytes = ByteBuffer.allocate(OperatorRequest.BYTES_MAX);
                while (true) {
                    channel.read(bytes);
                    if (OperatorRequest.decode(
                            bytes.duplicate()
                                    .flip()) instanceof Decoded.Complete<OperatorRequest>(OperatorRequest read)) {
                        answer.write(read, channel);
                        return;
                    }
                }
            } catch (IOException | InterruptedException _) {
                // The client, or the test, has ended.
            }
        }));
    }

    private static void write(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private OperatorReply ask() {
        return OperatorClient.ask(socket, STATUS, LONG);
    }

    @Test
    void replyOfTheParentIsHandedOnAsItIs() throws IOException {
        List<OperatorRequest> asked = new CopyOnWriteArrayList<>();
        OperatorReply reply = new OperatorReply(3, "out ü\n", "err\n");
        answering((request, channel) -> {
            asked.add(request);
            write(channel, reply.encode());
        });

        assertThat(ask()).isEqualTo(reply);
        assertThat(asked).containsExactly(STATUS);
    }

    @Test
    void replyMayComeInPiecesAndBeAsLargeAsItsBounds() throws IOException {
        OperatorReply reply = new OperatorReply(0, "o".repeat(OperatorReply.TEXT_BYTES_MAX),
                "e".repeat(OperatorReply.TEXT_BYTES_MAX));
        byte[] bytes = reply.encode();
        answering((_, channel) -> {
            for (int at = 0; at < 40; at++) {
                write(channel, new byte[]{bytes[at]});
            }
            write(channel, java.util.Arrays.copyOfRange(bytes, 40, bytes.length));
        });

        assertThat(ask()).isEqualTo(reply);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "servery/1 0 5 0\nabc", "servery/1"})
    void parentThatEndsWithoutAWholeAnswerIsReported(String text) throws IOException {
        answering((_, channel) -> write(channel, text.getBytes(UTF_8)));

        assertThat(ask()).isEqualTo(new OperatorReply(70, "", "operator socket " + socket
                + ": error: found the end of the connection after " + text.length() + " bytes; expected a reply\n"));
    }

    @Test
    void answerThatIsNoneIsReportedWithWhatWasFound() throws IOException {
        answering((_, channel) -> write(channel, "HTTP/1.1 400 Bad Request\n".getBytes(UTF_8)));

        assertThat(ask()).isEqualTo(new OperatorReply(70, "", "operator socket " + socket
                + ": error: reply: found \"HTTP/1.1 400 Bad Request\"; expected `servery/1 EXIT OUT_BYTES ERR_BYTES`\n"));
    }

    @Test
    void nothingFollowsAReply() throws IOException {
        answering((_, channel) -> write(channel, "servery/1 0 1 0\nabc".getBytes(UTF_8)));

        assertThat(ask().exit()).isEqualTo(70);
    }

    @Test
    void withoutASocketThereIsNoParent() {
        assertThat(ask()).isEqualTo(new OperatorReply(69, "", "operator socket " + socket
                + ": error: found no socket; expected that of the parent of a service\n"));
    }

    @Test
    void socketThatSomebodyLeftBehindIsNoParent() throws IOException {
        server.bind(UnixDomainSocketAddress.of(socket));
        server.close();

        assertThat(ask().exit()).isEqualTo(69);
        assertThat(ask().err()).startsWith("operator socket " + socket + ": error: found nobody who listens; expected");
    }

    @Test
    void plainFileIsNoSocket() throws IOException {
        Files.createFile(socket);

        assertThat(ask()).isEqualTo(new OperatorReply(69, "", "operator socket " + socket
                + ": error: found no socket; expected that of the parent of a service\n"));
    }

    @Test
    void whoMayNotIsToldSo() throws IOException {
        Assumptions.assumeFalse((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0,
                "root may do everything");
        server.bind(UnixDomainSocketAddress.of(socket));
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("---------"));

        assertThat(ask().exit()).isEqualTo(77);
        assertThat(ask().err()).contains(socket + ": error: found no permission");
    }

    @Test
    void parentThatSaysNothingIsWaitedForUntilTheLimit() throws IOException {
        answering((_, channel) -> channel.read(ByteBuffer.allocate(1)));

        assertThat(OperatorClient.ask(socket, STATUS, Duration.ofMillis(100))).isEqualTo(new OperatorReply(75, "",
                "operator socket " + socket + ": error: found no answer within 100 ms; expected one"
                        + " (what was asked for may still happen)\n"));
    }

    @Test
    void parentThatAcceptsNobodyIsWaitedForUntilTheLimit() throws IOException {
        server.bind(UnixDomainSocketAddress.of(socket), 1);
        List<SocketChannel> waiting = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            waiting.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        }

        assertThat(OperatorClient.ask(socket, STATUS, Duration.ofMillis(200)).exit()).isEqualTo(75);
        for (SocketChannel channel : waiting) {
            channel.close();
        }
    }
}

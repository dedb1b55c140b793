package io.servery.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.servery.core.metric.Transport;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.AcquiredFile;
import io.servery.http.exchange.BodySource;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.tls.TlsFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// As `SocketTest`, over TLS: parts of files, resets, the two ends of a connection, shared buffers. The client is the JDK's.
class SecureSocketTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String LAST = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final String TLS_1_3 = "TLSv1.3";

    @TempDir
    private Path directory;

    private SecureServer server;

    @BeforeEach
    void listen() throws Exception {
        server = new SecureServer(Plans.NAMES);
    }

    @AfterEach
    void everythingIsGivenBack() {
        server.close();
    }

    private static void send(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    private Path file(int size) throws IOException {
        return CountedFiles.make(directory, size);
    }

    private ResponsePlan range(Path path, long offset, long length) {
        return new ResponsePlan.FileRange(ResponseHead.status(200).length(length), server.files.open(path), offset);
    }

    // ---- content

    @ParameterizedTest
    @CsvSource({"TLSv1.2, 0", "TLSv1.2, 1", "TLSv1.2, 5000000", "TLSv1.3, 0", "TLSv1.3, 1", "TLSv1.3, 16384",
            "TLSv1.3, 65535", "TLSv1.3, 65536", "TLSv1.3, 65537", "TLSv1.3, 1048576", "TLSv1.3, 1048577",
            "TLSv1.3, 5000000"})
    void aFileIsSentWholeAndTheConnectionGoesOn(String version, int size) throws Exception {
        Path path = file(size);
        server.service.handler = exchange -> exchange.respond(range(path, 0, size));
        try (SSLSocket socket = server.secured(version)) {
            send(socket, GET + LAST);
            String answers = rest(socket);
            int first = answers.indexOf("\r\n\r\n") + 4;
            String content = Files.readString(path, ISO_8859_1);
            assertThat(answers.substring(first, first + size)).isEqualTo(content);
            assertThat(answers.substring(first + size)).startsWith("HTTP/1.1 200 ").endsWith(content);
        }
        assertThat(server.service.completions).containsExactly(new Peer.Completion(200, size, null),
                new Peer.Completion(200, size, null));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 65_537, 4_999_999})
    void aFileOnTheDiskIsSentAsItIsBroughtIn(long inMemory) throws Exception {
        int size = 5_000_000;
        Path path = file(size);
        server.files.inMemory = inMemory;
        server.files.full.set(1);
        server.service.handler = exchange -> exchange.respond(range(path, 0, size));
        try (SSLSocket socket = server.secured(TLS_1_3)) {
            send(socket, LAST);
            assertThat(rest(socket)).endsWith("\r\n\r\n" + Files.readString(path, ISO_8859_1));
        }
        assertThat(server.files.inMemory).isEqualTo(size);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16 * 1024, 16 * 1024 + 1, 64 * 1024, 64 * 1024 + 1, 1 << 20})
    void contentInMemoryIsSentAtOnceOnAConnectionThatStaysOpen(int size) throws Exception {
        server.service.handler = exchange -> exchange.respond(Plans.large(size));
        try (SSLSocket socket = server.secured(TLS_1_3)) {
            for (int request = 0; request < 2; request++) {
                send(socket, GET);
                StringBuilder head = new StringBuilder();
                while (head.indexOf("\r\n\r\n") < 0) {
                    head.append((char) socket.getInputStream().read());
                }
                assertThat(head).startsWith("HTTP/1.1 200 ");
                assertThat(socket.getInputStream().readNBytes(size)).hasSize(size);
            }
        }
    }

    @Test
    void partsOfFilesAndBytesMakeOneContent() throws Exception {
        Path path = file(100_000);
        server.service.handler = exchange -> {
            AcquiredFile file = server.files.open(path);
            Queue<BodySource.Part> parts = new ConcurrentLinkedQueue<>(List.of(
                    new BodySource.Part.Chunk("<".getBytes(ISO_8859_1)), new BodySource.Part.FilePart(file, 5, 90_000),
                    new BodySource.Part.Chunk(new byte[0]), new BodySource.Part.FilePart(file, 0, 0),
                    new BodySource.Part.FilePart(file, 99_999, 1),
                    new BodySource.Part.Chunk(">".getBytes(ISO_8859_1))));
            exchange.respond(new ResponsePlan.Stream(ResponseHead.status(206).length(90_003), new BodySource() {
                @Override
                public Part next() {
                    return parts.poll();
                }

                @Override
                public void close() {
                    file.close();
                }
            }));
        };
        try (SSLSocket socket = server.secured(TLS_1_3)) {
            send(socket, LAST);
            String content = Files.readString(path, ISO_8859_1);
            assertThat(rest(socket))
                    .endsWith("\r\n\r\n<" + content.substring(5, 90_005) + content.substring(99_999) + ">");
        }
    }

    @Test
    void aFileCutShortWhileItIsSentEndsTheConnectionShort() throws Exception {
        Path path = file(5_000_000);
        server.service.handler = exchange -> {
            ResponsePlan plan = range(path, 0, 5_000_000);
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(1_500_000);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            exchange.respond(plan);
        };
        try (SSLSocket socket = server.secured(TLS_1_3)) {
            send(socket, GET + GET);
            assertThat(untilTheEnd(socket)).isLessThan(1_500_000);
        }
        await().untilAsserted(() -> assertThat(server.service.completions).hasSize(1).first()
                .extracting(Peer.Completion::reason).isEqualTo(Reason.SHORT_READ));
        assertThat(server.service.registry.snapshot().rejections(Reason.SHORT_READ, Transport.H1)).isOne();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 30})
    void aFileThatChangedIsNeverCompletedFromTwoVersions(int times) throws Exception {
        Path path = file(20_000_000);
        server.files.unchangedTimes = times;
        server.service.handler = exchange -> exchange.respond(range(path, 0, 20_000_000));
        try (SSLSocket socket = server.secured(TLS_1_3)) {
            send(socket, GET + GET);
            assertThat(untilTheEnd(socket)).isLessThanOrEqualTo(1000 + (long) times * PlanWriter.SECURED_BYTES);
        }
        await().untilAsserted(() -> assertThat(server.service.completions)
                .containsExactly(new Peer.Completion(200, (long) times * PlanWriter.SECURED_BYTES, Reason.SHORT_READ)));
    }

    @Test
    void aFileThatCannotBeReadIsAFailureOfStorage() throws Exception {
        Path path = file(100_000);
        server.service.handler = exchange -> {
            AcquiredFile file = server.files.open(path);
            try {
                file.channel().close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            exchange.respond(new ResponsePlan.FileRange(ResponseHead.status(200).length(100_000), file, 0));
        };
        try (SSLSocket socket = server.secured(TLS_1_3)) {
            send(socket, GET);
            assertThat(untilTheEnd(socket)).isLessThan(1000);
        }
        await().untilAsserted(() -> assertThat(server.service.completions).hasSize(1));
        assertThat(server.service.completions.element().reason()).isIn(Reason.STORAGE_FAILURE, Reason.SHORT_READ);
    }

    /// How many bytes come before the end; a reset is as good as one.
    private static long untilTheEnd(Socket socket) throws IOException {
        long count = 0;
        byte[] bytes = new byte[16 * 1024];
        InputStream in = socket.getInputStream();
        try {
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                count += read;
            }
        } catch (SSLException | SocketException reset) {
            return count;
        }
        return count;
    }

    @Test
    void aPeerThatResetsWhileAFileIsSentLeavesNothingOpen() throws Exception {
        Path path = file(20_000_000);
        server.service.handler = exchange -> exchange.respond(range(path, 0, 20_000_000));
        Socket beneath = server.connect();
        SSLSocket socket = server.secured(beneath, TLS_1_3);
        send(socket, GET);
        assertThat(socket.getInputStream().read()).isEqualTo('H');
        beneath.setSoLinger(true, 0);
        beneath.close();
        await().untilAsserted(() -> assertThat(server.service.completions).hasSize(1));
        assertThat(server.service.completions.element().contentBytes()).isLessThan(20_000_000);
    }

    /// One part is encrypted and waits, and no more of the file is read until the peer has taken it.
    @Test
    void aPeerThatDoesNotReadHoldsNoMoreThanOnePartOfAFile() throws Exception {
        Path path = file(50_000_000);
        server.service.handler = exchange -> exchange.respond(range(path, 0, 50_000_000));
        try (SSLSocket socket = server.secured(TLS_1_3)) {
            send(socket, LAST);
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            try (SSLSocket other = server.secured(TLS_1_3)) {
                server.service.handler = Plans.NAMES;
                send(other, GET);
                assertThat(other.getInputStream().read()).isEqualTo('H');
                assertThat(server.allocator.metric().usedDirectMemory()).isLessThan(
                        2L * PlanWriter.SECURED_BYTES + 2L * (LoopBuffers.INPUT_BYTES + LoopBuffers.OUTPUT_BYTES));
            }
            assertThat(rest(socket)).hasSizeGreaterThan(50_000_000);
        }
    }

    // ---- requests

    @Test
    void contentThatNobodyTakesYetStopsTheReadingAndGoesOnAfterwards() throws Exception {
        int size = 20_000_000;
        Queue<Exchange> waiting = new ConcurrentLinkedQueue<>();
        server.service.handler = waiting::add;
        try (SSLSocket socket = server.secured(TLS_1_3)) {
            Thread sender = Thread.ofPlatform().start(() -> {
                try {
                    send(socket, "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " + size
                            + "\r\n\r\n");
                    send(socket, "x".repeat(size));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            await().until(() -> !waiting.isEmpty());
            Exchange exchange = waiting.remove();
            exchange.executor().submit(() -> {
            }).sync();
            assertThat(server.allocator.metric().usedDirectMemory()).isLessThan(
                    2L * UnreadBytes.WAITING_BYTES_MAX + 4L * LoopBuffers.INPUT_BYTES);
            exchange.executor().execute(() -> exchange.receive(new Plans.Collector(exchange)));
            assertThat(rest(socket)).endsWith("<" + "x".repeat(size) + ">");
            sender.join();
        }
    }

    @Test
    void pipelinedRequestsAreAllAnsweredInOrder() throws Exception {
        int requests = 5_000;
        try (SSLSocket socket = server.secured(TLS_1_3)) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < requests; i++) {
                all.append("GET /").append(i).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            Thread sender = Thread.ofPlatform().start(() -> {
                try {
                    send(socket, all + LAST);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            String answers = rest(socket);
            int at = 0;
            for (int i = 0; i < requests; i++) {
                at = answers.indexOf("GET /" + i, at);
                assertThat(at).as("answer %s", i).isPositive();
            }
            sender.join();
        }
    }

    // ---- shared buffers

    /// Three connections whose records arrive piece by piece in turn: what one has not decrypted yet is not overwritten by the
    /// reads of the others.
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 6, 50, 1000})
    void recordsOfSeveralConnectionsArriveInPiecesInTurn(int pieceBytes) throws Exception {
        server.service.handler = Plans.ECHOES;
        SslContext context = client();
        List<ClientByHand> peers = new ArrayList<>();
        try (SSLSocket inStep = server.secured(TLS_1_3)) {
            for (String name : List.of("a", "b", "c")) {
                ClientByHand peer = new ClientByHand(server.connect(), context, name);
                peers.add(peer);
            }
            for (ClientByHand peer : peers) {
                peer.handshake(pieceBytes);
            }
            for (int round = 0; round < 3; round++) {
                for (ClientByHand peer : peers) {
                    peer.prepare();
                }
                while (peers.stream().anyMatch(ClientByHand::hasMore)) {
                    for (ClientByHand peer : peers) {
                        peer.sendPiece(pieceBytes);
                    }
                    send(inStep, GET); // answered after the pieces were read
                    String _ = readAnswer(inStep.getInputStream());
                }
                for (ClientByHand peer : peers) {
                    assertThat(peer.answer()).endsWith("<" + peer.content() + ">");
                }
            }
        } finally {
            for (ClientByHand peer : peers) {
                peer.close();
            }
        }
    }

    @Test
    void aRecordOfAHandshakeThatArrivesByteByByteHoldsOneBuffer() throws Exception {
        ClientByHand peer = new ClientByHand(server.connect(), client(), "a");
        try (SSLSocket inStep = server.secured(TLS_1_3)) {
            server.service.handler = Plans.ECHOES;
            peer.handshakeUpTo(new byte[]{23, 3, 3, 0x3e, (byte) 0x80});
            for (int i = 0; i < 300; i++) {
                peer.sendBare(i);
                send(inStep, GET);
                String _ = readAnswer(inStep.getInputStream());
            }
            assertThat(server.allocator.metric().usedDirectMemory())
                    .isLessThan(3L * (LoopBuffers.INPUT_BYTES + LoopBuffers.OUTPUT_BYTES));
        } finally {
            peer.close();
        }
    }

    private static SslContext client() throws SSLException {
        return SslContextBuilder.forClient().sslProvider(SslProvider.JDK)
                .trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null).build();
    }

    private static String readAnswer(InputStream in) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.isEmpty() || answer.charAt(answer.length() - 1) != '>') {
            answer.append((char) in.read());
        }
        return answer.toString();
    }

    // ---- the ends

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aPeerThatEndsItsHalfOfTcpGetsItsAnswerAndThenTheEndOfTls(String version) throws Exception {
        Path path = file(5_000_000);
        server.service.handler = exchange -> exchange.respond(range(path, 0, 5_000_000));
        try (Socket beneath = server.connect(); SSLSocket socket = server.secured(beneath, version)) {
            send(socket, GET);
            beneath.shutdownOutput();
            assertThat(rest(socket)).hasSizeGreaterThan(5_000_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aRefusedPeerThatStillSendsReadsItsAnswerRatherThanAReset(String version) throws Exception {
        try (SSLSocket socket = server.secured(version)) {
            send(socket,
                    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999999\r\n\r\n" + "x".repeat(200_000));
            send(socket, "x".repeat(200_000));
            assertThat(rest(socket)).startsWith("HTTP/1.1 413 ").endsWith(".\n");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void aPeerThatLeavesInItsHandshakeIsGoneAtOnce(int bytes) throws Exception {
        try (Socket socket = server.connect()) {
            socket.getOutputStream().write(Arrays.copyOf(new byte[]{22, 3, 1}, bytes));
        }
        await().untilAsserted(() -> assertThat(server.service.failures).containsExactly(TlsFailure.LEFT));
    }

    @Test
    void aConnectionThatThePeerClosesIsGone() throws Exception {
        try (SSLSocket socket = server.secured(TLS_1_3)) {
            send(socket, GET);
            assertThat(socket.getInputStream().read()).isEqualTo('H');
        }
        await().until(() -> server.connections() == 0);
        assertThat(server.service.completions).hasSize(1);
    }
}

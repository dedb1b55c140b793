package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Connections whose two sides take turns: what a file of bytes cannot say. In the order of RFC 9112 §9 and RFC 9110 §10.1.1.
class Http1ConnectionTest {
    private static final Duration RATE_ENDS = Duration.ofSeconds(12);
    private static final int PIPELINED = 100;
    private static final int FLOOD_BYTES = 64 * 1024 * 1024;
    private static final String CONTINUE = "POST /hello.txt HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n";

    @TempDir
    static Path folder;
    private static ServeryProcess server;

    @BeforeAll
    static void start() {
        Site site = Site.generate(folder.resolve("site"));
        for (int i = 0; i < 10; i++) {
            site.put("n/" + i + ".txt", "number " + i + "\n");
        }
        server = ServeryProcess
                .start(ServeryProcess.Settings.of(folder, site.root()).resources("max_request_body = \"1MiB\""));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void requestsOneAfterTheOtherShareAConnection() {
        try (WireConnection connection = server.connect()) {
            for (int i = 0; i < 50; i++) {
                assertThat(connection.get("/n/" + i % 10 + ".txt").answer().text())
                        .isEqualTo("number " + i % 10 + "\n");
            }
        }
    }

    @Test
    void oldClientThatAsksForItKeepsItsConnection() {
        try (WireConnection connection = server.connect()) {
            for (int i = 0; i < 3; i++) {
                Answer answer = connection.send("GET /hello.txt HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").answer();
                assertThat(answer.value("Connection")).isEqualToIgnoringCase("keep-alive");
                assertThat(answer.text()).isEqualTo("hello\n");
            }
            assertThat(connection.send("GET /hello.txt HTTP/1.0\r\n\r\n").answer().text()).isEqualTo("hello\n");
            assertThat(connection.hear()).isEqualTo(Heard.Ending.FIN);
        }
    }

    /// RFC 9112 §9.3.2.
    @Test
    void hundredRequestsInOneSegmentAreAnsweredInOrder() {
        var requests = new StringBuilder();
        for (int i = 0; i < PIPELINED; i++) {
            requests.append("GET /n/").append(i % 10).append(".txt HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        try (WireConnection connection = server.connect()) {
            connection.send(requests.toString());
            for (int i = 0; i < PIPELINED; i++) {
                assertThat(connection.answer().text()).as("answer " + i).isEqualTo("number " + i % 10 + "\n");
            }
        }
    }

    @Test
    void largeAnswersOfAPipelineDoNotOvertakeOneAnother() {
        String requests = "GET /big.bin HTTP/1.1\r\nHost: localhost\r\n\r\nGET /n/1.txt HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .repeat(5);
        try (WireConnection connection = server.connect()) {
            connection.send(requests);
            for (int i = 0; i < 5; i++) {
                assertThat(connection.answer().body()).isEqualTo(Site.pattern(Site.BIG_BYTES, 7));
                assertThat(connection.answer().text()).isEqualTo("number 1\n");
            }
        }
    }

    /// A client that asks and never reads is no longer read from: what it can put in flight has a bound.
    @Test
    void pipelineOfAClientThatDoesNotReadIsBounded() throws IOException {
        byte[] requests = "GET /1k.txt HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000)
                .getBytes(StandardCharsets.US_ASCII);
        try (SocketChannel channel = SocketChannel.open(); Selector selector = Selector.open()) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 16 * 1024);
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_WRITE);
            long written = 0;
            ByteBuffer buffer = ByteBuffer.wrap(requests);
            while (written < FLOOD_BYTES && selector.select(1000) > 0) {
                selector.selectedKeys().clear();
                written += channel.write(buffer);
                if (!buffer.hasRemaining()) {
                    buffer.rewind();
                }
            }
            assertThat(written).as("bytes taken from a client that reads nothing").isLessThan(FLOOD_BYTES / 2);
        }
        assertThat(server.get("/hello.txt").text()).isEqualTo("hello\n");
    }

    /// RFC 9112 §9.6: the client sends all of a body that is too large, and still reads the answer.
    @Test
    void answerToABodyThatIsTooLargeArrivesWithoutAReset() {
        for (int i = 0; i < 20; i++) {
            try (WireConnection connection = server.connect()) {
                connection.send("POST /hello.txt HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n");
                connection.trySend(new byte[500_000]);
                assertThat(connection.answer().status()).isEqualTo(413);
                assertThat(connection.hear()).isEqualTo(Heard.Ending.FIN);
            }
        }
    }

    @Test
    void answerToABadRequestArrivesWithoutAResetThoughMoreFollows() {
        for (int i = 0; i < 20; i++) {
            try (WireConnection connection = server.connect()) {
                connection.send("GET /hello.txt HTTP/1.1\r\nHost : localhost\r\n\r\n");
                connection.trySend("GET /hello.txt HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2000));
                assertThat(connection.answer().status()).isEqualTo(400);
                assertThat(connection.hear()).isEqualTo(Heard.Ending.FIN);
            }
        }
    }

    /// The client closes first, in the middle of an answer: the server goes on without it.
    @Test
    void clientsThatGoAwayHarmNobody() {
        for (int i = 0; i < 20; i++) {
            try (WireConnection connection = server.connect()) {
                connection.get("/big.bin");
            }
        }
        assertThat(server.get("/big.bin").body()).isEqualTo(Site.pattern(Site.BIG_BYTES, 7));
    }

    /// RFC 9110 §10.1.1: a final status instead of 100, and nothing of the body sent. A server that closes says so; one that
    /// keeps the connection waits for the body.
    @Test
    void waitingClientIsToldAtOnce() {
        try (WireConnection connection = server.connect()) {
            connection.send(CONTINUE + "Content-Length: 5\r\n\r\n");
            Answer answer = connection.answer();
            if (answer.status() == 100) {
                answer = connection.send("abcde").answer();
            }
            assertThat(answer.status()).isEqualTo(405);
            if (answer.closes()) {
                assertThat(connection.hear()).isEqualTo(Heard.Ending.FIN);
            }
        }
    }

    @Test
    void waitingClientWithATooLargeBodyIsToldWithout100() {
        try (WireConnection connection = server.connect()) {
            Answer answer = connection.send(CONTINUE + "Content-Length: 2000000\r\n\r\n").answer();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.value("Servery-Reason")).isEqualTo("body_too_large");
            assertThat(answer.closes()).isTrue();
            assertThat(connection.hear()).isEqualTo(Heard.Ending.FIN);
        }
    }

    /// The client was refused, and sends a new request where the body would have been: it is answered as a request, or not at
    /// all, and a body that comes after all is never answered as a request.
    @Test
    void refusedClientNeverGetsItsBodyAnswered() {
        String hidden = "GET /1k.txt HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (WireConnection connection = server.connect()) {
            connection.send(CONTINUE + "Content-Length: " + hidden.length() + "\r\n\r\n");
            Answer answer = connection.answer();
            if (answer.status() == 100) {
                answer = connection.send(hidden).answer();
            } else {
                connection.trySend(hidden);
            }
            assertThat(answer.status()).isEqualTo(405);
            connection.trySend("GET /hello.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            if (connection.hear() instanceof Answer next) {
                assertThat(next.text()).isEqualTo("hello\n");
            }
        }
    }

    /// `request_body_rate`: past its first five seconds a body that only trickles ends the connection.
    @Test
    void bodyBelowTheLeastRateEndsTheConnection() {
        try (WireConnection connection = server.connect()) {
            connection.send("POST /hello.txt HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000\r\n\r\n");
            long until = System.nanoTime() + RATE_ENDS.toNanos();
            Heard heard = Heard.Ending.SILENCE;
            while (System.nanoTime() < until && !(heard == Heard.Ending.FIN || heard == Heard.Ending.RESET)) {
                connection.trySend("a");
                heard = connection.hear(Duration.ofMillis(100));
                if (heard instanceof Answer answer) {
                    assertThat(answer.status()).isIn(405, 408);
                }
            }
            assertThat(heard).as("how the connection ended").isNotEqualTo(Heard.Ending.SILENCE);
        }
    }
}

package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every deadline of a connection, from outside, against a server whose deadlines are short.
class Http1DeadlineTest {
    private static final Duration HEAD = Duration.ofSeconds(1);
    private static final Duration BODY = Duration.ofMillis(1500);
    private static final Duration KEEPALIVE = Duration.ofSeconds(1);
    /// How much later than its deadline an event may be seen on a busy machine.
    private static final Duration LATE = Duration.ofSeconds(5);
    /// How much earlier: clocks and timer wheels have a grain.
    private static final Duration EARLY = Duration.ofMillis(150);
    /// How long a slow reader is slow: longer than `write_timeout`.
    private static final Duration SLOW = Duration.ofMillis(2500);
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final String RESOURCES = """
            request_head_timeout = "1s"
            request_body_timeout = "1500ms"
            keepalive_timeout = "1s"
            write_timeout = "1500ms"
            """;

    @TempDir
    static Path folder;
    private static ServeryProcess server;

    @BeforeAll
    static void start() {
        Site site = Site.generate(folder.resolve("site"));
        site.put("huge.bin", Site.pattern(32 * 1024 * 1024, 3));
        server = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root()).resources(RESOURCES));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /// RFC 9110 §15.5.9. Nothing at all was sent, so an end without an answer is right too.
    @Test
    void silentConnectionEndsAtTheHeadDeadlineFromAccept() {
        try (WireConnection connection = server.connect()) {
            long from = System.nanoTime();
            Heard heard = connection.hear(HEAD.plus(LATE));
            assertElapsed(from, HEAD);
            if (heard instanceof Answer answer) {
                assertTimedOut(answer, "request_head_timeout");
                heard = connection.hear();
            }
            assertThat(heard).isEqualTo(Heard.Ending.FIN);
        }
    }

    @Test
    void halfAHeadGetsItsAnswerAtTheHeadDeadline() {
        try (WireConnection connection = server.connect()) {
            long from = System.nanoTime();
            connection.send("GET /hello.txt HTTP/1.1\r\nHost: loc");
            Answer answer = (Answer) connection.hear(HEAD.plus(LATE));
            assertElapsed(from, HEAD);
            assertTimedOut(answer, "request_head_timeout");
            assertThat(connection.hear()).isEqualTo(Heard.Ending.FIN);
        }
    }

    /// A deadline of the whole head: bytes that trickle in do not move it (slowloris).
    @Test
    void tricklingHeadDoesNotMoveItsDeadline() {
        try (WireConnection connection = server.connect()) {
            long from = System.nanoTime();
            connection.send("GET /hello.txt HTTP/1.1\r\nHost: localhost\r\n");
            Heard heard = trickle(connection, "X-A: b\r\n", HEAD.plus(LATE));
            assertElapsed(from, HEAD);
            assertThat(heard).isInstanceOfSatisfying(Answer.class,
                    answer -> assertTimedOut(answer, "request_head_timeout"));
        }
    }

    /// The deadline of a later head begins with its first byte, and the keep-alive deadline ends there.
    @Test
    void secondHeadHasADeadlineOfItsOwn() {
        try (WireConnection connection = server.connect()) {
            assertThat(connection.get("/hello.txt").answer().status()).isEqualTo(200);
            long from = System.nanoTime();
            connection.send("GET /hello.txt HTTP/1.1\r\n");
            Heard heard = trickle(connection, "X-A: b\r\n", HEAD.plus(LATE));
            assertElapsed(from, HEAD);
            assertThat(heard).isInstanceOfSatisfying(Answer.class,
                    answer -> assertTimedOut(answer, "request_head_timeout"));
        }
    }

    /// RFC 9112 §9.5: an idle connection is closed without a word and without RST.
    @Test
    void idleConnectionIsClosedSilently() {
        try (WireConnection connection = server.connect()) {
            assertThat(connection.get("/hello.txt").answer().status()).isEqualTo(200);
            long from = System.nanoTime();
            assertThat(connection.hear(KEEPALIVE.plus(LATE))).isEqualTo(Heard.Ending.FIN);
            assertElapsed(from, KEEPALIVE);
        }
    }

    /// A file has no use for a body, so 405 may come before the deadline passes; either way the connection ends then.
    @Test
    void bodyThatStopsEndsTheConnectionAtItsDeadline() {
        try (WireConnection connection = server.connect()) {
            long from = System.nanoTime();
            connection.send("POST /hello.txt HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc");
            Heard heard = connection.hear(BODY.plus(LATE));
            assertThat(heard).isInstanceOfSatisfying(Answer.class,
                    answer -> assertThat(answer.status()).isIn(405, 408));
            assertThat(connection.hear(BODY.plus(LATE))).isEqualTo(Heard.Ending.FIN);
            assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(BODY.plus(LATE));
        }
    }

    @Test
    void chunkedBodyThatStopsEndsTheConnectionAtItsDeadline() {
        try (WireConnection connection = server.connect()) {
            connection.send(
                    "POST /hello.txt HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n");
            Heard heard = connection.hear(BODY.plus(LATE));
            assertThat(heard).isInstanceOfSatisfying(Answer.class,
                    answer -> assertThat(answer.status()).isIn(405, 408));
            assertThat(connection.hear(BODY.plus(LATE))).isEqualTo(Heard.Ending.FIN);
        }
    }

    /// A deadline of the whole body: bytes that trickle in keep nobody here for ever.
    @Test
    void tricklingBodyEndsTheConnection() {
        try (WireConnection connection = server.connect()) {
            connection.send("POST /hello.txt HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n");
            Heard heard = trickle(connection, "a", BODY.plus(LATE));
            assertThat(heard).isInstanceOfSatisfying(Answer.class,
                    answer -> assertThat(answer.status()).isIn(405, 408));
            Heard last = trickle(connection, "a", BODY.plus(LATE));
            assertThat(last).isIn(Heard.Ending.FIN, Heard.Ending.RESET);
        }
    }

    /// A client that reads nothing holds nothing here past `write_timeout`, and is counted.
    @Test
    void readerThatNeverReadsIsCutOff() {
        double before = server.metric("servery_timeouts_total{phase=\"write\"");
        try (WireConnection connection = WireConnection.open(server.port(), 8 * 1024)) {
            connection.get("/huge.bin");
            Awaitility.await("a write deadline counted").atMost(Duration.ofSeconds(10))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> server.metric("servery_timeouts_total{phase=\"write\"") > before);
            Heard heard = connection.hear();
            assertThat(heard).isInstanceOf(Heard.Cut.class);
            assertThat(((Heard.Cut) heard).ending()).isNotEqualTo(Heard.Ending.SILENCE);
        }
    }

    /// Progress, however slow, is progress: a reader that takes longer than `write_timeout` in all is served to the end.
    @Test
    void slowReaderThatReadsIsServedToTheEnd() throws Exception {
        try (WireConnection connection = WireConnection.open(server.port(), 64 * 1024)) {
            connection.send("GET /huge.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            long from = System.nanoTime();
            var in = connection.raw();
            byte[] buffer = new byte[64 * 1024];
            long total = 0;
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                total += count;
                if (System.nanoTime() - from < SLOW.toNanos()) {
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            }
            assertThat(total).isGreaterThan(32 * 1024 * 1024);
        }
    }

    private static void assertTimedOut(Answer answer, String reason) {
        assertThat(answer.status()).isEqualTo(408);
        assertThat(answer.value("Servery-Reason")).isEqualTo(reason);
        assertThat(answer.closes()).as("Connection: close (RFC 9110 §15.5.9)").isTrue();
    }

    private static void assertElapsed(long from, Duration deadline) {
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isBetween(deadline.minus(EARLY), deadline.plus(LATE));
    }

    /// Sends a little every 100 ms until something is heard.
    private static Heard trickle(WireConnection connection, String drop, Duration atMost) {
        long until = System.nanoTime() + atMost.toNanos();
        while (System.nanoTime() < until) {
            Heard heard = connection.hear(Duration.ofMillis(100));
            if (heard != Heard.Ending.SILENCE) {
                return heard;
            }
            if (!connection.trySend(drop)) {
                return connection.hear();
            }
        }
        return Heard.Ending.SILENCE;
    }
}

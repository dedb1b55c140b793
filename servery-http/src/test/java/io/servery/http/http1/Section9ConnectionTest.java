package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.metric.Phase;
import io.servery.core.metric.Transport;
import io.servery.core.metric.WorkClass;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Handler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// RFC 9112 §9: the connection: persistence, pipelining, failures and time-outs, tear-down; and Expect (RFC 9110 §10.1.1).
class Section9ConnectionTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n";

    private final List<Exchange> kept = new ArrayList<>();
    private final Handler keeps = kept::add;

    private static Http1Limits limits(int requestsMax) {
        return new Http1Limits(32 * 1024, 100, 8 * 1024, 1 << 20, 64 * 1024, requestsMax,
                TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(60), 500, TimeUnit.SECONDS.toNanos(60),
                TimeUnit.SECONDS.toNanos(30));
    }

    // ---- §9.3 persistence

    @ParameterizedTest
    @CsvSource({"1.1, , true", "1.1, close, false", "1.1, CLOSE, false", "1.1, 'x, close', false",
            "1.1, keep-alive, true",
            "1.1, 'keep-alive, close', false", "1.1, 'a b', false", "1.0, , false", "1.0, keep-alive, true",
            "1.0, Keep-Alive, true", "1.0, 'keep-alive, close', false", "1.0, close, false"})
    void aConnectionPersistsAsItsVersionAndFieldSay(String version, String option, boolean persists) {
        String field = option == null ? "" : "Connection: " + option + "\r\n";
        try (Peer peer = new Peer(Plans.NAMES)) {
            String request = "GET / HTTP/" + version + "\r\nHost: h\r\n" + field + "\r\n";
            String answers = peer.send(request + GET).answers();
            assertThat(answers.contains("GET /a")).isEqualTo(persists);
            assertThat(answers.contains("Connection: close")).isEqualTo(!persists);
            assertThat(answers.contains("Connection: keep-alive")).isEqualTo(persists && version.equals("1.0"));
            assertThat(peer.ended()).isEqualTo(!persists);
        }
    }

    @Test
    void closeInOneOfSeveralConnectionLinesCloses() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            peer.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n" + GET);
            assertThat(peer.statuses()).containsExactly(200);
        }
    }

    @Test
    void theLastAnswerOfALimitedConnectionSaysSo() {
        try (Peer peer = new Peer(Plans.NAMES, limits(2))) {
            assertThat(peer.send(GET).answers()).doesNotContain("Connection: close");
            assertThat(peer.send(GET + GET).answers()).containsOnlyOnce("Connection: close").containsOnlyOnce("200 OK");
            assertThat(peer.ended()).isTrue();
        }
    }

    // ---- §9.3.2 pipelining

    @Test
    void pipelinedRequestsAreAnsweredInOrderWhateverTheOrderOfTheirWork() {
        try (Peer peer = new Peer(keeps)) {
            peer.send(GET + "GET /b HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(kept).as("one at a time").hasSize(1);
            kept.get(0).deliver(Plans.bytes("first"));
            peer.settle();
            assertThat(kept).hasSize(2);
            kept.get(1).deliver(Plans.bytes("second"));
            assertThat(peer.answers()).containsSubsequence("first", "second");
        }
    }

    @Test
    void atMostSixteenAnswersWaitForAPeerThatDoesNotReadThem() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            peer.channel.block(true);
            for (int i = 0; i < 40; i++) {
                peer.send(GET);
            }
            assertThat(peer.completions).hasSize(PlanWriter.DEPTH_MAX);
            peer.channel.block(false);
            assertThat(peer.settle().statuses()).hasSize(40).containsOnly(200);
        }
    }

    @Test
    void readingStopsWhileTooManyRequestsWaitAndGoesOnAfterwards() {
        try (Peer peer = new Peer(keeps)) {
            peer.send(GET);
            assertThat(peer.channel.config().isAutoRead()).isTrue();
            for (int sent = 0; sent <= UnreadBytes.WAITING_BYTES_MAX; sent += GET.length()) {
                peer.send(GET);
            }
            assertThat(peer.channel.config().isAutoRead()).isFalse();
            kept.get(0).deliver(Plans.bytes("x"));
            peer.settle();
            assertThat(peer.channel.config().isAutoRead()).isTrue();
            peer.connection.force();
        }
    }

    @Test
    void manySmallSegmentsCostNoMoreCopyingThanFewLargeOnes() {
        try (Peer peer = new Peer(keeps)) {
            peer.send(GET);
            long allocations = 0;
            long before = peer.allocator.metric().usedHeapMemory();
            for (int i = 0; i < UnreadBytes.WAITING_BYTES_MAX; i++) {
                peer.send("x");
                long now = peer.allocator.metric().usedHeapMemory();
                allocations += now == before ? 0 : 1;
                before = now;
            }
            assertThat(allocations).isLessThan(40);
            peer.connection.force();
        }
    }

    // ---- Expect

    @Test
    void aClientThatWaitsForContinueGetsItWhenItsContentIsWanted() {
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send(POST + "Expect: 100-Continue\r\n\r\n").answers())
                    .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(peer.send("abc").answers()).startsWith("HTTP/1.1 200 ").endsWith("<abc>");
            assertThat(peer.ended()).isFalse();
        }
    }

    @Test
    void aFinalAnswerInPlaceOfContinueCloses() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            String answers = peer.send(POST + "Expect: 100-continue\r\n\r\n").answers();
            assertThat(answers).doesNotContain("100 Continue").contains("Connection: close");
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void expectWithoutContentMeansNothing() {
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send("GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n").statuses())
                    .containsExactly(200);
            assertThat(peer.ended()).isFalse();
        }
    }

    @Test
    void expectInHttp10IsIgnored() {
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send("POST / HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc").statuses())
                    .containsExactly(200);
        }
    }

    @Test
    void anyOtherExpectationIsAnswered417() {
        for (String fields : new String[]{"Expect: x\r\n", "Expect: 100-continue, x\r\n",
                "Expect: 100-continue\r\nExpect: x\r\n", "Expect:\r\n"}) {
            try (Peer peer = new Peer(Plans.ECHOES)) {
                assertThat(peer.send(POST + fields + "\r\nabc" + GET).statuses()).containsExactly(417);
                assertThat(peer.ended()).isTrue();
            }
        }
    }

    // ---- §9.5 time

    @Test
    void aConnectionThatSaysNothingIsLetGoAfterTheHeadDeadlineFromAccept() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            peer.advance(Duration.ofMillis(9_900));
            assertThat(peer.ended()).isFalse();
            assertThat(peer.advance(Duration.ofMillis(200)).answers()).isEmpty();
            assertThat(peer.ended()).isTrue();
            assertThat(peer.metrics().timeouts(Phase.HEAD, Transport.H1)).isOne();
            peer.advance(Duration.ofSeconds(5));
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    @Test
    void aHeadThatDripsIsAnswered408() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            for (char c : "GET / HTTP".toCharArray()) {
                peer.send(String.valueOf(c)).advance(Duration.ofSeconds(1));
            }
            assertThat(peer.statuses()).containsExactly(408);
            assertThat(peer.ended()).isTrue();
            assertThat(peer.rejections(Reason.REQUEST_HEAD_TIMEOUT)).isOne();
        }
    }

    @Test
    void theHeadDeadlineOfALaterRequestRunsFromItsFirstByte() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(GET).statuses()).containsExactly(200);
            peer.advance(Duration.ofSeconds(25)).send("G").advance(Duration.ofMillis(9_900));
            assertThat(peer.ended()).isFalse();
            assertThat(peer.advance(Duration.ofMillis(200)).statuses()).containsExactly(408);
        }
    }

    @Test
    void anIdleConnectionIsClosedAfterTheKeepaliveTime() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(GET).statuses()).containsExactly(200);
            peer.advance(Duration.ofMillis(29_900));
            assertThat(peer.ended()).isFalse();
            assertThat(peer.advance(Duration.ofMillis(200)).answers()).isEmpty();
            assertThat(peer.ended()).isTrue();
            assertThat(peer.metrics().timeouts(Phase.KEEPALIVE, Transport.H1)).isOne();
        }
    }

    @Test
    void aPeerThatReadsALargeAnswerSlowlyIsNotIdleAndItsNextRequestIsNotLost() {
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.large(1 << 20)))) {
            peer.channel.block(true);
            peer.send(GET + GET).advance(Duration.ofSeconds(45));
            assertThat(peer.ended()).isFalse();
            peer.channel.block(false);
            assertThat(peer.statuses()).containsExactly(200, 200);
            peer.advance(Duration.ofSeconds(61));
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void contentThatStopsIsAnswered408() {
        Plans.Collector receiver = new Plans.Collector(null);
        try (Peer peer = new Peer(exchange -> exchange.receive(receiver),
                new Http1Limits(32 * 1024, 100, 8 * 1024, 1 << 20, 64 * 1024, 0, 1L << 40,
                        TimeUnit.SECONDS.toNanos(3), 0, 1L << 40, 1L << 40))) {
            peer.send(POST + "\r\na").advance(Duration.ofMillis(2_900));
            assertThat(peer.ended()).isFalse();
            assertThat(peer.advance(Duration.ofMillis(200)).statuses()).containsExactly(408);
            assertThat(receiver.aborted).isOne();
            assertThat(peer.metrics().timeouts(Phase.BODY, Transport.H1)).isOne();
            assertThat(peer.rejections(Reason.REQUEST_BODY_TIMEOUT)).isOne();
        }
    }

    @Test
    void contentSlowerThanTheRateIsAnswered408AfterFiveSeconds() {
        String head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n";
        try (Peer peer = new Peer(Plans.ECHOES)) {
            peer.send(head);
            for (int second = 0; second < 5; second++) {
                peer.send("x".repeat(400)).advance(Duration.ofSeconds(1));
            }
            assertThat(peer.ended()).isFalse();
            assertThat(peer.send("x".repeat(400)).advance(Duration.ofSeconds(1)).statuses()).containsExactly(408);
        }
        try (Peer peer = new Peer(Plans.ECHOES)) {
            peer.send(head);
            for (int second = 0; second < 60; second++) {
                peer.send("x".repeat(600)).advance(Duration.ofSeconds(1));
            }
            assertThat(peer.ended()).isFalse();
            peer.connection.force();
        }
    }

    @Test
    void contentThatIsOnlyDroppedIsTimedToo() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(POST + "\r\na").statuses()).containsExactly(200);
            peer.advance(Duration.ofSeconds(8));
            assertThat(peer.ended()).isTrue();
            assertThat(peer.metrics().timeouts(Phase.BODY, Transport.H1)).isOne();
            assertThat(peer.completions).hasSize(1);
        }
    }

    @Test
    void aPeerThatTakesNothingIsCutOffBetweenOneAndOneAndAQuarterTimesTheWriteTimeout() {
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.stream(-1, new Plans.Source("a", "b"))))) {
            peer.channel.block(true);
            peer.send(GET).advance(Duration.ofMillis(59_900));
            assertThat(peer.channel.isOpen()).isTrue();
            peer.advance(Duration.ofMillis(15_200));
            assertThat(peer.channel.isOpen()).isFalse();
            assertThat(peer.metrics().timeouts(Phase.WRITE, Transport.H1)).isOne();
            assertThat(peer.completions).containsExactly(new Peer.Completion(200, 0, Reason.WRITE_TIMEOUT));
        }
    }

    @Test
    void noTimerOutlivesTheConnection() {
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.large(1 << 20)))) {
            peer.channel.block(true);
            peer.send(POST + "\r\n");
            peer.connection.force();
            assertThat(peer.channel.runScheduledPendingTasks()).as("no timer is set").isEqualTo(-1);
        }
    }

    // ---- §9.6 tear-down

    @Test
    void aClosingConnectionIsHalfClosedThenReadsAndDropsUntilThePeerEnds() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            peer.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            assertThat(peer.statuses()).containsExactly(200);
            assertThat(peer.channel.isOutputShutdown()).isTrue();
            assertThat(peer.channel.isOpen()).isTrue();
            assertThat(peer.send(GET).answers()).isEmpty();
            peer.endInput();
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    @Test
    void aPeerThatNeverEndsIsClosedAfterFiveSeconds() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            peer.send("x\r\n").advance(Duration.ofMillis(4_900));
            assertThat(peer.channel.isOpen()).isTrue();
            peer.advance(Duration.ofMillis(200));
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    @Test
    void anAnswerStillOnItsWayIsNotCutByThePeersEndOfInput() {
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.large(100_000)))) {
            peer.channel.block(true);
            peer.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").endInput();
            assertThat(peer.channel.isOpen()).isTrue();
            peer.channel.block(false);
            assertThat(peer.answers()).hasSizeGreaterThan(100_000);
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    // ---- drain and force

    @Test
    void drainLetsAnIdleConnectionGoAfterAMomentInWhichARequestIsStillAnswered() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(GET).statuses()).containsExactly(200);
            peer.connection.drain();
            peer.advance(Duration.ofMillis(100));
            assertThat(peer.ended()).isFalse();
            assertThat(peer.send(GET).answers()).contains("200 OK", "Connection: close");
            assertThat(peer.ended()).isTrue();
        }
        try (Peer peer = new Peer(Plans.NAMES)) {
            peer.connection.drain();
            assertThat(peer.advance(Duration.ofMillis(200)).answers()).isEmpty();
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void drainFinishesWhatIsInWork() {
        try (Peer peer = new Peer(keeps)) {
            peer.send(GET + GET);
            peer.connection.drain();
            peer.advance(Duration.ofSeconds(20));
            kept.get(0).deliver(Plans.bytes("done"));
            assertThat(peer.answers()).contains("Connection: close").endsWith("done");
            assertThat(peer.ended()).isTrue();
            assertThat(kept).hasSize(1);
        }
    }

    @Test
    void drainLetsAHeadArrive() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            peer.send("GET / HT");
            peer.connection.drain();
            peer.advance(Duration.ofSeconds(1));
            assertThat(peer.send("TP/1.1\r\nHost: h\r\n\r\n").answers()).contains("200 OK", "Connection: close");
        }
    }

    @Test
    void drainDoesNotDropRequestsThatWaitForTheirTurn() {
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.large(1 << 20)))) {
            peer.channel.block(true);
            peer.send(GET + GET);
            peer.connection.drain();
            peer.advance(Duration.ofSeconds(1));
            peer.channel.block(false);
            assertThat(peer.statuses()).containsExactly(200, 200);
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void forceSaysAndCountsWhatItCutShort() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.connection.force()).as("idle").isNull();
            assertThat(peer.connection.force()).as("closed").isNull();
        }
        try (Peer peer = new Peer(Plans.NAMES)) {
            peer.send("GET / HTTP");
            assertThat(peer.connection.force()).as("half a head").isNull();
        }
        try (Peer peer = new Peer(Plans.NAMES)) {
            peer.send("x\r\n");
            assertThat(peer.connection.force()).as("lingering").isNull();
        }
        try (Peer peer = new Peer(keeps)) {
            peer.send(GET);
            assertThat(peer.connection.force()).as("in work").isEqualTo(WorkClass.STATIC_SMALL);
            assertThat(peer.metrics().drainForced(WorkClass.STATIC_SMALL, Reason.DEADLINE_HTTP1)).isOne();
        }
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.large(1 << 20)))) {
            peer.channel.block(true);
            peer.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            assertThat(peer.connection.force()).as("the last answer is not taken").isEqualTo(WorkClass.STATIC_SMALL);
            assertThat(peer.metrics().drainForced(WorkClass.STATIC_SMALL, Reason.DEADLINE_HTTP1)).isOne();
        }
    }

    @Test
    void connectionsAreCountedAndListedWhileTheyAreOpen() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.loop.connections()).containsExactly(peer.connection);
            assertThat(peer.metrics().connectionsActive(Transport.H1)).isOne();
            peer.connection.force();
            assertThat(peer.loop.connections()).isEmpty();
            assertThat(peer.metrics().connectionsActive(Transport.H1)).isZero();
            assertThat(peer.metrics().connections(Transport.H1)).isOne();
        }
    }
}

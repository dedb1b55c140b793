package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.metric.Phase;
import io.servery.core.metric.Transport;
import io.servery.core.metric.WorkClass;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Handler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// HTTP/1 over TLS: who is asked (RFC 9110 §7.4, §15.5.20), how a connection ends (RFC 9112 §9.8, RFC 8446 §6.1), and
/// strict transport (RFC 6797).
class SecureConnectionTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: site.example\r\n\r\n";
    private static final String LAST = "GET /a HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: site.example\r\nContent-Length: 3\r\n\r\n";
    private static final Duration YEAR = Duration.ofDays(365);
    private static final String STRICT = "Strict-Transport-Security: max-age=31536000\r\n";

    private final List<Exchange> kept = new ArrayList<>();
    private final Handler keeps = kept::add;

    // ---- bytes in records

    @ParameterizedTest
    @CsvSource({"TLSv1.2, 1", "TLSv1.2, 3", "TLSv1.2, 1000", "TLSv1.3, 1", "TLSv1.3, 7", "TLSv1.3, 100",
            "TLSv1.3, 16408", "TLSv1.3, 40000"})
    void requestsAreReadHoweverTheirRecordsAreCut(String version, int pieceBytes) {
        String content = "x".repeat(40_000);
        try (SecurePeer peer = new SecurePeer(Plans.ECHOES, Duration.ZERO, version, pieceBytes)) {
            peer.send(POST + "abc" + GET);
            assertThat(peer.answers()).containsSubsequence("<abc>", "<>");
            peer.send("POST / HTTP/1.1\r\nHost: site.example\r\nContent-Length: 40000\r\n\r\n").send(content);
            assertThat(peer.answers()).endsWith("<" + content + ">");
        }
    }

    @Test
    void exchangeKnowsThatItIsSecure() {
        try (SecurePeer peer = new SecurePeer(exchange -> exchange.respond(Plans.bytes("" + exchange.secure())))) {
            assertThat(peer.send(GET).answers()).endsWith("true");
        }
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.bytes("" + exchange.secure())))) {
            assertThat(peer.send(GET).answers()).endsWith("false");
        }
    }

    /// The engine of BoringSSL says so to the peer at the first, and to us at the next.
    @Test
    void recordThatCannotBeDecryptedEndsTheConnectionAndIsNoBug() {
        byte[] record = new byte[5 + 32];
        System.arraycopy(new byte[]{23, 3, 3, 0, 32}, 0, record, 0, 5);
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            assertThat(peer.send(GET).statuses()).containsExactly(200);
            peer.sendBare(record).sendBare(record);
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    // ---- RFC 9110 §15.5.20: who is asked

    @ParameterizedTest
    @ValueSource(strings = {"site.example", "SITE.example:8443", "localhost", "127.0.0.1:1", "[::1]"})
    void hostOfTheCertificateIsAnswered(String host) {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            assertThat(peer.send("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n").statuses()).containsExactly(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"other.example", "site.example.org", "a.site.example", "127.0.0.2"})
    void anyOtherHostIsMisdirectedAndTheConnectionGoesOn(String host) {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            String misdirected = "POST / HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 3\r\n\r\nabc";
            String answers = peer.send(misdirected + GET + misdirected + GET).answers();
            assertThat(answers).containsSubsequence("HTTP/1.1 421 ", "Servery-Reason: misdirected", "HTTP/1.1 200 ",
                    "GET /a", "HTTP/1.1 421 ", "HTTP/1.1 200 ", "GET /a").doesNotContain("POST");
            assertThat(peer.ended()).isFalse();
            assertThat(peer.rejections(Reason.MISDIRECTED)).isEqualTo(2);
        }
    }

    @Test
    void requestThatIsMisdirectedAndUnsureOfItsEndIsRefusedForTheLatter() {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            peer.send("POST / HTTP/1.1\r\nHost: other.example\r\nContent-Length: x\r\n\r\n");
            assertThat(peer.statuses()).containsExactly(400);
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void misdirectedRequestThatWaitsForContinueEndsTheConnection() {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            peer.send("POST / HTTP/1.1\r\nHost: other.example\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
            assertThat(peer.answers()).startsWith("HTTP/1.1 421 ").contains("Connection: close");
        }
    }

    @ParameterizedTest
    @CsvSource({"GET / HTTP/1.0, 200", "GET https://site.example/ HTTP/1.0, 200",
            "GET https://other.example/ HTTP/1.0, 421", "GET http://site.example/ HTTP/1.0, 421"})
    void withoutHostTheTargetSaysWhoIsAsked(String line, int status) {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            assertThat(peer.send(line + "\r\n\r\n").statuses()).containsExactly(status);
        }
    }

    // ---- RFC 9110 §7.4: the scheme of the target

    @ParameterizedTest
    @CsvSource({"https://site.example/, site.example, 200", "HTTPS://site.example:443/, site.example, 200",
            "https://site.example:8443/, site.example:8443, 200", "https://site.example/, other.example, 400",
            "https://other.example/, other.example, 421", "http://site.example/, site.example, 421"})
    void targetOfTheConnectionsSchemeIsAnswered(String target, String host, int status) {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            peer.send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
            assertThat(peer.statuses()).containsExactly(status);
        }
    }

    @Test
    void targetOfTheOtherSchemeEndsTheConnection() {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            peer.send("GET http://site.example/ HTTP/1.1\r\nHost: site.example\r\n\r\n");
            assertThat(peer.answers()).startsWith("HTTP/1.1 421 ").contains("Servery-Reason: bad_target");
            assertThat(peer.ended()).isTrue();
        }
    }

    // ---- RFC 6797 §7.2: strict transport

    @Test
    void everyAnswerOverTlsBindsToIt() {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES, YEAR, "TLSv1.3")) {
            assertThat(peer.send(GET).answers()).containsOnlyOnce(STRICT).startsWith("HTTP/1.1 200 ");
            assertThat(peer.send("GET / HTTP/1.1\r\nHost: other.example\r\n\r\n").answers()).containsOnlyOnce(STRICT)
                    .startsWith("HTTP/1.1 421 ");
            assertThat(peer.send("x\r\n").answers()).containsOnlyOnce(STRICT).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void interimAnswerIsNoAnswer() {
        try (SecurePeer peer = new SecurePeer(Plans.ECHOES, YEAR, "TLSv1.3")) {
            peer.send("POST / HTTP/1.1\r\nHost: site.example\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
            assertThat(peer.answers()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(peer.send("abc").answers()).containsOnlyOnce(STRICT);
        }
    }

    @Test
    void noAnswerDoesSoWithoutTlsOrWhereNothingIsToBeSaid() {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            assertThat(peer.send(GET).answers()).doesNotContain("Strict-Transport-Security");
        }
        try (Peer peer = new Peer(Plans.NAMES, YEAR)) {
            assertThat(peer.send(GET).answers()).startsWith("HTTP/1.1 200 ")
                    .doesNotContain("Strict-Transport-Security");
        }
    }

    // ---- RFC 9112 §9.8: the end, said by us

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void closingConnectionSaysSoInTlsThenInTcpThenDropsWhatComesUntilThePeerEnds(String version) {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES, Duration.ZERO, version)) {
            peer.send(LAST);
            assertThat(peer.statuses()).containsExactly(200);
            assertThat(peer.closeNotified()).isTrue();
            assertThat(peer.channel.isOutputShutdown()).isTrue();
            assertThat(peer.channel.isOpen()).isTrue();
            peer.endTls().endInput();
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    @Test
    void whatAPeerStillSendsAfterOurEndIsDropped() {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            peer.send(LAST + GET);
            assertThat(peer.statuses()).containsExactly(200);
            peer.send(GET).sendBare("no TLS".getBytes(StandardCharsets.US_ASCII));
            assertThat(peer.answers()).isEmpty();
            assertThat(peer.channel.isOpen()).isTrue();
            peer.endInput();
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    @Test
    void peerThatNeverEndsIsClosedAfterFiveSeconds() {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            peer.send("x\r\n").advance(Duration.ofMillis(4_900));
            assertThat(peer.closeNotified()).isTrue();
            assertThat(peer.channel.isOpen()).isTrue();
            peer.advance(Duration.ofMillis(200));
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    @Test
    void endIsSaidAfterAllOfTheAnswer() {
        try (SecurePeer peer = new SecurePeer(exchange -> exchange.respond(Plans.large(300_000)))) {
            peer.channel.block(true);
            peer.send(LAST);
            assertThat(peer.closeNotified()).isFalse();
            assertThat(peer.ended()).isFalse();
            peer.channel.block(false);
            assertThat(peer.answers()).hasSizeGreaterThan(300_000);
            assertThat(peer.closeNotified()).isTrue();
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void idleConnectionIsClosedWithAWordOfTls() {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            assertThat(peer.send(GET).statuses()).containsExactly(200);
            assertThat(peer.connection().force()).isNull();
            assertThat(peer.closeNotified()).isTrue();
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    // ---- the end, said by the peer

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void peersEndInTlsIsAnsweredAndEndsTheConnection(String version) {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES, Duration.ZERO, version)) {
            assertThat(peer.send(GET).statuses()).containsExactly(200);
            peer.endTls();
            assertThat(peer.channel.isOpen()).isFalse();
            assertThat(peer.closeNotified()).isTrue();
            assertThat(peer.service.completions).containsExactly(new Peer.Completion(200, 6, null));
        }
    }

    @Test
    void peersEndInTcpAloneIsAnsweredInTls() {
        try (SecurePeer peer = new SecurePeer(keeps)) {
            peer.send(GET).endInput();
            assertThat(peer.channel.isOpen()).as("a peer that has only ended its side reads its answer").isTrue();
            kept.getFirst().deliver(Plans.bytes("late"));
            assertThat(peer.answers()).endsWith("late");
            assertThat(peer.closeNotified()).isTrue();
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP", "GET / HTTP/1.1\r\nHost: site.example\r\nContent-Length: 3\r\n\r\nab"})
    void messageThatEndsEarlyIsFoundIncompleteWhicheverEndItIs(String part) {
        try (SecurePeer peer = new SecurePeer(Plans.ECHOES)) {
            peer.send(part).endInput();
            assertThat(peer.statuses()).containsExactly(400);
            assertThat(peer.rejections(Reason.BAD_FRAMING)).isOne();
        }
        try (SecurePeer peer = new SecurePeer(Plans.ECHOES)) {
            peer.send(part).endTls();
            assertThat(peer.channel.isOpen()).isFalse();
            assertThat(peer.rejections(Reason.BAD_FRAMING)).isOne();
        }
    }

    @Test
    void peersEndInTlsLeavesNobodyToAnswer() {
        try (SecurePeer peer = new SecurePeer(keeps)) {
            peer.send(GET).endTls();
            assertThat(peer.channel.isOpen()).isFalse();
            assertThat(kept.getFirst().cancelled()).isTrue();
            assertThat(peer.service.completions).isEmpty();
        }
    }

    @Test
    void whatIsWithTheSocketStillGoesOutAfterThePeersEndInTls() {
        try (SecurePeer peer = new SecurePeer(exchange -> exchange.respond(Plans.large(50_000)))) {
            peer.channel.block(true);
            peer.send(GET).endTls();
            assertThat(peer.channel.isOpen()).isTrue();
            assertThat(peer.channel.config().isAutoRead()).as("what follows is ignored").isFalse();
            peer.channel.block(false);
            assertThat(peer.answers()).hasSizeGreaterThan(50_000);
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    // ---- answers that are cut short

    @Test
    void contentThatOnlyTheEndDelimitsIsNotMadeToLookWhole() {
        Handler breaks = exchange -> exchange.respond(Plans.stream(-1, new Plans.Source("half", "throw")));
        try (SecurePeer peer = new SecurePeer(breaks).expectBugs()) {
            assertThat(peer.send("GET / HTTP/1.0\r\n\r\n").answers()).endsWith("half");
            assertThat(peer.channel.isOpen()).isFalse();
            assertThat(peer.closeNotified()).isFalse();
        }
        Handler whole = exchange -> exchange.respond(Plans.stream(-1, new Plans.Source("all")));
        try (SecurePeer peer = new SecurePeer(whole)) {
            assertThat(peer.send("GET / HTTP/1.0\r\n\r\n").answers()).endsWith("all");
            assertThat(peer.closeNotified()).isTrue();
        }
    }

    @Test
    void peerThatTakesNothingIsCutOffAtOnceWhenItsTimeIsOver() {
        try (SecurePeer peer = new SecurePeer(exchange -> exchange.respond(Plans.large(300_000)))) {
            peer.channel.block(true);
            peer.send(GET).advance(Duration.ofMillis(59_900));
            assertThat(peer.channel.isOpen()).isTrue();
            peer.advance(Duration.ofMillis(15_200));
            assertThat(peer.channel.isOpen()).isFalse();
            assertThat(peer.metrics().timeouts(Phase.WRITE, Transport.H1)).isOne();
            assertThat(peer.service.completions).containsExactly(new Peer.Completion(200, 0, Reason.WRITE_TIMEOUT));
        }
    }

    @Test
    void forceCutsWhatThePeerHasNotTakenAtOnce() {
        try (SecurePeer peer = new SecurePeer(exchange -> exchange.respond(Plans.large(300_000)))) {
            peer.channel.block(true);
            peer.send(GET);
            assertThat(peer.connection().force()).isEqualTo(WorkClass.STATIC_SMALL);
            assertThat(peer.channel.isOpen()).isFalse();
            assertThat(peer.metrics().drainForced(WorkClass.STATIC_SMALL, Reason.DEADLINE_HTTP1)).isOne();
        }
        try (SecurePeer peer = new SecurePeer(exchange -> exchange.respond(Plans.large(100)))) {
            peer.channel.block(true);
            peer.send(GET);
            assertThat(peer.connection().force()).as("the last answer is not taken").isEqualTo(WorkClass.STATIC_SMALL);
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    // ---- what one connection holds

    @Test
    void peerThatTakesNothingHoldsOnePartOfALargeAnswer() {
        try (SecurePeer peer = new SecurePeer(exchange -> exchange.respond(Plans.large(10_000_000)))) {
            peer.channel.block(true);
            peer.send(GET + GET);
            assertThat(peer.allocator.metric().usedDirectMemory()).isBetween((long) PlanWriter.SECURED_BYTES,
                    2L * PlanWriter.SECURED_BYTES);
            peer.channel.block(false);
            assertThat(peer.answers()).hasSizeGreaterThan(20_000_000);
            assertThat(peer.service.completions).containsExactly(new Peer.Completion(200, 10_000_000, null),
                    new Peer.Completion(200, 10_000_000, null));
        }
    }

    @Test
    void peerThatTakesAsFastAsWeEncryptLeavesOthersTheirTurn() {
        List<Integer> completedByThen = new ArrayList<>();
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            peer.service.handler = exchange -> {
                var _ = exchange.executor().schedule(() -> completedByThen.add(peer.service.completions.size()), 0,
                        TimeUnit.NANOSECONDS);
                exchange.respond(Plans.large(10_000_000));
            };
            peer.send(GET);
            assertThat(completedByThen).containsExactly(0);
            assertThat(peer.service.completions).hasSize(1);
        }
    }

    @Test
    void atMostSixteenAnswersWaitForAPeerThatDoesNotReadThem() {
        try (SecurePeer peer = new SecurePeer(Plans.NAMES)) {
            peer.channel.block(true);
            peer.send(GET.repeat(40));
            assertThat(peer.service.completions).hasSize(PlanWriter.DEPTH_MAX);
            peer.channel.block(false);
            assertThat(peer.statuses()).hasSize(40).containsOnly(200);
        }
    }

    @Test
    void readingStopsWhileTooManyRequestsWaitAndGoesOnAfterwards() {
        try (SecurePeer peer = new SecurePeer(keeps)) {
            peer.send(GET);
            assertThat(peer.channel.config().isAutoRead()).isTrue();
            for (int sent = 0; sent <= UnreadBytes.WAITING_BYTES_MAX; sent += GET.length()) {
                peer.send(GET);
            }
            assertThat(peer.channel.config().isAutoRead()).isFalse();
            kept.getFirst().deliver(Plans.bytes("x"));
            peer.carry();
            assertThat(peer.channel.config().isAutoRead()).isTrue();
            peer.connection().force();
        }
    }
}

package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import io.servery.http.exchange.Handler;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 §6: the message body, of requests and of answers.
class Section6BodyTest {
    private static final String NEXT = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

    private static Http1Limits limits(long bodyBytesMax, long drainBytesMax) {
        return new Http1Limits(32 * 1024, 100, 8 * 1024, bodyBytesMax, drainBytesMax, 0, TimeUnit.SECONDS.toNanos(10),
                TimeUnit.SECONDS.toNanos(60), 500, TimeUnit.SECONDS.toNanos(60), TimeUnit.SECONDS.toNanos(30));
    }

    private static String post(String fields, String content) {
        return "POST / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n" + content;
    }

    @ParameterizedTest
    @CsvSource({"Transfer-Encoding: chunked\\r\\nContent-Length: 3, 400",
            "Content-Length: 3\\r\\nTransfer-Encoding: chunked, 400",
            "Transfer-Encoding: gzip, 501", "'Transfer-Encoding: gzip, chunked', 501",
            "'Transfer-Encoding: chunked, chunked', 400",
            "Transfer-Encoding: chunked\\r\\nTransfer-Encoding: chunked, 400", "Transfer-Encoding:, 400",
            "'Transfer-Encoding: ,chunked', 400",
            "Transfer-Encoding: chunked;q=1, 400", "Transfer-Encoding: \"chunked\", 400",
            "Transfer-Encoding: xchunked, 501",
            "Transfer-Encoding: identity, 501", "'Transfer-Encoding: chunked, identity', 501",
            "Transfer-Encoding : chunked, 400",
            "Transfer-Encoding: chun\u000bked, 400"})
    void aCodingOtherThanOneChunkedIsRefusedAndNothingAfterItIsRead(String fields, int status) { // §6.1
        try (Peer peer = new Peer(Plans.ECHOES)) {
            String bytes = post(fields.replace("\\r\\n", "\r\n") + "\r\n", "3\r\nabc\r\n0\r\n\r\n" + NEXT);
            assertThat(peer.send(bytes).statuses()).containsExactly(status);
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void aCodingInHttp10IsRefused() { // §6.1
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer
                    .send("POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
                    .statuses()).containsExactly(400);
        }
    }

    @Test
    void chunkedIsReadInAnyCase() { // §7
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send(post("transfer-encoding:  ChUnKeD \r\n", "3\r\nabc\r\n0\r\n\r\n")).answers())
                    .endsWith("<abc>");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"+3", "-3", "0x3", "3 3", "3,3", "3, 3", "", "3.0", "\u0663", "3a", "1e1"})
    void aLengthIsDigitsAlone(String length) { // §6.2
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send(post("Content-Length: " + length + "\r\n", "abc" + NEXT)).statuses())
                    .containsExactly(400);
            assertThat(peer.ended()).isTrue();
            assertThat(peer.rejections(Reason.BAD_FRAMING)).isOne();
        }
    }

    @Test
    void repeatedLengthsAreRefusedEvenWhenTheyAgree() { // §6.3
        for (String version : new String[]{"1.0", "1.1"}) {
            for (String second : new String[]{"3", "4"}) {
                try (Peer peer = new Peer(Plans.ECHOES)) {
                    assertThat(
                            peer.send("POST / HTTP/" + version + "\r\nHost: h\r\nContent-Length: 3\r\ncontent-length: "
                                    + second + "\r\n\r\nabc").statuses())
                            .containsExactly(400);
                }
            }
        }
    }

    @Test
    void contentOfAKnownLengthIsReceivedAndWhatFollowsIsTheNextRequest() { // §6.3
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.sendBytewise(post("Content-Length: 3\r\n", "abc")).answers()).endsWith("<abc>");
            assertThat(peer
                    .send(post("Content-Length: 0003\r\n", "abc") + post("Content-Length: 0\r\n", "") + post("", ""))
                    .answers()).contains("<abc>").containsSubsequence("<>", "<>");
        }
    }

    @Test
    void aLengthPastTheLimitIsAnswered413BeforeTheContent() { // RFC 9110 §15.5.14
        for (String length : new String[]{"11", "9223372036854775807", "9223372036854775808",
                "99999999999999999999999999"}) {
            try (Peer peer = new Peer(Plans.ECHOES, limits(10, 64 * 1024))) {
                String answer = peer.send(post("Expect: 100-continue\r\nContent-Length: " + length + "\r\n", ""))
                        .answers();
                assertThat(answer).startsWith("HTTP/1.1 413 ").contains("Connection: close\r\n");
                assertThat(peer.ended()).isTrue();
                assertThat(peer.channel.isOpen()).as("lingers, reads and drops").isTrue();
                assertThat(peer.send("x".repeat(100_000)).answers()).isEmpty();
            }
        }
    }

    @Test
    void contentOfTheLimitIsReceived() {
        try (Peer peer = new Peer(Plans.ECHOES, limits(10, 64 * 1024))) {
            assertThat(peer.send(post("Content-Length: 10\r\n", "0123456789")).answers()).endsWith("<0123456789>");
            assertThat(peer.send(post("Transfer-Encoding: chunked\r\n", "a\r\n0123456789\r\n0\r\n\r\n")).answers())
                    .endsWith("<0123456789>");
            assertThat(peer.send(post("Transfer-Encoding: chunked\r\n", "9\r\n012345678\r\n2\r\n")).statuses())
                    .containsExactly(413);
        }
    }

    @Test
    void contentThatNobodyAskedForIsDroppedWithinTheLimit() { // §6.3, §9.3
        try (Peer peer = new Peer(Plans.NAMES, limits(1000, 10))) {
            assertThat(peer.send(post("Content-Length: 10\r\n", "0123456789") + NEXT).statuses())
                    .containsExactly(200, 200);
            assertThat(
                    peer.send(post("Transfer-Encoding: chunked\r\n", "a\r\n0123456789\r\n0\r\n\r\n") + NEXT).statuses())
                    .containsExactly(200, 200);
            assertThat(peer.ended()).isFalse();
            assertThat(peer.send(post("Content-Length: 11\r\n", "")).answers()).contains("Connection: close\r\n");
            assertThat(peer.ended()).isTrue();
        }
        try (Peer peer = new Peer(Plans.NAMES, limits(1000, 10))) {
            assertThat(peer.send(post("Transfer-Encoding: chunked\r\n", "b\r\n0123456789a\r\n0\r\n\r\n") + NEXT)
                    .statuses())
                    .containsExactly(200);
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void whatWasReceivedBeforeTheAnswerDoesNotCountAsDropped() {
        Handler readsThenAnswers = exchange -> exchange.receive(new Plans.Collector(null) {
            @Override
            public void data(io.netty.buffer.ByteBuf bytes) {
                super.data(bytes);
                if (content.length() == 20) {
                    exchange.respond(Plans.bytes("enough"));
                }
            }
        });
        try (Peer peer = new Peer(readsThenAnswers, limits(1000, 10))) {
            String content = "14\r\n" + "x".repeat(20) + "\r\n1\r\ny\r\n0\r\n\r\n";
            assertThat(peer.send(post("Transfer-Encoding: chunked\r\n", content)).answers()).endsWith("enough");
            assertThat(peer.ended()).isFalse();
        }
    }

    // ---- answers

    @Test
    void anAnswerOfKnownLengthHasItAndNoCoding() { // §6.2
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.stream(5, new Plans.Source("ab", "cde"))))) {
            assertThat(peer.send(NEXT).answers()).contains("Content-Length: 5\r\n").doesNotContain("Transfer-Encoding")
                    .endsWith("\r\n\r\nabcde");
        }
    }

    @Test
    void anAnswerOfUnknownLengthIsChunked() { // §6.3, §7.1
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.stream(-1, new Plans.Source("ab", "", "cde"))))) {
            assertThat(peer.send(NEXT + NEXT).answers()).containsSubsequence(
                    "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n",
                    "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n");
            assertThat(peer.ended()).isFalse();
        }
    }

    @Test
    void anAnswerOfUnknownLengthInHttp10EndsWithTheConnection() { // §6.3
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.stream(-1, new Plans.Source("ab", "cde"))))) {
            assertThat(peer.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").answers())
                    .contains("Connection: close\r\n").doesNotContain("keep-alive").doesNotContain("Transfer-Encoding")
                    .endsWith("\r\n\r\nabcde");
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void anEmptyAnswerOfUnknownLengthStillHasAnEnd() { // §6.3
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.empty(200, ResponseHead.LENGTH_UNKNOWN)))) {
            assertThat(peer.send(NEXT + NEXT).answers()).containsSubsequence("\r\n\r\n0\r\n\r\n", "\r\n\r\n0\r\n\r\n");
        }
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.empty(200, ResponseHead.LENGTH_UNKNOWN)))) {
            assertThat(peer.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").answers()).endsWith("\r\n\r\n");
            assertThat(peer.ended()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes", "stream", "unknown", "empty"})
    void theAnswerToHeadIsItsHeadAlone(String kind) { // RFC 9110 §9.3.2
        Plans.Source source = new Plans.Source("abc");
        Handler handler = exchange -> exchange.respond(switch (kind) {
            case "bytes" -> Plans.bytes("abc");
            case "stream" -> Plans.stream(3, source);
            case "unknown" -> Plans.stream(-1, source);
            default -> Plans.empty(200, 3);
        });
        try (Peer peer = new Peer(handler)) {
            String answer = peer.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n").answers();
            assertThat(answer).endsWith("\r\n\r\n").containsOnlyOnce("\r\n\r\n")
                    .contains(kind.equals("unknown") ? "Transfer-Encoding: chunked" : "Content-Length: 3");
            assertThat(peer.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n").statuses()).containsExactly(200);
            assertThat(peer.ended()).isFalse();
        }
        assertThat(source.closed).isEqualTo(kind.equals("bytes") || kind.equals("empty") ? 0 : 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statusesWithoutContentHaveNeitherContentNorFraming(int status) { // §6.3, RFC 9110 §6.4.1
        Handler handler = exchange -> exchange
                .respond(new ResponsePlan.Bytes(ResponseHead.status(status).length(3), new byte[]{1, 2, 3}));
        try (Peer peer = new Peer(handler)) {
            assertThat(peer.send(NEXT).answers()).startsWith("HTTP/1.1 " + status + " ")
                    .doesNotContain("Content-Length")
                    .doesNotContain("Transfer-Encoding").endsWith("\r\n\r\n");
            assertThat(peer.ended()).isFalse();
        }
    }

    @Test
    void anAnswerWhoseContentIsNotAsLongAsItsHeadSaysNeverReachesTheNextRequest() { // §6.3
        for (Plans.Source source : new Plans.Source[]{new Plans.Source("ab"), new Plans.Source("abc", "d"),
                new Plans.Source("abcd")}) {
            try (Peer peer = new Peer(exchange -> exchange.respond(Plans.stream(3, source))).expectBugs()) {
                assertThat(peer.send(NEXT + NEXT).answers()).doesNotContainPattern("(?s)abcd|HTTP/1.1 .*HTTP/1.1 ");
                assertThat(peer.channel.isOpen()).isFalse();
                assertThat(source.closed).isOne();
                assertThat(peer.bugs).hasSize(1);
                assertThat(peer.completions).hasSize(1);
                assertThat(peer.rejections(Reason.INTERNAL_ERROR)).isOne();
            }
        }
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.empty(200, 3))).expectBugs()) {
            assertThat(peer.send(NEXT).statuses()).containsExactly(500);
            assertThat(peer.ended()).isTrue();
        }
    }
}

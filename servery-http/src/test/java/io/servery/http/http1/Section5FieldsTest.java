package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import io.servery.http.exchange.Handler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 §5: field lines.
class Section5FieldsTest {
    private static final Handler FIELDS = exchange -> {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < exchange.head().fieldCount(); i++) {
            text.append(exchange.head().fieldName(i)).append('=').append(exchange.head().fieldValue(i)).append(';');
        }
        exchange.respond(Plans.bytes(text.toString()));
    };

    private static String request(String fields) {
        return "GET / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
    }

    @Test
    void blanksAroundAValueAreNoPartOfIt() { // §5.1
        try (Peer peer = new Peer(FIELDS)) {
            assertThat(peer.send(request("A: \t b c \t \r\nB:\r\nC:d\r\nD: \u00e9\r\n")).answers())
                    .endsWith("\r\n\r\nHost=h;A=b c;B=;C=d;D=\u00e9;");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"A : b\r\n", "A\t: b\r\n", ": b\r\n", "A\r\n", "A b: c\r\n", "\"A\": b\r\n",
            "A\u00e9: b\r\n",
            "A(: b\r\n", "A: b\r\n c\r\n", "A: b\r\n\tc\r\n", "A: \u0000\r\n", "A: b\u0001c\r\n", "A: \u007f\r\n",
            "A\u0000: b\r\n",
            "A: \u000b\r\n", " \r\n"})
    void aMalformedFieldLineIsRefused(String line) { // §5.1, §5.2
        for (boolean bytewise : new boolean[]{false, true}) {
            try (Peer peer = new Peer(FIELDS)) {
                String bytes = request(line) + request("");
                assertThat((bytewise ? peer.sendBytewise(bytes) : peer.send(bytes)).statuses()).containsExactly(400);
                assertThat(peer.rejections(Reason.BAD_FIELD)).isOne();
                assertThat(peer.ended()).isTrue();
            }
        }
    }

    @Test
    void aHundredFieldsAreReadAndOneMoreIsAnswered431() { // RFC 6585 §5
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(request("A: b\r\n".repeat(99))).statuses()).containsExactly(200);
            assertThat(peer.send(request("A: b\r\n".repeat(100))).statuses()).containsExactly(431);
            assertThat(peer.ended()).isTrue();
            assertThat(peer.rejections(Reason.HEAD_TOO_LARGE)).isOne();
        }
    }

    @Test
    void aHeadOfTheLimitIsReadAndOneByteMoreIsAnswered431() { // RFC 6585 §5
        int room = Peer.LIMITS.headBytesMax() - request("A: \r\n").length();
        String longest = request("A: " + "b".repeat(room) + "\r\n");
        assertThat(longest).hasSize(Peer.LIMITS.headBytesMax());
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(longest).statuses()).containsExactly(200);
            assertThat(peer.sendBytewise(longest).statuses()).containsExactly(200);
            assertThat(peer.send(request("A: b" + "b".repeat(room) + "\r\n")).statuses()).containsExactly(431);
        }
    }

    @Test
    void theKeysOfTheFirstWebSocketDraftsAreRefused() { // RFC 6455 §4.1: their eight bytes of content have no framing
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(request("Sec-WebSocket-Key1: 1\r\n") + "12345678").statuses()).containsExactly(400);
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void refusalsNeverHoldThePeersBytes() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("GET /<script>alert(1)</script> HTTP/1.1\r\nHost: h\r\n\r\n").answers())
                    .startsWith("HTTP/1.1 400 ").doesNotContain("script").contains("Servery-Reason: bad_target");
        }
    }
}

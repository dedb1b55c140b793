package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 §2: the message.
class Section2MessageTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

    @Test
    void aRequestIsAnsweredWithStatusLineFieldsAndContent() { // §2.1
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(GET).answers()).startsWith("HTTP/1.1 200 OK\r\n").contains("Content-Length: 6\r\n")
                    .containsPattern(
                            "\r\nDate: [A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT\r\n")
                    .doesNotContain("Connection:").endsWith("\r\n\r\nGET /a");
        }
    }

    @Test
    void theVerdictIsTheSameWhenEveryByteIsASegment() { // §2.2
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.sendBytewise(GET + GET).statuses()).containsExactly(200, 200);
        }
    }

    @Test
    void oneEmptyLineBeforeTheRequestLineIsIgnored() { // §2.2
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("\r\n" + GET + "\r\n" + GET).statuses()).containsExactly(200, 200);
            assertThat(peer.sendBytewise("\r\n" + GET).statuses()).containsExactly(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\n\r\nGET / HTTP/1.1\r\n", "\nGET / HTTP/1.1\r\n", "\rGET / HTTP/1.1\r\n",
            "GET / HTTP/1.1\nHost: h\r\n\r\n", "GET / HTTP/1.1\rHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\n\n", "GET / HTTP/1.1\r\nHost: h\r\n\rx",
            "GET / HTTP/1.1\r\r\nHost: h\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nA: b\rc\r\n\r\n"})
    void aLineThatDoesNotEndInCrLfIsRefusedAndNothingAfterItIsRead(String bytes) { // §2.2
        for (boolean bytewise : new boolean[]{false, true}) {
            try (Peer peer = new Peer(Plans.NAMES)) {
                List<Integer> statuses = bytewise
                        ? peer.sendBytewise(bytes + GET).statuses()
                        : peer.send(bytes + GET).statuses();
                assertThat(statuses).containsExactly(400);
                assertThat(peer.ended()).isTrue();
                assertThat(peer.rejections(Reason.BAD_FRAMING)).isOne();
            }
        }
    }

    @Test
    void blanksBeforeTheFirstFieldAreRefused() { // §2.2
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("GET / HTTP/1.1\r\n Host: h\r\n\r\n").statuses()).containsExactly(400);
            assertThat(peer.ended()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "HTTP/9.9"})
    void aVersionThatIsNotServedIsAnswered505(String version) { // §2.3
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("GET / " + version + "\r\nHost: h\r\n\r\n").statuses()).containsExactly(505);
            assertThat(peer.ended()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http/1.1", "HTTP/1", "HTTP/1.1.1", "HTTP/01.1", "HTTP/1,1", "HTTPS/1.1", "HTTP 1.1",
            "HTTP/1.1 ",
            "HTTP/a.b"})
    void aMalformedVersionIsRefused(String version) { // §2.3
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("GET / " + version + "\r\nHost: h\r\n\r\n").statuses()).containsExactly(400);
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void theHttp2PrefaceIsAnswered505() { // RFC 9113 §3.4
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").statuses()).containsExactly(505);
        }
    }

    @Test
    void tlsOnAPlainPortIsRefused() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003").statuses())
                    .containsExactly(400);
            assertThat(peer.ended()).isTrue();
        }
    }
}

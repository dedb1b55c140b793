package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 §7: the chunked transfer coding.
class Section7ChunkedTest {
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String NEXT = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

    @ParameterizedTest
    @ValueSource(strings = {"3\r\nabc\r\n0\r\n\r\n", "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "0003\r\nabc\r\n000\r\n\r\n",
            "3;a\r\nabc\r\n0;b=c\r\n\r\n", "3 ; a = \"x;\\\"y\"\r\nabc\r\n0\r\n\r\n",
            "3\r\nabc\r\n0\r\nA: b\r\nC:d\r\n\r\n",
            "000000000000000000000000000000003\r\nabc\r\n0\r\n\r\n", "3\t;a\r\nabc\r\n0\r\n\r\n",
            "3\r\nabc\r\n0\r\nContent-Length: 9\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n"})
    void soundChunksAreReceivedAndWhatFollowsStays(String chunks) { // §7.1
        for (boolean bytewise : new boolean[]{false, true}) {
            try (Peer peer = new Peer(Plans.ECHOES)) {
                String bytes = HEAD + chunks + NEXT;
                assertThat((bytewise ? peer.sendBytewise(bytes) : peer.send(bytes)).answers()).contains("<abc>")
                        .endsWith("<>");
                assertThat(peer.ended()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\r\n", "\r\n", " 3\r\nabc\r\n", "3 \r\nabc\r\n", "+3\r\nabc\r\n", "-3\r\nabc\r\n",
            "0x3\r\nabc\r\n",
            "3\nabc\r\n", "3\rabc\r\n", "3\r\nabcd\r\n", "3\r\nab\r\n0\r\n", "3\r\nabc\n", "3\r\nabc\rx",
            "3\r\nabc0\r\n\r\n",
            "3;\r\nabc\r\n", "3;;a\r\nabc\r\n", "3;a=\r\nabc\r\n", "3;a=\"b\r\nabc\r\n", "3;a=b c\r\nabc\r\n",
            "3;a\u0000\r\nabc\r\n",
            "3;a=\"\n\"\r\nabc\r\n", "3,a\r\nabc\r\n", "3.0\r\nabc\r\n", "\u0663\r\nabc\r\n"})
    void anythingElseIsRefusedAndNothingAfterItIsRead(String chunks) { // §7.1, §7.1.1
        for (boolean bytewise : new boolean[]{false, true}) {
            try (Peer peer = new Peer(Plans.ECHOES)) {
                String bytes = HEAD + chunks + "0\r\n\r\n" + NEXT;
                assertThat((bytewise ? peer.sendBytewise(bytes) : peer.send(bytes)).statuses()).containsExactly(400);
                assertThat(peer.ended()).isTrue();
                assertThat(peer.rejections(Reason.BAD_FRAMING)).isOne();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fffffffffffffff", "ffffffffffffffff", "10000000000000000", "8000000000000000",
            "7fffffffffffffff", "fffffffffffffffffffffffff", "0000000000000000000ffffffffffffffff"})
    void aSizeThatOverflowsIsTooLargeNotSmall(String size) { // §7.1
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send(HEAD + size + "\r\nabc").statuses()).containsExactly(413);
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void aChunkLineIsAtMost256BytesLong() { // threat model
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send(HEAD + "3;" + "a".repeat(254) + "\r\nabc\r\n0\r\n\r\n").answers()).endsWith("<abc>");
            assertThat(peer.send(HEAD + "3;" + "a".repeat(255) + "\r\nabc\r\n0\r\n\r\n").statuses())
                    .containsExactly(400);
        }
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.sendBytewise(HEAD + "3;" + "a".repeat(300)).statuses()).containsExactly(400);
        }
    }

    @Test
    void extensionsOfABodyAreAtMost16KiBTogether() { // threat model
        String chunk = "1;" + "a".repeat(127) + "\r\nx\r\n"; // 128 bytes that are not the size
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send(HEAD + chunk.repeat(128) + "0\r\n\r\n").statuses()).containsExactly(200);
            assertThat(peer.send(HEAD + chunk.repeat(129) + "0\r\n\r\n").statuses()).containsExactly(400);
        }
    }

    @ParameterizedTest
    @CsvSource({"'A : b', 400", "' A: b', 400", "A, 400", "': b', 400", "'A: \u0001', 400", "'A: \u007f', 400"})
    void aMalformedTrailerFieldIsRefused(String line, int status) { // §7.1.2
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.sendBytewise(HEAD + "0\r\n" + line + "\r\n\r\n" + NEXT).statuses()).containsExactly(status);
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void trailersAreBoundedInNumberAndBytes() { // threat model, RFC 6585 §5
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send(HEAD + "0\r\n" + "A: b\r\n".repeat(32) + "\r\n").statuses()).containsExactly(200);
            assertThat(peer.send(HEAD + "0\r\n" + "A: b\r\n".repeat(33) + "\r\n").statuses()).containsExactly(431);
        }
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send(HEAD + "0\r\nA: " + "b".repeat(9000)).statuses()).containsExactly(431);
        }
    }

    @Test
    void trailersNeverReachTheHead() { // §7.1.2
        try (Peer peer = new Peer(exchange -> exchange.receive(new Plans.Collector(null) {
            @Override
            public void completed() {
                exchange.respond(Plans.bytes("fields: " + exchange.head().fieldCount()));
            }
        }))) {
            assertThat(peer.send(HEAD + "0\r\nAuthorization: x\r\nHost: y\r\n\r\n").answers()).endsWith("fields: 2");
        }
    }
}

package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 §8: messages that end early.
class Section8IncompleteTest {
    @ParameterizedTest
    @ValueSource(strings = {"G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\n\r",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nab",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"})
    void aRequestThatEndsEarlyIsAnswered400(String bytes) {
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send(bytes).endInput().statuses()).containsExactly(400);
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    @Test
    void aReceiverIsToldThatItsContentWillNotCome() {
        Plans.Collector receiver = new Plans.Collector(null);
        try (Peer peer = new Peer(exchange -> exchange.receive(receiver))) {
            peer.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nab").endInput();
            assertThat(receiver.content).hasToString("ab");
            assertThat(receiver.aborted).isOne();
            assertThat(receiver.completed).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r\n"})
    void aConnectionThatEndsBeforeARequestIsClosedInSilence(String bytes) {
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send(bytes).endInput().answers()).isEmpty();
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }

    @Test
    void aPeerThatEndsItsSideStillGetsItsAnswers() {
        try (Peer peer = new Peer(Plans.NAMES)) {
            peer.channel.block(true);
            peer.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            peer.endInput();
            assertThat(peer.channel.isOpen()).as("the answers are still on their way").isTrue();
            peer.channel.block(false);
            assertThat(peer.answers()).containsSubsequence("GET /a", "GET /b");
            assertThat(peer.channel.isOpen()).isFalse();
        }
    }
}

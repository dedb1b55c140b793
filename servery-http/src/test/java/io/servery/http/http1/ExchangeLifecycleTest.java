package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Handler;
import io.servery.http.exchange.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One exchange from its dispatch to its end: what is given back exactly once on every path, what a late or faulty handler
/// can do, and what calls from within calls do.
class ExchangeLifecycleTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n";

    private final List<Exchange> kept = new ArrayList<>();
    private final Handler keeps = kept::add;

    // ---- giving back

    @Test
    void aPlanIsReleasedOnceWhenItIsOut() {
        Plans.Source source = new Plans.Source("a", "b");
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.stream(-1, source)))) {
            peer.send(GET);
            assertThat(source.closed).isOne();
        }
        assertThat(source.closed).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reset", "force", "gone"})
    void aPlanIsReleasedOnceWhenTheConnectionGoesUnderIt(String how) {
        Plans.Source source = new Plans.Source("a", "b");
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.stream(-1, source)))) {
            peer.channel.block(true);
            peer.send(GET);
            assertThat(source.closed).isZero();
            switch (how) {
                case "reset" -> peer.channel.pipeline().fireExceptionCaught(new IOException("reset by peer"));
                case "force" -> peer.connection.force();
                default -> peer.channel.disconnectByPeer();
            }
            peer.settle();
            assertThat(source.closed).isOne();
            assertThat(peer.completions).hasSize(1);
        }
        assertThat(source.closed).isOne();
    }

    @Test
    void aPlanThatComesAfterTheConnectionIsGoneIsReleasedOnce() {
        Plans.Source delivered = new Plans.Source("a");
        Plans.Source responded = new Plans.Source("a");
        try (Peer peer = new Peer(keeps)) {
            peer.send(GET);
            peer.channel.disconnectByPeer();
            peer.settle();
            Exchange exchange = kept.get(0);
            assertThat(exchange.cancelled()).isTrue();
            exchange.deliver(Plans.stream(-1, delivered));
            exchange.deliver(Refusal.NOT_FOUND);
            peer.settle();
            exchange.respond(Plans.stream(-1, responded));
            assertThat(delivered.closed).isOne();
            assertThat(responded.closed).isOne();
            assertThat(peer.completions).isEmpty();
        }
    }

    @Test
    void aPlanDeliveredWhileTheConnectionGoesIsReleasedOnce() {
        Plans.Source source = new Plans.Source("a");
        try (Peer peer = new Peer(keeps)) {
            peer.send(GET);
            kept.get(0).deliver(Plans.stream(-1, source));
            peer.connection.force();
            peer.settle();
            assertThat(source.closed).isOne();
        }
    }

    @Test
    void aSecondAnswerIsABugOfTheCallerAndReleased() {
        Plans.Source source = new Plans.Source("a");
        try (Peer peer = new Peer(keeps)) {
            peer.send(GET);
            kept.get(0).respond(Plans.bytes("one"));
            assertThatThrownBy(() -> kept.get(0).respond(Plans.stream(-1, source)))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(source.closed).isOne();
            assertThat(peer.answers()).endsWith("one");
            assertThatThrownBy(() -> kept.get(0).refuse(Refusal.NOT_FOUND)).isInstanceOf(IllegalStateException.class);
            assertThat(peer.rejections(Reason.NOT_FOUND)).as("nothing was refused").isZero();
            assertThat(peer.send(GET).answers()).isEmpty();
            kept.get(1).respond(Plans.bytes("two"));
            assertThat(peer.answers()).endsWith("two");
        }
    }

    @Test
    void aPlanWhoseReleaseThrowsIsReportedAndItsAnswerStands() {
        Plans.Source source = new Plans.Source("a") {
            @Override
            public void close() {
                super.close();
                throw new IllegalStateException("close failed");
            }
        };
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.stream(-1, source))).expectBugs()) {
            assertThat(peer.send(GET).answers()).endsWith("0\r\n\r\n");
            assertThat(peer.bugs).hasSize(1);
            assertThat(source.closed).isOne();
            assertThat(peer.ended()).isFalse();
        }
    }

    // ---- late callers never reach a stranger

    @Test
    void aLateAnswerToARequestRefusedForItsHandlerNeverReachesAnotherPeersRequest() {
        Plans.Source source = new Plans.Source("secret of the first peer");
        Plans.Collector receiver = new Plans.Collector(null);
        Handler handler = exchange -> {
            kept.add(exchange);
            if (kept.size() == 1) {
                exchange.receive(receiver);
            }
        };
        try (Peer first = new Peer(handler); Peer second = new Peer(handler, first)) {
            first.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n");
            assertThat(first.statuses()).containsExactly(400);
            assertThat(receiver.aborted).isOne();
            second.send(GET);
            assertThat(kept).hasSize(2);
            kept.get(0).deliver(Plans.stream(-1, source));
            first.settle();
            second.settle();
            assertThat(source.closed).isOne();
            assertThat(second.answers()).isEmpty();
            kept.get(1).deliver(Plans.bytes("own"));
            assertThat(second.answers()).endsWith("own");
        }
    }

    @Test
    void aHandlerThatThrewMayStillBeAnsweredForLate() {
        Plans.Source source = new Plans.Source("late");
        Handler handler = exchange -> {
            kept.add(exchange);
            if (kept.size() == 1) {
                throw new IllegalStateException("after handing the exchange to a lane");
            }
        };
        try (Peer first = new Peer(handler).expectBugs(); Peer second = new Peer(handler, first)) {
            assertThat(first.send(GET).statuses()).containsExactly(500);
            second.send(GET);
            kept.get(0).deliver(Plans.stream(-1, source));
            first.settle();
            assertThat(second.settle().answers()).isEmpty();
            assertThat(source.closed).isOne();
            kept.get(1).deliver(Plans.bytes("own"));
            assertThat(second.answers()).endsWith("own");
        }
    }

    @Test
    void anExchangeAnsweredLateIsNotReusedForAnotherPeer() {
        Plans.Source source = new Plans.Source("a");
        try (Peer first = new Peer(keeps); Peer second = new Peer(keeps, first)) {
            first.send(GET);
            kept.get(0).deliver(Plans.bytes("one"));
            assertThat(first.answers()).endsWith("one");
            second.send(GET);
            assertThat(kept.get(1)).isNotSameAs(kept.get(0));
            assertThatThrownBy(() -> kept.get(0).respond(Plans.stream(-1, source)))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(second.answers()).isEmpty();
            kept.get(1).deliver(Plans.bytes("two"));
            assertThat(second.answers()).endsWith("two");
        }
    }

    // ---- faulty handlers

    @Test
    void aHandlerThatThrowsIsAnswered500AndReported() {
        try (Peer peer = new Peer(exchange -> {
            throw new IllegalStateException("\r\nsecret");
        }).expectBugs()) {
            assertThat(peer.send(GET + GET).answers()).startsWith("HTTP/1.1 500 ").doesNotContain("secret")
                    .containsOnlyOnce("HTTP/1.1");
            assertThat(peer.ended()).isTrue();
            assertThat(peer.bugs).hasSize(1);
            assertThat(peer.completions).containsExactly(
                    new Peer.Completion(500, peer.completions.get(0).contentBytes(), Reason.INTERNAL_ERROR));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHandlerThatThrowsAfterItsAnswerStillHasItsAnswerSent(boolean stream) {
        try (Peer peer = new Peer(exchange -> {
            exchange.respond(stream ? Plans.stream(4, new Plans.Source("wh", "ole")) : Plans.bytes("whole"));
            throw new IllegalStateException("too late");
        }).expectBugs()) {
            peer.channel.block(true);
            peer.send(GET + GET);
            peer.channel.block(false);
            String answers = peer.answers();
            if (!stream) {
                assertThat(answers).containsOnlyOnce("HTTP/1.1").endsWith("whole");
            }
            assertThat(peer.ended()).isTrue();
            assertThat(peer.completions).hasSize(1);
        }
    }

    @Test
    void aStageThatThrowsIsAnswered500() {
        try (Peer peer = new Peer(Plans.NAMES, Peer.LIMITS, List.of(_ -> {
            throw new IllegalStateException("stage");
        })).expectBugs()) {
            assertThat(peer.send(GET).statuses()).containsExactly(500);
            assertThat(peer.bugs).hasSize(1);
        }
    }

    @Test
    void aStageRefusesBeforeTheHandler() {
        try (Peer peer = new Peer(keeps, Peer.LIMITS, List.of(_ -> null, _ -> Refusal.QUEUE_FULL))) {
            assertThat(peer.send(GET + GET).statuses()).containsExactly(503, 503);
            assertThat(kept).isEmpty();
            assertThat(peer.ended()).isFalse();
        }
    }

    @Test
    void aSourceThatThrowsEndsTheConnectionAndNeverHangsIt() {
        for (String[] pieces : new String[][]{{"throw"}, {"a", "throw"}}) {
            Plans.Source source = new Plans.Source(pieces);
            try (Peer peer = new Peer(exchange -> exchange.respond(Plans.stream(-1, source))).expectBugs()) {
                assertThat(peer.send(GET).answers()).doesNotContain("0\r\n\r\n");
                assertThat(peer.channel.isOpen()).isFalse();
                assertThat(source.closed).isOne();
                assertThat(peer.bugs).hasSize(1);
                assertThat(peer.completions).hasSize(1);
            }
        }
    }

    @Test
    void aReceiverThatThrowsEndsTheConnectionAndIsAborted() {
        Plans.Collector receiver = new Plans.Collector(null) {
            @Override
            public void data(ByteBuf bytes) {
                throw new IllegalStateException("receiver");
            }
        };
        try (Peer peer = new Peer(exchange -> exchange.receive(receiver)).expectBugs()) {
            peer.send(POST + "abc");
            assertThat(peer.channel.isOpen()).isFalse();
            assertThat(receiver.aborted).isOne();
            assertThat(peer.bugs).hasSize(1);
        }
    }

    @Test
    void aReceiverThatThrowsWhenItIsAbortedStillLeavesNothingBehind() {
        Plans.Collector receiver = new Plans.Collector(null) {
            @Override
            public void aborted() {
                throw new IllegalStateException("aborted");
            }
        };
        try (Peer peer = new Peer(exchange -> exchange.receive(receiver)).expectBugs()) {
            peer.send(POST).channel.disconnectByPeer();
            peer.settle();
            assertThat(peer.bugs).hasSize(1);
        }
    }

    // ---- calls from within calls

    @Test
    void contentThatIsThereAlreadyIsReceivedWithinTheSameTurn() {
        try (Peer peer = new Peer(Plans.ECHOES)) {
            assertThat(peer.send(POST + "abc" + POST + "def" + GET).answers()).containsSubsequence("<abc>", "<def>",
                    "<>");
        }
    }

    @Test
    void contentMayBeAskedForLater() {
        try (Peer peer = new Peer(keeps)) {
            peer.send(POST + "ab");
            kept.get(0).receive(new Plans.Collector(kept.get(0)));
            assertThat(peer.answers()).isEmpty();
            assertThat(peer.send("c" + GET).answers()).endsWith("<abc>");
            assertThat(kept).hasSize(2);
            kept.get(1).deliver(Plans.bytes("x"));
            peer.settle();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep", "close", "chunked"})
    void aReceiverMayAnswerFromWithinItsCall(String kind) {
        Handler answersInData = exchange -> exchange.receive(new Plans.Collector(null) {
            @Override
            public void data(ByteBuf bytes) {
                exchange.respond(Plans.bytes("early"));
                super.data(bytes);
            }
        });
        String head = switch (kind) {
            case "keep" -> POST + "abc";
            case "close" -> "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc";
            default -> "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n";
        };
        try (Peer peer = new Peer(answersInData)) {
            List<Integer> statuses = peer.send(head + POST + "xyz").statuses();
            assertThat(statuses).hasSize(kind.equals("close") ? 1 : 2).containsOnly(200);
            assertThat(peer.ended()).isEqualTo(kind.equals("close"));
        }
    }

    @Test
    void aReceiverMayLoseItsConnectionWithinItsCall() {
        List<Peer> peers = new ArrayList<>();
        Plans.Collector receiver = new Plans.Collector(null) {
            @Override
            public void data(ByteBuf bytes) {
                peers.get(0).connection.force();
                super.data(bytes);
            }
        };
        try (Peer peer = new Peer(exchange -> exchange.receive(receiver))) {
            peers.add(peer);
            peer.send(POST + "abc" + GET);
            assertThat(receiver.content).hasToString("abc");
            assertThat(receiver.aborted).isOne();
            assertThat(receiver.completed).isZero();
        }
    }

    @Test
    void contentIsAskedForAtMostOnceAndBeforeTheAnswer() {
        try (Peer peer = new Peer(keeps)) {
            peer.send(POST);
            Exchange exchange = kept.get(0);
            exchange.receive(new Plans.Collector(null));
            assertThatThrownBy(() -> exchange.receive(new Plans.Collector(null)))
                    .isInstanceOf(IllegalStateException.class);
            exchange.respond(Plans.bytes("x"));
            assertThatThrownBy(() -> exchange.receive(new Plans.Collector(null)))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void contentAskedForAfterTheConnectionIsGoneIsAborted() {
        Plans.Collector receiver = new Plans.Collector(null);
        try (Peer peer = new Peer(keeps)) {
            peer.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
            peer.channel.disconnectByPeer();
            peer.settle();
            kept.get(0).receive(receiver);
            assertThat(receiver.aborted).isOne();
            assertThat(peer.channel.runScheduledPendingTasks()).as("no timer is set").isEqualTo(-1);
        }
    }

    @Test
    void aThousandPipelinedRequestsDoNotDeepenTheStack() {
        try (Peer peer = new Peer(exchange -> exchange.respond(Plans.stream(-1, new Plans.Source("a", "b"))))) {
            assertThat(peer.send(GET.repeat(1000)).settle().statuses()).hasSize(1000);
        }
        try (Peer peer = new Peer(keeps)) {
            peer.send(GET.repeat(1000));
            for (int i = 0; i < 1000; i++) {
                kept.get(i).respond(Plans.bytes("x"));
            }
            assertThat(peer.statuses()).hasSize(1000);
        }
    }

    @Test
    void aSourceOfManyPiecesDoesNotDeepenTheStack() {
        String[] pieces = new String[20_000];
        java.util.Arrays.fill(pieces, "x");
        try (Peer peer = new Peer(
                exchange -> exchange.respond(Plans.stream(pieces.length, new Plans.Source(pieces))))) {
            assertThat(peer.send(GET).settle().answers()).endsWith("x".repeat(pieces.length));
        }
    }
}

package io.servery.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Handler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What answers cost the transport: a flush is a system call, and a write is a buffer that it takes there. Counted where the
/// transport would take them.
class WritesAndFlushesTest {
    private static final int COPIED = PlanWriter.COPIED_BYTES_MAX;
    private static final String SMALL = "GET /small HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String LARGE = "GET /large HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String HEAD = "HEAD /large HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String CURRENT = "GET /current HTTP/1.1\r\nHost: h\r\nIf-None-Match: *\r\n\r\n";

    private static final Handler ANSWERS = exchange -> exchange.respond(switch (exchange.path().decoded()) {
        case "/copied" -> Plans.large(COPIED);
        case "/large" -> Plans.large(COPIED + 1);
        case "/current" -> Plans.empty(304, 0);
        default -> Plans.bytes("small");
    });

    /// Stands at the transport's end of the pipeline.
    private static final class Counted extends ChannelOutboundHandlerAdapter {
        private int writes;
        private int flushes;

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            writes++;
            context.write(message, promise);
        }

        @Override
        public void flush(ChannelHandlerContext context) {
            flushes++;
            context.flush();
        }
    }

    private static Counted counted(Peer peer) {
        Counted counted = new Counted();
        peer.channel.pipeline().addFirst(counted);
        return counted;
    }

    /// Reads this in one go and answers it with these statuses.
    private static Counted answered(String requests, Integer... statuses) {
        try (Peer peer = new Peer(ANSWERS)) {
            Counted counted = counted(peer);
            assertThat(peer.send(requests).statuses()).containsExactly(statuses);
            return counted;
        }
    }

    private static void require(Counted counted, int writes, int flushes) {
        assertThat(counted.writes).as("writes").isEqualTo(writes);
        assertThat(counted.flushes).as("flushes").isEqualTo(flushes);
    }

    /// Head and content lie in one buffer, which goes out when the read is over.
    @Test
    void answerFromMemoryIsOneWriteAndOneFlush() {
        require(answered(SMALL, 200), 1, 1);
    }

    /// RFC 9112 §9.3.2: the answers follow one another, so they are gathered into one buffer, and the socket is asked once.
    @Test
    void pipelinedRequestsOfOneReadAreOneWriteAndOneFlush() {
        require(answered(SMALL.repeat(3), 200, 200, 200), 1, 1);
    }

    /// A socket that has more than one buffer takes several reads before it says that this was all: what they ask for is
    /// answered together, also where a request lies across two of them.
    @Test
    void readsOfOneBatchAreOneWriteAndOneFlush() {
        try (Peer peer = new Peer(ANSWERS)) {
            Counted counted = counted(peer);
            peer.channel.writeInbound(buffer(peer, SMALL), buffer(peer, SMALL + SMALL.substring(0, 9)),
                    buffer(peer, SMALL.substring(9)));
            assertThat(peer.statuses()).containsExactly(200, 200, 200);
            require(counted, 1, 1);
        }
    }

    /// What one batch asked for does not wait for the next.
    @Test
    void everyBatchOfReadsIsFlushed() {
        try (Peer peer = new Peer(ANSWERS)) {
            Counted counted = counted(peer);
            for (int batches = 1; batches <= 3; batches++) {
                assertThat(peer.send(SMALL).statuses()).containsExactly(200);
                require(counted, batches, batches);
            }
        }
    }

    /// RFC 9110 §9.3.2 and §15.4.5: the answer is its head, however large the content that is not sent.
    @ParameterizedTest
    @ValueSource(strings = {HEAD, CURRENT})
    void headAloneIsOneWriteAndOneFlush(String request) {
        int status = request.equals(CURRENT) ? 304 : 200;
        require(answered(request, status), 1, 1);
        require(answered(request.repeat(3), status, status, status), 1, 1);
    }

    @Test
    void answersWithAndWithoutContentAreGatheredTogether() {
        require(answered(SMALL + HEAD + CURRENT, 200, 200, 304), 1, 1);
    }

    /// Up to the bound a copy costs less than a buffer of its own.
    @Test
    void contentOfTheCopiedSizeIsBesideItsHeadInOneWrite() {
        require(answered("GET /copied HTTP/1.1\r\nHost: h\r\n\r\n", 200), 1, 1);
    }

    /// Past it the content goes as it is, as a write of its own behind that of its head; one flush sends both.
    @Test
    void contentPastTheCopiedSizeIsASecondWriteOfTheSameFlush() {
        require(answered(LARGE, 200), 2, 1);
        require(answered(LARGE.repeat(3), 200, 200, 200), 6, 1);
    }

    /// The head of the large one is gathered with what comes before it, and what comes after it begins anew: three writes.
    @Test
    void smallAnswersAroundALargeOneAreGatheredWithItsHeadAndAfterIt() {
        require(answered(SMALL + LARGE + SMALL, 200, 200, 200), 3, 1);
    }

    /// When as many answers as may be on their way are gathered they go out, and the rest of the read follows.
    @Test
    void moreRequestsThanMayBeUnderWayAreFlushedInBetween() {
        Integer[] statuses = new Integer[PlanWriter.DEPTH_MAX + 1];
        Arrays.fill(statuses, 200);
        require(answered(SMALL.repeat(statuses.length - 1), Arrays.copyOf(statuses, statuses.length - 1)), 1,
                1);
        require(answered(SMALL.repeat(statuses.length), statuses), 2, 2);
    }

    /// No read ends after an answer that a lane gave: it flushes itself.
    @Test
    void answerThatComesLaterIsOneWriteAndOneFlush() {
        List<Exchange> waiting = new ArrayList<>();
        try (Peer peer = new Peer(waiting::add)) {
            Counted counted = counted(peer);
            peer.send(SMALL);
            require(counted, 0, 0);
            waiting.getFirst().deliver(Plans.bytes("late"));
            assertThat(peer.statuses()).containsExactly(200);
            require(counted, 1, 1);
        }
    }

    private static ByteBuf buffer(Peer peer, String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        return peer.allocator.heapBuffer(bytes.length).writeBytes(bytes);
    }
}

package io.servery.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.servery.http.exchange.BodyReceiver;
import io.servery.http.exchange.BodySource;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Handler;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Answers and handlers for tests, and a source that counts how often it is given back.
final class Plans {
    /// Answers every request with its method and path, without asking for its content.
    static final Handler NAMES = exchange -> exchange
            .respond(bytes(exchange.head().methodToken() + " " + exchange.path().decoded()));

    /// Answers every request with its content in capitals between brackets.
    static final Handler ECHOES = exchange -> exchange.receive(new Collector(exchange));

    private Plans() {
    }

    static ResponsePlan bytes(String content) {
        byte[] bytes = content.getBytes(ISO_8859_1);
        return new ResponsePlan.Bytes(ResponseHead.status(200).length(bytes.length), bytes);
    }

    static ResponsePlan large(int size) {
        return new ResponsePlan.Bytes(ResponseHead.status(200).length(size), new byte[size]);
    }

    static ResponsePlan empty(int status, long length) {
        return new ResponsePlan.Empty(ResponseHead.status(status).length(length));
    }

    static ResponsePlan stream(long length, Source source) {
        return new ResponsePlan.Stream(ResponseHead.status(200).length(length), source);
    }

    /// Content in pieces.
    static class Source implements BodySource {
        int closed;
        private final Queue<String> pieces;

        Source(String... pieces) {
            this.pieces = new ArrayDeque<>(List.of(pieces));
        }

        @Override
        public @Nullable Part next() {
            String piece = pieces.poll();
            if ("throw".equals(piece)) {
                throw new IllegalStateException("the source failed");
            }
            return piece == null ? null : new Part.Chunk(piece.getBytes(ISO_8859_1));
        }

        @Override
        public void close() {
            closed++;
        }
    }

    /// Collects the content of one request and answers with it.
    static class Collector implements BodyReceiver {
        final StringBuilder content = new StringBuilder();
        int completed;
        int aborted;
        private final @Nullable Exchange exchange;

        Collector(@Nullable Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void data(ByteBuf bytes) {
            content.append(bytes.toString(ISO_8859_1));
        }

        @Override
        public void completed() {
            completed++;
            if (exchange != null) {
                exchange.respond(bytes("<" + content + ">"));
            }
        }

        @Override
        public void aborted() {
            aborted++;
        }
    }
}

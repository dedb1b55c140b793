package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Ticker;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.Transport;
import io.servery.http.exchange.BodyReceiver;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.exchange.RequestHead;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.http1.Http1Connection;
import io.servery.http.http1.Http1Limits;
import io.servery.http.http1.LoopResources;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One whole connection in memory: bytes in, everything that a peer or a handler can see out.
final class Wire {
    static final Http1Limits LIMITS = new Http1Limits(2048, 20, 512, 4096, 1024, 0, Long.MAX_VALUE / 4,
            Long.MAX_VALUE / 4, 0, Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);

    /// Shared by all connections of the thread, as those of an event loop share it: exchanges are reused across them.
    private static final MetricRegistry METRICS = new MetricRegistry(MetricScope.http1Files());
    private static final LoopResources LOOP = new LoopResources(METRICS.loopShard());
    private static final RefusalPages PAGES = new RefusalPages(true);
    private static final Pattern DATE = Pattern.compile("\r\nDate: [^\r]*\r\n");
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

    /// One request as a handler sees it.
    record Seen(String method, String target, String version, List<String> fields, String path, String content) {
    }

    /// All that happened.
    ///
    /// @param answers everything sent, without the dates
    /// @param ended whether the server said that it sends nothing more
    record Transcript(List<Seen> requests, String answers, boolean ended) {
        /// The status of the last answer that was not to a request that a handler saw, or 0.
        int refusal() {
            int status = 0;
            int count = 0;
            for (Matcher match = STATUS.matcher(answers); match.find();) {
                int found = Integer.parseInt(match.group(1));
                if (found != 100) {
                    status = found;
                    count++;
                }
            }
            return count > requests.size() ? status : 0;
        }
    }

    private final List<Seen> seen = new ArrayList<>();
    private final List<Throwable> bugs = new ArrayList<>();
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
    private final Channel channel = new Channel();

    private Wire() {
        HttpService service = new HttpService(List.of(), this::handle, PAGES, (_, _, _, _, _) -> {
        }, bugs::add);
        channel.config().setAllocator(allocator);
        channel.pipeline().addLast(new Http1Connection(service, LIMITS, LOOP));
        try {
            channel.register();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /// What a connection makes of these bytes in segments that end at these places, and of the end of input after them.
    static Transcript run(byte[] bytes, int[] cuts, boolean endInput) {
        Wire wire = new Wire();
        int from = 0;
        for (int cut : cuts) {
            wire.send(bytes, from, cut);
            from = cut;
        }
        wire.send(bytes, from, bytes.length);
        if (endInput) {
            wire.channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
        return wire.end();
    }

    private void send(byte[] bytes, int from, int to) {
        if (to > from) {
            channel.writeInbound((Object) allocator.heapBuffer(to - from).writeBytes(bytes, from, to - from));
        }
    }

    private Transcript end() {
        channel.runPendingTasks();
        StringBuilder answers = new StringBuilder();
        for (Object message = channel.readOutbound(); message != null; message = channel.readOutbound()) {
            ByteBuf part = (ByteBuf) message;
            answers.append(part.toString(ISO_8859_1));
            part.release();
        }
        boolean ended = channel.isOutputShutdown() || !channel.isOpen();
        channel.finishAndReleaseAll();
        channel.checkException();
        Invariant.holds(bugs.isEmpty(), () -> "bugs: " + bugs);
        Invariant.holds(METRICS.snapshot().requestsInFlight(Transport.H1) == 0, () -> "a request is still in flight");
        Invariant.holds(allocator.metric().usedHeapMemory() == 0, () -> "buffers were not given back");
        return new Transcript(List.copyOf(seen), DATE.matcher(answers).replaceAll("\r\n"), ended);
    }

    private void handle(Exchange exchange) {
        exchange.receive(new Recorder(exchange));
    }

    private final class Recorder implements BodyReceiver {
        private final Exchange exchange;
        private final StringBuilder content = new StringBuilder();

        Recorder(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void data(ByteBuf bytes) {
            content.append(bytes.toString(ISO_8859_1));
        }

        @Override
        public void completed() {
            RequestHead head = exchange.head();
            List<String> fields = new ArrayList<>();
            for (int i = 0; i < head.fieldCount(); i++) {
                fields.add(head.fieldName(i) + ": " + head.fieldValue(i));
            }
            seen.add(new Seen(head.methodToken(), head.target(), head.version().toString(), List.copyOf(fields),
                    exchange.path().decoded(), content.toString()));
            exchange.respond(new ResponsePlan.Bytes(ResponseHead.status(200).length(1), new byte[]{'!'}));
        }

        @Override
        public void aborted() {
            // The refusal is in the answers.
        }
    }

    private static final class Channel extends EmbeddedChannel implements DuplexChannel {
        private boolean outputShutdown;

        Channel() {
            super(builder().register(false).ticker(Ticker.newMockTicker()));
        }

        @Override
        public boolean isInputShutdown() {
            return false;
        }

        @Override
        public ChannelFuture shutdownInput() {
            return newSucceededFuture();
        }

        @Override
        public ChannelFuture shutdownInput(ChannelPromise promise) {
            return promise.setSuccess();
        }

        @Override
        public boolean isOutputShutdown() {
            return outputShutdown;
        }

        @Override
        public ChannelFuture shutdownOutput() {
            return shutdownOutput(newPromise());
        }

        @Override
        public ChannelFuture shutdownOutput(ChannelPromise promise) {
            outputShutdown = true;
            return promise.setSuccess();
        }

        @Override
        public boolean isShutdown() {
            return outputShutdown;
        }

        @Override
        public ChannelFuture shutdown() {
            return shutdownOutput();
        }

        @Override
        public ChannelFuture shutdown(ChannelPromise promise) {
            return shutdownOutput(promise);
        }
    }
}

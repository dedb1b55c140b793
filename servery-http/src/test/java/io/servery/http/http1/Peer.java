package io.servery.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.Transport;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.Handler;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.exchange.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The other end of one embedded connection, and everything that can be seen of the server from outside: its bytes, what
/// it counted, what it told the access log, the bugs that it reported.
///
/// *Invariant:* when it is closed, every buffer was given back and no request is in flight; bugs that were not expected
/// fail the test.
final class Peer implements AutoCloseable {
    static final Http1Limits LIMITS = new Http1Limits(32 * 1024, 100, 8 * 1024, 100L * 1024 * 1024, 64 * 1024, 0,
            TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(60), 500, TimeUnit.SECONDS.toNanos(60),
            TimeUnit.SECONDS.toNanos(30));

    /// What the access log was told.
    record Completion(int status, long contentBytes, @Nullable Reason reason) {
    }

    final EmbeddedDuplexChannel channel = new EmbeddedDuplexChannel();
    final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
    final List<Completion> completions = new ArrayList<>();
    final List<Throwable> bugs = new ArrayList<>();
    final LoopResources loop;
    final Http1Connection connection;
    private final MetricRegistry registry;
    private final StringBuilder received = new StringBuilder();
    private boolean bugsExpected;

    Peer(Handler handler) {
        this(handler, LIMITS);
    }

    Peer(Handler handler, Http1Limits limits) {
        this(handler, limits, List.of());
    }

    Peer(Handler handler, Http1Limits limits, List<Stage> stages) {
        this(handler, limits, stages, registry());
    }

    private Peer(Handler handler, Http1Limits limits, List<Stage> stages, MetricRegistry registry) {
        this(handler, limits, stages, registry, new LoopResources(registry.loopShard()));
    }

    /// A service that binds to TLS for so long where it is spoken.
    Peer(Handler handler, Duration strictTransport) {
        this(handler, strictTransport, registry());
    }

    private Peer(Handler handler, Duration strictTransport, MetricRegistry registry) {
        this(handler, LIMITS, List.of(), registry, new LoopResources(registry.loopShard(), strictTransport));
    }

    /// Another connection of the same event loop.
    Peer(Handler handler, Peer sibling) {
        this(handler, LIMITS, List.of(), sibling.registry, sibling.loop);
    }

    private Peer(Handler handler, Http1Limits limits, List<Stage> stages, MetricRegistry registry,
            LoopResources loop) {
        this.registry = registry;
        this.loop = loop;
        HttpService service = new HttpService(stages, handler, new RefusalPages(true),
                (_, status, bytes, _, reason) -> completions.add(new Completion(status, bytes, reason)), bugs::add);
        connection = new Http1Connection(service, limits, loop);
        channel.config().setAllocator(allocator);
        channel.pipeline().addLast(connection);
        try {
            channel.register();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static MetricRegistry registry() {
        return new MetricRegistry(MetricScope.http1Files());
    }

    /// Sends one segment.
    Peer send(String bytes) {
        return send(bytes.getBytes(ISO_8859_1));
    }

    Peer send(byte[] bytes) {
        channel.writeInbound((Object) allocator.heapBuffer(Math.max(1, bytes.length)).writeBytes(bytes));
        return this;
    }

    /// Sends every byte as a segment of its own.
    Peer sendBytewise(String bytes) {
        for (byte b : bytes.getBytes(ISO_8859_1)) {
            send(new byte[]{b});
        }
        return this;
    }

    Peer endInput() {
        channel.endInput();
        return settle();
    }

    /// Lets time pass in steps of a tenth of a second.
    Peer advance(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= 100) {
            channel.ticker.advance(Math.min(100, left), TimeUnit.MILLISECONDS);
            settle();
        }
        return this;
    }

    /// Runs what waits on the event loop.
    Peer settle() {
        channel.runPendingTasks();
        return this;
    }

    /// Everything received since the last call.
    String answers() {
        settle();
        for (Object message = channel.readOutbound(); message != null; message = channel.readOutbound()) {
            ByteBuf bytes = (ByteBuf) message;
            received.append(bytes.toString(ISO_8859_1));
            bytes.release();
        }
        String all = received.toString();
        received.setLength(0);
        return all;
    }

    /// The status codes of what was received since the last call, in their order.
    List<Integer> statuses() {
        return java.util.regex.Pattern.compile("HTTP/1\\.1 (\\d{3}) ").matcher(answers()).results()
                .map(match -> Integer.valueOf(match.group(1))).collect(Collectors.toList());
    }

    /// Whether the server has said that it sends nothing more.
    boolean ended() {
        return channel.isOutputShutdown() || !channel.isOpen();
    }

    MetricSnapshot metrics() {
        return registry.snapshot();
    }

    long rejections(Reason reason) {
        return metrics().rejections(reason, Transport.H1);
    }

    Peer expectBugs() {
        bugsExpected = true;
        return this;
    }

    @Override
    public void close() {
        String _ = answers();
        channel.finishAndReleaseAll();
        channel.checkException();
        assertThat(metrics().requestsInFlight(Transport.H1)).as("requests in flight").isZero();
        assertThat(allocator.metric().usedHeapMemory()).as("bytes of buffers not given back").isZero();
        if (!bugsExpected) {
            assertThat(bugs).isEmpty();
        }
    }
}

package io.servery.netty.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.WorkClass;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.http1.Http1Connection;
import io.servery.http.http1.Http1Limits;
import io.servery.http.http1.LoopResources;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One drain, from its order to its report.
@Timeout(30)
class DrainTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);
    private static final Http1Limits LIMITS = new Http1Limits(32_768, 100, 8192, 1 << 20, 1 << 16, 0,
            LONG.toNanos(), LONG.toNanos(), 500, LONG.toNanos(), LONG.toNanos());

    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, LocalIoHandler.newFactory());
    private final MetricRegistry registry = new MetricRegistry(MetricScope.http1Files());

    @AfterEach
    void stop() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static CompletableFuture<Void> never() {
        return new CompletableFuture<>();
    }

    @Test
    void withNothingLeftItEndsAtOnceAndIsComplete() throws InterruptedException {
        DrainReport report = new Drain(List.of()).run(DONE, () -> DONE, new Drain.Times(LONG, Duration.ZERO, LONG));

        assertThat(report.complete()).isTrue();
        assertThat(report.durationMillis()).isLessThan(LONG.toMillis());
    }

    /// A connection that waited in the queue of a listening socket is accepted work too.
    @Test
    void whetherItIsIdleIsAskedOnlyAfterTheListenersHaveClosed() throws InterruptedException {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        AtomicBoolean askedTooEarly = new AtomicBoolean();
        Supplier<CompletableFuture<Void>> idle = () -> {
            askedTooEarly.compareAndSet(false, !closed.isDone());
            return DONE;
        };
        loops.next().schedule(() -> closed.complete(null), 20, TimeUnit.MILLISECONDS);

        assertThat(new Drain(List.of()).run(closed, idle, new Drain.Times(LONG, Duration.ZERO, LONG)).complete())
                .isTrue();
        assertThat(askedTooEarly).isFalse();
    }

    @Test
    void deadlineAndForceTimeoutTogetherBoundIt() throws InterruptedException {
        DrainReport report = new Drain(List.of()).run(DONE, DrainTest::never,
                new Drain.Times(SHORT, Duration.ZERO, SHORT));

        assertThat(report.durationMillis()).isBetween(2 * SHORT.toMillis() - 1, LONG.toMillis());
    }

    @Test
    void listenersThatDoNotCloseHoldItNoLongerThanTheDeadline() throws InterruptedException {
        DrainReport report = new Drain(List.of()).run(never(), () -> DONE, new Drain.Times(SHORT, Duration.ZERO, LONG));

        assertThat(report.durationMillis()).isBetween(SHORT.toMillis() - 1, LONG.toMillis() / 2);
    }

    @Test
    void hurryEndsTheWaitWhetherItComesBeforeOrDuringTheDrain() throws InterruptedException {
        Drain before = new Drain(List.of());
        before.hurry();
        assertThat(before.run(never(), () -> DONE, new Drain.Times(LONG, Duration.ZERO, LONG)).durationMillis())
                .isLessThan(LONG.toMillis() / 2);

        Drain during = new Drain(List.of());
        loops.next().schedule(during::hurry, 20, TimeUnit.MILLISECONDS);
        assertThat(during.run(DONE, new Supplier<>() {
            private int asked;

            @Override
            public CompletableFuture<Void> get() {
                return asked++ == 0 ? never() : DONE;
            }
        }, new Drain.Times(LONG, Duration.ZERO, LONG)).durationMillis()).isLessThan(LONG.toMillis() / 2);
    }

    @Test
    void workOfEveryLoopThatIsCutShortIsCountedByItsKind() throws InterruptedException {
        Connections connections = new Connections(3);
        Drain drain = new Drain(connections.ofLoops());
        drain.hurry();

        DrainReport report = drain.run(DONE, () -> connections.closed, new Drain.Times(LONG, Duration.ZERO, LONG));

        assertThat(report.complete()).isFalse();
        assertThat(report.forced()).containsExactly(Map.entry(WorkClass.APPLICATION, 3));
        assertThat(registry.snapshot().drainForced(WorkClass.APPLICATION, Reason.DEADLINE_HTTP1)).isEqualTo(3);
        assertThat(connections.closed).isCompleted();
    }

    @Test
    void connectionThatNeverSaidAnythingIsNotWork() throws InterruptedException {
        Connections connections = new Connections(0);
        connections.open("");
        Drain drain = new Drain(connections.ofLoops());
        drain.hurry();

        assertThat(drain.run(DONE, () -> connections.closed, new Drain.Times(LONG, Duration.ZERO, LONG)).complete())
                .isTrue();
        assertThat(connections.closed).isCompleted();
    }

    /// RFC 9112 §9.6 lets a server end an idle connection at any time; who comes anew comes one after the other.
    @Test
    void idleConnectionsPartOverTheTimeThatIsGiven() throws InterruptedException {
        Connections connections = new Connections(0);
        int count = 20;
        List<Long> ends = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < count; i++) {
            connections.open("", ends);
        }
        connections.arrived(count);
        Duration parting = Duration.ofSeconds(1);

        DrainReport report = new Drain(connections.ofLoops()).run(DONE, connections::allClosed,
                new Drain.Times(LONG, parting, LONG));

        assertThat(report.complete()).isTrue();
        assertThat(ends).hasSize(count);
        List<Long> sorted = ends.stream().map(TimeUnit.NANOSECONDS::toMillis).sorted().toList();
        assertThat(sorted.getLast() - sorted.getFirst()).as("between the first and the last")
                .isGreaterThan(parting.toMillis() / 2);
    }

    @Test
    void workOfOneThatHasNotBeenToldYetIsCutAndCountedAtTheDeadline() throws InterruptedException {
        Connections connections = new Connections(3);

        DrainReport report = new Drain(connections.ofLoops()).run(DONE, () -> connections.closed,
                new Drain.Times(SHORT, SHORT, LONG));

        assertThat(report.forced()).containsExactly(Map.entry(WorkClass.APPLICATION, 3));
    }

    /// Connections with a request each that nobody answers, spread over both loops.
    private final class Connections {
        private final Map<EventLoop, LoopResources> resources = new HashMap<>();
        private final CompletableFuture<Void> closed;
        private final List<CompletableFuture<Void>> each = new ArrayList<>();
        private final LocalAddress address = new LocalAddress(DrainTest.class);
        private final CountDownLatch handling;

        Connections(int requests) throws InterruptedException {
            handling = new CountDownLatch(requests);
            loops.forEach(loop -> resources.put((EventLoop) loop, new LoopResources(registry.loopShard())));
            HttpService service = new HttpService(List.of(), exchange -> {
                exchange.workClass(WorkClass.APPLICATION);
                handling.countDown();
            }, new RefusalPages(true), (_, _, _, _, _) -> {
            }, bug -> {
                throw new AssertionError(bug);
            });
            new ServerBootstrap().group(loops).channel(LocalServerChannel.class)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(new Http1Connection(service, LIMITS,
                                    resources.get(channel.eventLoop())));
                        }
                    }).bind(address).sync();
            for (int i = 0; i < requests; i++) {
                open("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            }
            assertThat(handling.await(10, TimeUnit.SECONDS)).isTrue();
            closed = CompletableFuture.allOf(each.toArray(CompletableFuture[]::new));
        }

        private void open(String bytes) throws InterruptedException {
            open(bytes, new ArrayList<>());
        }

        /// @param ends when each was closed
        private void open(String bytes, List<Long> ends) throws InterruptedException {
            Channel peer = new Bootstrap().group(loops).channel(LocalChannel.class)
                    .handler(new ChannelInboundHandlerAdapter() {
                        @Override
                        public void channelRead(ChannelHandlerContext context, Object message) {
                            throw new AssertionError("nobody answers here");
                        }
                    }).connect(address).sync().channel();
            peer.writeAndFlush(Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII)).sync();
            CompletableFuture<Void> gone = new CompletableFuture<>();
            peer.closeFuture().addListener(_ -> {
                ends.add(System.nanoTime());
                gone.complete(null);
            });
            each.add(gone);
        }

        private CompletableFuture<Void> allClosed() {
            return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new));
        }

        /// Waits until so many are open at this end.
        private void arrived(int count) {
            await().until(() -> resources.entrySet().stream().mapToInt(loop -> loop.getKey()
                    .submit(() -> loop.getValue().connections().size()).syncUninterruptibly().getNow()).sum() == count);
        }

        List<Drain.LoopConnections> ofLoops() {
            return resources.entrySet().stream().map(loop -> new Drain.LoopConnections(loop.getKey(), loop.getValue()))
                    .toList();
        }
    }
}

package io.servery.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.Transport;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.AcquiredFile;
import io.servery.http.exchange.BodySource;
import io.servery.http.exchange.Handler;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What only sockets can show: parts of files, resets, half-closed connections.
class SocketTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String LAST = "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    private static final int TIMEOUT_MILLIS = 20_000;

    @TempDir
    private Path directory;

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final MetricRegistry registry = new MetricRegistry(MetricScope.http1Files());
    private final LoopResources loop = new LoopResources(registry.loopShard());
    private final Queue<Peer.Completion> completions = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> bugs = new ConcurrentLinkedQueue<>();
    private final CountedFiles files = new CountedFiles();
    private Channel server;
    private volatile Handler handler = Plans.NAMES;
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();

    @BeforeEach
    void listen() throws Exception {
        HttpService service = new HttpService(List.of(), exchange -> handler.handle(exchange), new RefusalPages(true),
                (_, status, bytes, _, reason) -> completions.add(new Peer.Completion(status, bytes, reason)),
                bugs::add);
        server = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new Http1Connection(service, Peer.LIMITS, loop));
                        accepted.add(channel);
                    }
                }).bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync().channel();
    }

    @AfterEach
    void everythingIsGivenBack() {
        await().until(() -> registry.snapshot().connectionsActive(Transport.H1) == 0);
        assertThat(registry.snapshot().requestsInFlight(Transport.H1)).isZero();
        files.requireAllClosed();
        assertThat(bugs).isEmpty();
        server.close().syncUninterruptibly();
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(),
                ((InetSocketAddress) server.localAddress()).getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static void send(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    private Path file(int size) throws IOException {
        return CountedFiles.make(directory, size);
    }

    private ResponsePlan range(Path path, long offset, long length) {
        return new ResponsePlan.FileRange(ResponseHead.status(200).length(length), files.open(path), offset);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16 * 1024, 16 * 1024 + 1, 1 << 20, (1 << 20) + (16 << 10) + 1, 5_000_000})
    void aFileIsSentWholeAndTheConnectionGoesOn(int size) throws Exception {
        Path path = file(size);
        handler = exchange -> exchange.respond(range(path, 0, size));
        try (Socket socket = connect()) {
            send(socket, GET + LAST);
            String answers = rest(socket);
            int first = answers.indexOf("\r\n\r\n") + 4;
            String content = Files.readString(path, ISO_8859_1);
            assertThat(answers.substring(first, first + size)).isEqualTo(content);
            assertThat(answers.substring(first + size)).startsWith("HTTP/1.1 200 ").endsWith(content);
        }
        assertThat(completions).containsExactly(new Peer.Completion(200, size, null),
                new Peer.Completion(200, size, null));
    }

    /// A peer that keeps its connection open waits for the answer, not for the end.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16 * 1024, 16 * 1024 + 1, 64 * 1024, 1 << 20})
    void contentInMemoryIsSentAtOnceOnAConnectionThatStaysOpen(int size) throws Exception {
        handler = exchange -> exchange.respond(Plans.large(size));
        try (Socket socket = connect()) {
            for (int request = 0; request < 2; request++) {
                send(socket, GET);
                StringBuilder head = new StringBuilder();
                while (head.indexOf("\r\n\r\n") < 0) {
                    head.append((char) socket.getInputStream().read());
                }
                assertThat(head).startsWith("HTTP/1.1 200 ");
                assertThat(socket.getInputStream().readNBytes(size)).hasSize(size);
            }
        }
    }

    @Test
    void aRangeOfAFileIsSent() throws Exception {
        Path path = file(3_000_000);
        handler = exchange -> exchange.respond(range(path, 1_000_003, 1_500_000));
        try (Socket socket = connect()) {
            send(socket, LAST);
            assertThat(rest(socket)).endsWith(Files.readString(path, ISO_8859_1).substring(1_000_003, 2_500_003));
        }
    }

    @Test
    void theAnswerToHeadOpensAndClosesItsFileOnce() throws Exception {
        Path path = file(100_000);
        handler = exchange -> exchange.respond(range(path, 0, 100_000));
        try (Socket socket = connect()) {
            send(socket, "HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            assertThat(rest(socket)).contains("Content-Length: 100000\r\n").endsWith("\r\n\r\n");
        }
    }

    @Test
    void partsOfFilesAndBytesMakeOneContent() throws Exception {
        Path path = file(100_000);
        handler = exchange -> {
            AcquiredFile file = files.open(path);
            Queue<BodySource.Part> parts = new ConcurrentLinkedQueue<>(List.of(
                    new BodySource.Part.Chunk("<".getBytes(ISO_8859_1)), new BodySource.Part.FilePart(file, 5, 50_000),
                    new BodySource.Part.Chunk(new byte[0]), new BodySource.Part.FilePart(file, 0, 0),
                    new BodySource.Part.FilePart(file, 99_999, 1),
                    new BodySource.Part.Chunk(">".getBytes(ISO_8859_1))));
            exchange.respond(new ResponsePlan.Stream(ResponseHead.status(206).length(50_003), new BodySource() {
                @Override
                public Part next() {
                    return parts.poll();
                }

                @Override
                public void close() {
                    file.close();
                }
            }));
        };
        try (Socket socket = connect()) {
            send(socket, LAST);
            String content = Files.readString(path, ISO_8859_1);
            assertThat(rest(socket))
                    .endsWith("\r\n\r\n<" + content.substring(5, 50_005) + content.substring(99_999) + ">");
        }
    }

    @Test
    void aFileCutShortWhileItIsSentEndsTheConnectionShort() throws Exception {
        Path path = file(5_000_000);
        handler = exchange -> {
            ResponsePlan plan = range(path, 0, 5_000_000);
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(1_500_000);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            exchange.respond(plan);
        };
        try (Socket socket = connect()) {
            send(socket, GET + GET);
            String answers = rest(socket);
            assertThat(answers.length()).isLessThan(5_000_000);
            assertThat(answers).containsOnlyOnce("HTTP/1.1 ");
        }
        await().untilAsserted(() -> assertThat(completions).hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aFileThatChangedIsNeverCompletedFromTwoVersions(int times) throws Exception {
        Path path = file(20_000_000);
        files.unchangedTimes = times;
        handler = exchange -> exchange.respond(range(path, 0, 20_000_000));
        try (Socket socket = connect()) {
            send(socket, GET + GET);
            String answers = rest(socket);
            assertThat(answers.length()).isLessThan(20_000_000);
        } catch (IOException e) {
            assertThat(e).as("a reset is as good as an early end").hasMessageContaining("reset");
        }
        await().untilAsserted(() -> assertThat(completions).hasSize(1).first()
                .extracting(Peer.Completion::reason).isEqualTo(Reason.SHORT_READ));
    }

    @Test
    void aPeerThatResetsWhileAFileIsSentLeavesNothingOpen() throws Exception {
        Path path = file(20_000_000);
        handler = exchange -> exchange.respond(range(path, 0, 20_000_000));
        try (Socket socket = connect()) {
            send(socket, GET);
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            socket.setSoLinger(true, 0);
        }
        await().untilAsserted(() -> assertThat(completions).hasSize(1));
        assertThat(completions.element().contentBytes()).isLessThan(20_000_000);
    }

    /// What is in memory goes out while the disk is waited for, and the event loop does something else.
    @Test
    void aFileOnTheDiskIsSentAsItIsBroughtIn() throws Exception {
        int size = 9_000_000;
        Path path = file(size);
        BlockingQueue<Runnable> disk = new LinkedBlockingQueue<>();
        files.inMemory = 1_000_003;
        files.full.set(1);
        files.disk = disk::add;
        handler = exchange -> exchange.respond(
                exchange.path().decoded().equals("/") ? range(path, 0, size) : Plans.large(1));
        try (Socket socket = connect()) {
            send(socket, LAST);
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            StringBuilder content = new StringBuilder(new String(in.readNBytes(1_000_003), ISO_8859_1));
            while (content.length() < size) {
                Runnable brought = disk.take();
                assertThat(in.available()).as("sent before it was there").isZero();
                try (Socket other = connect()) {
                    send(other, "GET /other HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
                    assertThat(rest(other)).startsWith("HTTP/1.1 200 ");
                }
                brought.run();
                int count = Math.min(ReadAhead.BROUGHT_BYTES, size - content.length());
                content.append(new String(in.readNBytes(count), ISO_8859_1));
            }
            assertThat(content.toString()).isEqualTo(Files.readString(path, ISO_8859_1));
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void aPeerThatResetsWhileTheDiskIsWaitedForLeavesNothingOpen() throws Exception {
        Path path = file(5_000_000);
        BlockingQueue<Runnable> disk = new LinkedBlockingQueue<>();
        files.inMemory = 0;
        files.disk = disk::add;
        handler = exchange -> exchange.respond(range(path, 0, 5_000_000));
        try (Socket socket = connect()) {
            send(socket, GET);
            assertThat(socket.getInputStream().read()).as("the head is not kept back").isEqualTo('H');
            socket.setSoLinger(true, 0);
        }
        await().untilAsserted(() -> assertThat(completions).hasSize(1));
        assertThat(completions.element().contentBytes()).isZero();
        disk.take().run();
    }

    @Test
    void aPeerThatHalfClosesGetsItsAnswersAndThenTheEnd() throws Exception {
        Path path = file(5_000_000);
        handler = exchange -> exchange.respond(range(path, 0, 5_000_000));
        try (Socket socket = connect()) {
            send(socket, GET);
            socket.shutdownOutput();
            assertThat(rest(socket)).hasSizeGreaterThan(5_000_000);
        }
    }

    /// RFC 9112 §9.5: what the server closes as idle the client may be sending on; what came before is answered. The loop is
    /// held up until the grace of a drain is over: the request comes between its look at the sockets and its timers.
    @Test
    void aRequestThatCameWhileTheLoopWasHeldUpIsAnsweredAtTheEndOfADrainsGrace() throws Exception {
        try (Socket socket = connect()) {
            Http1Connection connection = accepted.take().pipeline().get(Http1Connection.class);
            EventLoop eventLoop = group.next();
            eventLoop.submit(() -> {
                long end = System.nanoTime() + 2 * Http1Connection.DRAIN_GRACE_NANOS;
                var _ = eventLoop.schedule(() -> {
                    send(socket, GET);
                    return true;
                }, Http1Connection.DRAIN_GRACE_NANOS, TimeUnit.NANOSECONDS);
                connection.drain();
                await().until(() -> System.nanoTime() - end > 0);
            }).sync();
            assertThat(rest(socket)).startsWith("HTTP/1.1 200 ").contains("\r\nConnection: close\r\n");
        }
    }

    /// The same of a connection that has not come to HTTP: its last word may lie in the socket.
    @Test
    void anArrivalIsWaitedForUntilTheHeldUpLoopHasLookedOnceMore() throws Exception {
        try (Socket socket = connect()) {
            Channel arriving = accepted.take();
            EventLoop eventLoop = group.next();
            Queue<String> order = new ConcurrentLinkedQueue<>();
            eventLoop.submit(() -> {
                loop.arrives(arriving);
                arriving.closeFuture().addListener(_ -> order.add("closed"));
                arriving.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        order.add("looked");
                        ctx.fireChannelRead(message);
                    }
                });
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_200);
                var _ = eventLoop.schedule(() -> {
                    send(socket, GET);
                    return true;
                }, 1, TimeUnit.SECONDS);
                loop.drain();
                await().until(() -> System.nanoTime() - end > 0);
            }).sync();
            await().until(() -> order.contains("closed"));
            assertThat(order).startsWith("looked");
        }
    }

    @Test
    void aRefusedPeerThatStillSendsReadsItsAnswerRatherThanAReset() throws Exception {
        try (Socket socket = connect()) {
            send(socket, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999999\r\n\r\n" + "x".repeat(200_000));
            send(socket, "x".repeat(200_000));
            assertThat(rest(socket)).startsWith("HTTP/1.1 413 ");
            send(socket, "x".repeat(200_000));
        }
    }
}

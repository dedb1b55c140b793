package io.servery.netty.worker;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.ReferenceCountUtil;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.StaticFiles;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricShard;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.tls.Identity;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.http1.Http1Limits;
import io.servery.http.http1.LoopResources;
import io.servery.http.tls.OwnClient;
import io.servery.netty.admission.ConnectionAdmission;
import io.servery.netty.drain.Drain;
import io.servery.netty.files.FileSite;
import io.servery.netty.files.FilesHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Requests that a worker serves to itself before it is ready: over TCP, through the code that will accept and serve
/// those of its clients, with counters and without an access log that nobody sees. On an event loop of its own: those that
/// will serve have nothing of it. A worker that speaks TLS shakes hands with itself there, in full and with tickets in turn. It
/// drains one connection, too: when it leaves, its clients wait for whatever is new to it.
///
/// *Invariant*: the socket that listens for it, on the loopback interface, takes its own connections alone.
final class WarmUp {
    /// Connections, if time is not up before: in the first ones code is loaded and linked, in the others counted for the
    /// compilers.
    private static final int ROUNDS = 300;
    /// The one whose requests are those that clients send seldom: time may be up before it.
    private static final int SELDOM_ROUND = 3;
    /// Requests of a connection: what is done once for each is to be counted as well.
    private static final int REPETITIONS = 10;
    private static final int CONNECTIONS_MAX = 1024;
    /// So many names of the root are looked at for a file to ask for.
    private static final int NAMES_MAX = 64;
    private static final long SMALL_BYTES = 64 * 1024;
    private static final String PLAIN_NAME = "[A-Za-z0-9_][A-Za-z0-9._-]*";
    private static final String LOCAL = "localhost";
    private static final String FIELDS = " HTTP/1.1\r\nAccept-Encoding: gzip, br, zstd\r\nHost: ";
    /// No request: it is refused, and ends the connection.
    private static final String BAD_REQUEST = "GET\r\n\r\n";

    private final FileSite site;
    private final Supplier<Http1Limits> limits;
    private final @Nullable SecureEntry entry;
    private final String host;
    /// A small file; the root where there is none.
    private final String target;
    /// The target, and whether it is still the same.
    private final byte[] first;
    /// What is not there, a listing, and what is no request.
    private final byte[] seldom;
    /// The target many times over.
    private final byte[] repeated;
    /// Of requests that are nobody's.
    private final MetricRegistry registry = new MetricRegistry(MetricScope.http1FilesTls());
    private final MetricShard shard = registry.loopShard();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile @Nullable SocketAddress client;

    /// @param entry what clients pass first; null where all is plain
    WarmUp(ServeryConfig config, FileSite site, Supplier<Http1Limits> limits, @Nullable SecureEntry entry) {
        this.site = site;
        this.limits = limits;
        this.entry = entry;
        this.host = entry == null ? LOCAL : host(entry.byDefault());
        this.target = smallFile(config).map(name -> "/" + name).orElse("/");
        String again = request(target, "If-Modified-Since: Fri, 31 Dec 9999 23:59:59 GMT\r\n");
        this.first = bytes(request(target, "") + again + request(target, "Connection: close\r\n"));
        this.seldom = bytes(request("/servery-warm-up", "") + request("/", "") + BAD_REQUEST);
        this.repeated = bytes(request(target, "").repeat(REPETITIONS) + request(target, "Connection: close\r\n"));
    }

    /// One that the identity stands for, so that requests are not misdirected: a name rather than an address, which no client
    /// says before its handshake.
    private static String host(Identity identity) {
        String host = LOCAL;
        for (String name : identity.names().texts()) {
            if (!name.startsWith("[")) {
                return name.replace("*", "www");
            }
            host = name.indexOf(':') < 0 ? name.substring(1, name.length() - 1) : name;
        }
        return host;
    }

    private String request(String target, String fields) {
        return "GET " + target + FIELDS + host + "\r\n" + fields + "\r\n";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static Optional<String> smallFile(ServeryConfig config) {
        Path root = switch (config.application()) {
            case StaticFiles files -> files.root();
        };
        try (DirectoryStream<Path> names = Files.newDirectoryStream(root)) {
            Iterator<Path> all = names.iterator();
            for (int i = 0; i < NAMES_MAX && all.hasNext(); i++) {
                Path file = all.next();
                String name = file.getFileName().toString();
                if (name.matches(PLAIN_NAME) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && Files.size(file) <= SMALL_BYTES) {
                    return Optional.of(name);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // Then the requests without a file have to do.
        }
        return Optional.empty();
    }

    /// Serves the requests, some times over, until all is done or time is up. Where there is no loopback interface nothing is
    /// served, and the first clients wait for it.
    ///
    /// @throws WarmUpException when code that serves them throws
    void run(Duration max) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + max.toNanos();
        if (entry == null) {
            run(deadlineNanos, null, null);
            return;
        }
        try (SecureEntry own = entry.forItself(); OwnClient peer = OwnClient.of(entry.byDefault())) {
            run(deadlineNanos, own, peer);
        } catch (SSLException refused) {
            // What clients meet has shaken hands with itself already; then the first of them wait.
        }
    }

    private void run(long deadlineNanos, @Nullable SecureEntry own, @Nullable OwnClient peer)
            throws InterruptedException {
        LoopGroup group = LoopGroup.of(true, 1, "servery-warm-up-");
        try {
            EventLoop eventLoop = group.eventLoops().getFirst();
            Visits visits = new Visits(eventLoop, peer, deadlineNanos);
            Loop leaving = uncounted(eventLoop, own);
            Channel door = open(leaving);
            Channel server = open(uncounted(eventLoop, own));
            if (door != null && server != null) {
                Leave leave = visits.drained(door, leaving);
                try {
                    for (int round = 0; round < ROUNDS; round++) {
                        site.suspect(target); // clients come to that a second later
                        if (!visits.made(server, round)) {
                            break;
                        }
                    }
                } finally {
                    leave.end();
                }
            }
        } finally {
            group.end();
        }
    }

    /// A socket that listens for its own connections, to be served by this loop; null where there is no loopback interface.
    private @Nullable Channel open(Loop loop) throws InterruptedException {
        EpollServerSocketChannel server = new EpollServerSocketChannel();
        server.pipeline().addLast(new Doorkeeper(),
                new Acceptor(List.of(loop), new ConnectionAdmission(CONNECTIONS_MAX, 0), _ -> {
                }));
        var _ = loop.eventLoop().register(server);
        if (server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).await().isSuccess()) {
            return server;
        }
        server.close().await();
        return null;
    }

    private byte[] requests(int round) {
        return switch (round) {
            case 0 -> first;
            case SELDOM_ROUND -> seldom;
            default -> repeated;
        };
    }

    /// The connections to itself, one at a time.
    private final class Visits {
        private final EventLoop eventLoop;
        private final @Nullable OwnClient peer;
        private final long deadlineNanos;

        Visits(EventLoop eventLoop, @Nullable OwnClient peer, long deadlineNanos) {
            this.eventLoop = eventLoop;
            this.peer = peer;
            this.deadlineNanos = deadlineNanos;
        }

        /// One that ends when it is answered.
        ///
        /// @return whether it ended in time
        boolean made(Channel server, int round) throws InterruptedException {
            // Of two connections the first gets the ticket with which the second comes back.
            Channel visitor = begin(server, new Visitor(requests(round)), 1 + round / 2);
            boolean inTime = isDone(ended(visitor), deadlineNanos);
            end(visitor);
            return inTime;
        }

        /// One that would stay, but is told to end; which takes its time, while others come.
        Leave drained(Channel server, Loop loop) throws InterruptedException {
            Visitor staying = new Visitor(bytes(request(target, "")));
            Channel visitor = begin(server, staying, ROUNDS);
            CompletableFuture<Void> ended = ended(visitor);
            var _ = ended.thenRun(() -> staying.answered.complete(null));
            boolean inTime = isDone(staying.answered, deadlineNanos);
            end(inTime ? null : visitor);
            return new Leave(loop, ended, Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())));
        }

        private Channel begin(Channel server, Visitor handler, int pair) throws InterruptedException {
            EpollSocketChannel visitor = new EpollSocketChannel();
            if (peer != null) {
                visitor.pipeline().addLast(peer.newHandler(visitor.alloc(), host, pair));
            }
            visitor.pipeline().addLast(handler);
            var _ = eventLoop.register(visitor);
            visitor.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).await();
            client = visitor.localAddress();
            var _ = visitor.connect(server.localAddress());
            return visitor;
        }

        private void end(@Nullable Channel visitor) {
            if (visitor != null) {
                var _ = visitor.close();
            }
            Throwable thrown = failure.get();
            if (thrown != null) {
                throw new WarmUpException(thrown);
            }
        }
    }

    /// A drain of one connection, on a thread of its own: it waits.
    private static final class Leave {
        private final Drain drain;
        private final Thread thread;

        Leave(Loop loop, CompletableFuture<Void> ended, Duration max) {
            drain = new Drain(List.of(new Drain.LoopConnections(loop.eventLoop(), loop.resources())));
            thread = Thread.ofPlatform().name("servery-warm-up-drain").start(() -> run(ended, max));
        }

        private void run(CompletableFuture<Void> ended, Duration max) {
            try {
                var _ = drain.run(CompletableFuture.completedFuture(null), () -> ended,
                        new Drain.Times(max, Duration.ZERO, Duration.ZERO));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /// Cuts short what is left of it.
        void end() throws InterruptedException {
            drain.hurry();
            thread.join();
        }
    }

    private static CompletableFuture<Void> ended(Channel channel) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        channel.closeFuture().addListener(_ -> ended.complete(null));
        return ended;
    }

    private Loop uncounted(EventLoop eventLoop, @Nullable SecureEntry own) {
        HttpService service = new HttpService(List.of(new MethodStage()), new FilesHandler(site, shard),
                new RefusalPages(true), (_, _, _, _, _) -> {
                }, thrown -> failure.compareAndSet(null, thrown));
        return new Loop(eventLoop, shard, new LoopResources(shard), service, limits, own);
    }

    /// What it has counted, for itself.
    MetricSnapshot counted() {
        return registry.snapshot();
    }

    private static boolean isDone(CompletableFuture<Void> future, long deadlineNanos) throws InterruptedException {
        try {
            future.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("it never fails", e);
        }
    }

    /// Lets none in but the one that is expected.
    private final class Doorkeeper extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof Channel child && !child.remoteAddress().equals(client)) {
                child.unsafe().closeForcibly();
            } else {
                ctx.fireChannelRead(message);
            }
        }
    }

    /// Sends all requests at once, and drops the answers.
    private static final class Visitor extends ChannelInboundHandlerAdapter {
        /// Complete when the first answer has begun to come.
        final CompletableFuture<Void> answered = new CompletableFuture<>();
        private final byte[] requests;

        Visitor(byte[] requests) {
            this.requests = requests;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            var _ = ctx.writeAndFlush(Unpooled.wrappedBuffer(requests));
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
            answered.complete(null);
        }

        /// The end of its connection is all that is waited for.
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            var _ = ctx.close();
        }
    }
}

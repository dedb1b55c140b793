package io.servery.netty.worker;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.util.ReferenceCountUtil;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.StaticFiles;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricShard;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.http1.LoopResources;
import io.servery.netty.files.FileSite;
import io.servery.netty.files.FilesHandler;
import io.servery.supervisor.posix.Descriptors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Requests that a worker serves to itself before it is ready: over a pair of connected sockets on each event loop, through
/// the code that will serve its clients, with counters and without an access log that nobody sees.
final class WarmUp {
    private static final int ROUNDS = 4;
    /// So many names of the root are looked at for a file to ask for.
    private static final int NAMES_MAX = 64;
    private static final long SMALL_BYTES = 64 * 1024;
    private static final String PLAIN_NAME = "[A-Za-z0-9_][A-Za-z0-9._-]*";
    private static final String END = " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br, zstd\r\n\r\n";
    /// No request: it is refused, and ends the connection.
    private static final String BAD_REQUEST = "GET\r\n\r\n";

    private final FileSite site;
    private final List<Loop> loops;
    private final byte[] requests;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    WarmUp(ServeryConfig config, FileSite site, List<Loop> loops) {
        this.site = site;
        this.loops = loops;
        List<String> targets = new ArrayList<>(List.of("/", "/servery-warm-up"));
        smallFile(config).ifPresent(name -> targets.add("/" + name));
        StringBuilder text = new StringBuilder();
        targets.forEach(target -> text.append("GET ").append(target).append(END));
        this.requests = text.append(BAD_REQUEST).toString().getBytes(StandardCharsets.US_ASCII);
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

    /// Serves the requests to every loop, some times over, until all is done or time is up.
    ///
    /// @throws WarmUpException when code that serves them throws
    void run(Duration max) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + max.toNanos();
        for (int round = 0; round < ROUNDS; round++) {
            for (Loop loop : loops) {
                if (!serve(loop, deadlineNanos)) {
                    return;
                }
            }
        }
    }

    private boolean serve(Loop loop, long deadlineNanos) throws IOException, InterruptedException {
        int[] ends = Descriptors.socketPair();
        EpollDomainSocketChannel server = new EpollDomainSocketChannel(ends[0]);
        EpollDomainSocketChannel client = new EpollDomainSocketChannel(ends[1]);
        Loop uncounted = uncounted(loop);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        server.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        uncounted.serve(server);
        client.pipeline().addLast(new Client(requests));
        server.closeFuture().addListener(_ -> ended.complete(null));
        var _ = loop.eventLoop().register(server);
        var _ = loop.eventLoop().register(client);
        boolean inTime = isDone(ended, deadlineNanos);
        var _ = client.close();
        var _ = server.close();
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new WarmUpException(thrown);
        }
        return inTime;
    }

    private Loop uncounted(Loop loop) {
        MetricShard shard = new MetricRegistry(MetricScope.http1Files()).loopShard();
        HttpService service = new HttpService(List.of(new MethodStage()), new FilesHandler(site, shard),
                new RefusalPages(true), (_, _, _, _, _) -> {
                }, thrown -> failure.compareAndSet(null, thrown));
        return new Loop(loop.eventLoop(), shard, new LoopResources(shard), service, loop.limits(), null);
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

    /// Sends all requests at once, and drops the answers.
    private static final class Client extends ChannelInboundHandlerAdapter {
        private final byte[] requests;

        Client(byte[] requests) {
            this.requests = requests;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            var _ = ctx.writeAndFlush(Unpooled.wrappedBuffer(requests));
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
        }
    }
}

package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.servery.core.config.StaticFiles;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.netty.files.open.Descriptors;
import io.servery.netty.files.open.FaultyCalls;
import io.servery.netty.files.open.Roots;
import io.servery.netty.lane.Lane;
import io.servery.netty.lane.LaneSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/// One root of real files, served by a handler on its event loop with lanes of its own; no socket.
final class ServedFiles {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    final Path root;
    final FakeTime time = new FakeTime();
    final FaultyCalls calls = new FaultyCalls();
    final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    final Lane filesystem;
    final Lane compute;
    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final MetricRegistry metrics = new MetricRegistry(MetricScope.http1Files());
    private FileSite site;
    private FilesHandler handler;

    ServedFiles(Path temporary, Lane.Bounds filesystem, Lane.Bounds compute) throws IOException {
        this.root = Files.createDirectory(temporary.toRealPath().resolve("root"));
        this.filesystem = new Lane("filesystem", filesystem, Lane.QueueObserver.NONE, bugs::add);
        this.compute = new Lane("compute", compute, Lane.QueueObserver.NONE, bugs::add);
    }

    /// A file that was written long ago.
    void write(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_600_000_000)));
    }

    void serve(StaticFilesFixture files, long cacheBytes) throws IOException {
        StaticFiles built = files.build();
        FileTree tree = new FileTree("/", Roots.open(root, built.symlinks(), calls), new FilePolicy(built));
        site = new FileSite(List.of(tree), new FileSite.Limits(1024, cacheBytes, StaticFilesFixture.forms(1 << 20)),
                new FileSite.Lanes(filesystem, compute), metrics.sharedShard(), time);
        handler = new FilesHandler(site, metrics.loopShard());
    }

    TestExchange send(String target, String... fields) {
        TestExchange exchange = new TestExchange(loop, TestRequest.head("GET", target, fields));
        loop.execute(() -> handler.handle(exchange));
        return exchange;
    }

    Emitted get(String target, String... fields) throws Exception {
        return send(target, fields).answer();
    }

    /// What all of the loop that was asked for before has begun.
    void turn() throws Exception {
        loop.submit(() -> {
        }).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    void endLoop() throws Exception {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /// The directories and files beneath the root that are open, without the root itself.
    long open() throws IOException {
        return Descriptors.beneath(root).size() - 1L;
    }

    /// Ends everything, and finds that nothing is left.
    void close() throws Exception {
        compute.close();
        filesystem.close();
        assertThat(compute.awaitEnd(PATIENCE) && filesystem.awaitEnd(PATIENCE)).isTrue();
        if (!loop.isShuttingDown()) {
            turn();
            endLoop();
        }
        if (site != null) {
            site.close();
        }
        assertThat(Descriptors.beneath(root)).isEmpty();
        assertThat(List.of(compute.snapshot(), filesystem.snapshot())).containsOnly(new LaneSnapshot(0, 0, 0));
        assertThat(bugs).isEmpty();
    }
}

package io.servery.netty.worker;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.servery.core.config.Mount;
import io.servery.core.config.Profile;
import io.servery.core.config.Resources;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.StaticFiles;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricShard;
import io.servery.core.metric.QueueName;
import io.servery.http.exchange.CompletionListener;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.http1.Http1Limits;
import io.servery.http.http1.LoopResources;
import io.servery.netty.admission.ConnectionAdmission;
import io.servery.netty.drain.Drain;
import io.servery.netty.drain.DrainReport;
import io.servery.netty.files.FileSite;
import io.servery.netty.files.FilesHandler;
import io.servery.netty.files.TimeSource;
import io.servery.netty.lane.Lane;
import io.servery.netty.lane.ThreadNiceness;
import io.servery.netty.observe.AccessLog;
import io.servery.netty.observe.Events;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One worker: serves what its configuration says on the sockets that it was given.
///
/// *Owner:* the thread that makes it and calls `commit` and `drain`; `hurry` and `state` may be called by any.
/// *Invariant:* everything it has made is given back when `drain` returns.
public final class Worker {
    private static final int COMPUTE_NICENESS = 19;
    private static final long IDLE_FILES_SECONDS = 10;
    private static final long LOOPS_END_MILLIS = 2000;
    /// Work that hangs in a system call for longer is left to the end of the process.
    private static final Duration LANE_END = Duration.ofSeconds(1);
    private static final long LOG_END_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ServeryConfig config;
    private final Events events;
    private final MetricRegistry registry;
    private final EventLoopGroup group;
    private final FileSite.Lanes lanes;
    private final FileSite site;
    private final @Nullable AccessLog accessLog;
    private final List<Loop> loops;
    private final ConnectionAdmission admission;
    private final Listening listening;
    private final @Nullable AdminListener admin;
    private final Drain drain;
    private volatile WorkerState state = WorkerState.STARTING;

    /// Makes a worker that is registered and reads nothing yet.
    ///
    /// @throws IOException when a directory that it serves cannot be opened
    public static Worker prepare(WorkerSpec spec) throws IOException {
        return new Worker(spec);
    }

    private Worker(WorkerSpec spec) throws IOException {
        config = spec.config();
        events = spec.events();
        registry = new MetricRegistry(MetricScope.http1Files());
        events.countDropsIn(registry.sharedShard());
        Resources resources = config.resources();
        lanes = new FileSite.Lanes(filesystemLane(resources.lanes().filesystem()),
                computeLane(resources.lanes().compute()));
        site = openSite(resources);
        accessLog = config.logging().access() ? new AccessLog(spec.accessOut(), registry.sharedShard()) : null;
        group = eventLoops(spec.epoll(), spec.eventLoops());
        loops = makeLoops(spec.eventLoops());
        admission = new ConnectionAdmission(resources.maxConnections(), resources.maxConnectionsPerClient());
        listening = Listening.register(spec.listeners(), loops, admission, new AcceptErrors(events)::report);
        admin = AdminListener.of(spec, loops.getFirst(), registry, () -> state.health());
        drain = new Drain(loops.stream()
                .map(loop -> new Drain.LoopConnections(loop.eventLoop(), loop.resources()))
                .toList());
    }

    private Lane filesystemLane(Resources.Lane bounds) {
        return new Lane("filesystem", new Lane.Bounds(bounds.threads(), bounds.queue()),
                new LaneMeter(registry.queue(QueueName.FILESYSTEM, bounds.queue())), events::bug);
    }

    /// Its threads give way to event loops: a request that has to wait for a processor is worse than one that is answered
    /// with more bytes.
    private Lane computeLane(Resources.ComputeLane bounds) {
        int threads = bounds.threads().orElse(Runtime.getRuntime().availableProcessors());
        return new Lane("compute", new Lane.Bounds(threads, bounds.queue(), bounds.bytes()),
                new LaneMeter(registry.lane(QueueName.COMPUTE, bounds.queue(), bounds.bytes())), events::bug,
                () -> ThreadNiceness.giveWay(COMPUTE_NICENESS));
    }

    /// Opened before anything else is made, so that the lanes are all there is to give back where it cannot be.
    private FileSite openSite(Resources resources) throws IOException {
        FileSite opened = null;
        try {
            opened = FileSite.open(mounts(config),
                    new FileSite.Limits(resources.smallFileBytes(), resources.fileCacheBytes(),
                            resources.compressionCacheBytes()),
                    lanes, registry.sharedShard(), TimeSource.SYSTEM);
            return opened;
        } finally {
            if (opened == null) {
                lanes.compute().close();
                lanes.filesystem().close();
            }
        }
    }

    /// The mounts and, as the one that takes what they leave, the application.
    private static List<Mount> mounts(ServeryConfig config) {
        List<Mount> mounts = new ArrayList<>(config.mounts());
        switch (config.application()) {
            case StaticFiles files -> mounts.add(new Mount("/", files));
        }
        return mounts;
    }

    private static EventLoopGroup eventLoops(boolean epoll, int count) {
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        AtomicInteger made = new AtomicInteger();
        // Netty keeps spare objects and buffers for threads of its own class alone.
        ThreadFactory threads = loop -> new FastThreadLocalThread(loop, "servery-loop-" + made.getAndIncrement());
        return new MultiThreadIoEventLoopGroup(count, threads, io);
    }

    private List<Loop> makeLoops(int count) {
        Http1Limits limits = Http1Limits.of(config.resources());
        RefusalPages pages = new RefusalPages(config.profile() != Profile.PRODUCTION);
        List<Loop> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EventLoop eventLoop = group.next();
            MetricShard shard = registry.loopShard();
            CompletionListener completions = accessLog == null
                    ? (_, _, _, _, _) -> {
                    }
                    : accessLog.forLoop(eventLoop);
            HttpService service = new HttpService(List.of(new MethodStage()), new FilesHandler(site, shard), pages,
                    completions, events::bug);
            made.add(new Loop(eventLoop, shard, new LoopResources(shard), service, limits));
        }
        return List.copyOf(made);
    }

    /// Starts accepting: the worker is ready.
    public void commit() {
        if (admin != null) {
            admin.open();
        }
        listening.open();
        var _ = loops.getFirst().eventLoop().scheduleWithFixedDelay(site::closeIdleFiles, IDLE_FILES_SECONDS,
                IDLE_FILES_SECONDS, TimeUnit.SECONDS);
        state = WorkerState.READY;
    }

    public WorkerState state() {
        return state;
    }

    /// Cuts a drain that runs, or the next one, short.
    public void hurry() {
        drain.hurry();
    }

    /// Ends the worker: stops accepting, lets accepted work complete, cuts short and counts what does not in time.
    public DrainReport drain() throws InterruptedException {
        state = WorkerState.DRAINING;
        DrainReport report = drain.run(listening.drain(), admission::idle, config.runtime().drainTimeout(),
                config.runtime().forceTimeout());
        if (admin != null) {
            admin.close();
        }
        lanes.compute().close();
        lanes.filesystem().close();
        group.shutdownGracefully(0, LOOPS_END_MILLIS, TimeUnit.MILLISECONDS).await(LOOPS_END_MILLIS);
        lanes.compute().awaitEnd(LANE_END);
        lanes.filesystem().awaitEnd(LANE_END);
        site.close();
        if (accessLog != null) {
            accessLog.close(LOG_END_NANOS);
        }
        state = WorkerState.ENDED;
        return report;
    }
}

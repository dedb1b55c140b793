package io.servery.netty.worker;

import io.netty.channel.EventLoop;
import io.netty.util.internal.PlatformDependent;
import io.servery.admin.MetricsReport;
import io.servery.core.config.Endpoint;
import io.servery.core.config.Metrics;
import io.servery.core.config.Profile;
import io.servery.core.config.Resources;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.Tls;
import io.servery.core.control.Challenges;
import io.servery.core.control.Order;
import io.servery.core.control.Shard;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricShard;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.ProcessRole;
import io.servery.http.exchange.CompletionListener;
import io.servery.http.exchange.Handler;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.http1.Http1Limits;
import io.servery.http.http1.LoopResources;
import io.servery.netty.admission.ConnectionAdmission;
import io.servery.netty.challenge.HttpChallenges;
import io.servery.netty.drain.Drain;
import io.servery.netty.drain.DrainReport;
import io.servery.netty.files.FilesHandler;
import io.servery.netty.observe.AccessLog;
import io.servery.netty.listen.ListenerGroup;
import io.servery.netty.observe.Events;
import io.servery.netty.observe.ProcessSampler;
import io.servery.netty.redirect.RedirectHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// One worker: serves what its configuration says on the sockets that it was given.
///
/// *Owner:* the thread that makes it and tells it what to do, one at a time; `hurry`, `snapshot` and `state` may be called
/// by any. *Invariant:* everything it has made is given back when `end` returns.
public final class Worker {
    private static final long IDLE_FILES_SECONDS = 10;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final long LOG_END_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ServeryConfig config;
    private final Events events;
    private final MetricRegistry registry;
    private final @Nullable SecureEntry entry;
    private final HttpChallenges challenges = new HttpChallenges();
    private final Handler redirects;
    private final LoopGroup group;
    private final LanedSite content;
    private final @Nullable AccessLog accessLog;
    private volatile Http1Limits limits;
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
        registry = new MetricRegistry(MetricScope.http1FilesTls());
        events.countDropsIn(registry.sharedShard());
        Resources resources = config.resources();
        content = LanedSite.open(config, registry, events);
        accessLog = config.logging().access() ? new AccessLog(spec.accessOut(), registry.sharedShard()) : null;
        limits = Http1Limits.of(resources);
        entry = entry(spec);
        redirects = challenges.before(new RedirectHandler(
                config.listener().endpoint() instanceof Endpoint.Tcp tcp ? tcp.port() : HTTPS_PORT,
                spec.redirects().values().stream().findFirst().orElse(HTTP_PORT)));
        group = LoopGroup.of(spec.epoll(), spec.eventLoops(), "servery-loop-");
        loops = group.eventLoops().stream().map(this::loop).toList();
        admission = new ConnectionAdmission(resources.maxConnections(), resources.maxConnectionsPerClient());
        List<Loop> redirecting = loops.stream().map(this::redirecting).toList();
        listening = Listening.register(spec.listeners(),
                group -> spec.redirects().containsKey(group) ? redirecting : loops, spec.workers(), admission,
                new AcceptErrors(events)::report);
        admin = admin(spec);
        drain = new Drain(loops.stream()
                .map(loop -> new Drain.LoopConnections(loop.eventLoop(), loop.resources()))
                .toList());
    }

    private static @Nullable SecureEntry entry(WorkerSpec spec) throws SSLException {
        return spec.config().tls() instanceof Tls.On tls
                ? SecureEntry.of(tls, spec.config().resources().handshakeTimeout(),
                        spec.identities().orElseThrow(() -> new IllegalArgumentException(
                                "identities: found none; expected those of `[tls]`")))
                : null;
    }

    /// That of a process which has no parent to answer.
    private @Nullable AdminListener admin(WorkerSpec spec) {
        if (!(config.metrics() instanceof Metrics.On on) || spec.adminListeners().isEmpty()) {
            return null;
        }
        ProcessSampler sampler = new ProcessSampler(ProcessRole.WORKER, 0, PlatformDependent::usedDirectMemory);
        return AdminListener.of(new AdminListener.Spec(on, WorkerSpec.shards(spec.adminListeners()),
                spec.adminListeners().stream().allMatch(ListenerGroup::onLoopback), loops.getFirst().eventLoop(),
                limits, () -> state.health(),
                () -> new MetricsReport(registry.snapshot(), spec.build(), List.of(sampler.sample())), events));
    }

    private Loop loop(EventLoop eventLoop) {
        MetricShard shard = registry.loopShard();
        CompletionListener completions = accessLog == null
                ? (_, _, _, _, _) -> {
                }
                : accessLog.forLoop(eventLoop);
        Handler files = new FilesHandler(content.site(), shard);
        HttpService service = new HttpService(List.of(new MethodStage()),
                challenges.before(files), new RefusalPages(config.profile() != Profile.PRODUCTION), completions,
                events::bug, challenges::answers);
        Duration strictTransport = config.tls() instanceof Tls.On tls ? tls.hsts() : Duration.ZERO;
        return new Loop(eventLoop, shard, new LoopResources(shard, strictTransport), service, () -> limits, entry);
    }

    /// The same event loop for connections that are plain and redirected: everything but the answers is shared.
    private Loop redirecting(Loop of) {
        HttpService service = new HttpService(of.service().stages(), redirects, of.service().refusalPages(),
                of.service().completions(), of.service().bugs());
        return new Loop(of.eventLoop(), of.shard(), of.resources(), service, of.limits(), null);
    }

    /// Serves requests to itself, on sockets and an event loop of its own, so that the first clients do not wait for what is
    /// loaded and compiled at first use; over TLS where those will come over TLS. Nothing of it is counted or logged. Needs the
    /// epoll transport.
    ///
    /// @param max the longest that it may take
    /// @throws WarmUpException when code that serves them throws
    public void warmUp(Duration max) throws InterruptedException {
        new WarmUp(config, content.site(), () -> limits, entry).run(max);
    }

    /// Begins what must run once the start is certain: the worker is ready.
    public void commit() {
        state = WorkerState.READY; // before anybody can ask for it
        if (admin != null) {
            admin.open();
        }
        var _ = loops.getFirst().eventLoop().scheduleWithFixedDelay(content.site()::closeIdleFiles,
                IDLE_FILES_SECONDS, IDLE_FILES_SECONDS, TimeUnit.SECONDS);
    }

    /// All the shards that it was given.
    public List<Shard> shards() {
        return listening.shards();
    }

    /// Whether each of these is one that it was given.
    public boolean holds(Collection<Shard> shards) {
        return listening.holds(shards);
    }

    /// Starts accepting from these.
    public void adopt(Collection<Shard> shards) {
        listening.read(shards);
    }

    /// Stops accepting from these; complete when nothing more can be accepted. What waits there is left to others.
    public CompletableFuture<Void> release(Collection<Shard> shards) {
        return listening.leave(shards);
    }

    /// Takes the values that may change while it runs; connections that are open keep theirs.
    public void apply(ServeryConfig changed) {
        Resources resources = changed.resources();
        limits = Http1Limits.of(resources);
        admission.bound(resources.maxConnections(), resources.maxConnectionsPerClient());
        events.level(changed.logging().level());
        if (entry != null) {
            entry.handshakeTimeout(resources.handshakeTimeout());
        }
    }

    /// Shows other identities from the next handshake on; connections keep what they have. If one cannot be shown, nothing
    /// changes. Takes some milliseconds.
    ///
    /// @throws SSLException when one cannot be shown
    /// @throws IllegalArgumentException when they are none, or this worker shows none
    public void identify(Order.Identify order) throws SSLException {
        if (entry == null) {
            throw new IllegalArgumentException("identities: found some; expected none without `[tls]`");
        }
        entry.identify(order);
    }

    /// Answers these challenges and no others: over plain HTTP, and over TLS where it speaks that. If one cannot be answered,
    /// nothing changes. Takes some milliseconds for each that is of TLS.
    ///
    /// @return completes when every event loop answers by them
    /// @throws SSLException when the certificate of one cannot be shown
    /// @throws IllegalArgumentException when they are none that a parent sends
    public CompletableFuture<Void> post(Challenges posted) throws SSLException {
        if (entry != null) {
            entry.validate(posted.alpn());
        }
        challenges.post(posted.http());
        return CompletableFuture.allOf(loops.stream().map(loop -> CompletableFuture.runAsync(() -> {
            // What this loop does from here on comes after what was posted.
        }, loop.eventLoop())).toArray(CompletableFuture[]::new));
    }

    /// Has every event loop tell, from now until it ends, that it turns. The loops of all workers do so at the same moments,
    /// multiples of the period by the clock of the host, so that an idle parent wakes once a period, not once for each.
    public void pulse(LoopPulse pulse, Duration every) {
        for (int i = 0; i < loops.size(); i++) {
            int number = i;
            loops.get(i).eventLoop().execute(() -> beat(number, pulse, every.toNanos()));
        }
    }

    private void beat(int number, LoopPulse pulse, long period) {
        Loop loop = loops.get(number);
        pulse.beat(number, Math.toIntExact(loop.shard().connectionsActive()), loop.shard().requestsCompleted());
        if (!loop.eventLoop().isShuttingDown()) {
            long since = Math.floorMod(System.nanoTime(), period);
            // The multiple after the nearest one, which this beat was for, however early or late it is.
            var _ = loop.eventLoop().schedule(() -> beat(number, pulse, period),
                    since > period / 2 ? 2 * period - since : period - since, TimeUnit.NANOSECONDS);
        }
    }

    /// Everything counted until now.
    public MetricSnapshot snapshot() {
        return registry.snapshot();
    }

    public WorkerState state() {
        return state;
    }

    /// Cuts a drain that runs, or the next one, short.
    public void hurry() {
        drain.hurry();
    }

    /// Stops accepting, once what waits at its sockets is accepted; lets accepted work complete, cuts short and counts what
    /// does not in time.
    ///
    /// @param released told, by an event loop, which shards were read and are no more
    ///
    /// @param parting over so long connections are told to end, one after the other
    public DrainReport drain(Duration timeout, Duration parting, Consumer<List<Shard>> released)
            throws InterruptedException {
        state = WorkerState.DRAINING;
        return drain.run(listening.drain(released), admission::idle,
                new Drain.Times(timeout, parting, config.runtime().forceTimeout()));
    }

    /// Gives everything back. Each step is bounded: what hangs is left to the end of the process.
    public void end() throws InterruptedException {
        if (admin != null) {
            admin.close();
        }
        content.closeLanes();
        group.end();
        content.end();
        if (entry != null) {
            entry.close();
        }
        if (accessLog != null) {
            accessLog.close(LOG_END_NANOS);
        }
        state = WorkerState.ENDED;
    }

    /// Drains within the time that the configuration gives, and ends.
    public DrainReport drain() throws InterruptedException {
        DrainReport report = drain(config.runtime().drainTimeout(), Duration.ZERO, _ -> {
        });
        end();
        return report;
    }
}

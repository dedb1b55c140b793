package io.servery.netty.worker;

import io.netty.channel.EventLoop;
import io.servery.admin.AdminHandler;
import io.servery.admin.AdminOptions;
import io.servery.admin.AdminService;
import io.servery.admin.AdminToken;
import io.servery.admin.Health;
import io.servery.admin.HostPolicy;
import io.servery.admin.MetricsGathering;
import io.servery.core.config.Endpoint;
import io.servery.core.config.Metrics;
import io.servery.core.control.Shard;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricShard;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.http1.Http1Connection;
import io.servery.http.http1.Http1Limits;
import io.servery.http.http1.LoopResources;
import io.servery.netty.admission.ConnectionAdmission;
import io.servery.netty.listen.BoundSocket;
import io.servery.netty.observe.Events;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// The admin listener: it answers through a drain, to its very end. What it serves is not counted in the metrics of the
/// service.
///
/// *Owner*: the thread that makes it, opens it and closes it, never an event loop.
public final class AdminListener {
    private static final int CONNECTIONS_MAX = 64;
    private static final int RENDERINGS_MAX = 16;

    private final Loop loop;
    private final Listening listening;
    private final ThreadPoolExecutor rendering;

    private AdminListener(Loop loop, Listening listening, ThreadPoolExecutor rendering) {
        this.loop = loop;
        this.listening = listening;
        this.rendering = rendering;
    }

    /// What it is made from.
    ///
    /// @param sockets which it owns from now on
    /// @param loopback whether all of them can be reached from this host alone
    /// @param health asked by an event loop, so it never waits
    /// @param reports asked by a thread that may wait
    public record Spec(Metrics.On metrics, SortedMap<Shard, BoundSocket> sockets, boolean loopback, EventLoop eventLoop,
            Http1Limits limits, Supplier<Health> health, Supplier<? extends MetricsGathering> reports, Events events) {
    }

    /// Makes one that is registered and reads nothing yet.
    public static AdminListener of(Spec spec) {
        AdminService service = new AdminService(options(spec), spec.health(), spec.reports());
        ThreadPoolExecutor rendering = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(RENDERINGS_MAX), Thread.ofPlatform().name("servery-admin").factory());
        HttpService http = new HttpService(List.of(), new AdminHandler(service, rendering), new RefusalPages(true),
                (_, _, _, _, _) -> {
                }, spec.events()::bug);
        MetricShard uncounted = new MetricRegistry(MetricScope.http1Files()).loopShard();
        Loop loop = new Loop(spec.eventLoop(), uncounted, new LoopResources(uncounted), http, spec::limits, null);
        Listening listening = Listening.register(spec.sockets(), _ -> List.of(loop), 1,
                new ConnectionAdmission(CONNECTIONS_MAX, 0), new AcceptErrors(spec.events())::report);
        return new AdminListener(loop, listening, rendering);
    }

    private static AdminOptions options(Spec spec) {
        Metrics.On on = spec.metrics();
        AdminToken token = on.token().map(secret -> AdminToken.of(secret.reveal())).orElse(null);
        return new AdminOptions(on.livePath(), on.readyPath(), on.path(), hosts(on.endpoint(), spec.loopback()), token);
    }

    /// With several addresses of which one is public, the token that is then required protects under any name.
    private static HostPolicy hosts(Endpoint.Own endpoint, boolean loopback) {
        return switch (endpoint) {
            case Endpoint.UnixSocket _ -> HostPolicy.unixSocket();
            case Endpoint.Tcp tcp -> loopback ? HostPolicy.loopback(tcp.hosts()) : new HostPolicy.PublicBind();
        };
    }

    public void open() {
        listening.read(listening.shards());
    }

    /// Stops answering, now.
    public void close() throws InterruptedException {
        listening.drain(_ -> {
        }).orTimeout(1, TimeUnit.SECONDS).exceptionally(_ -> null).join();
        loop.eventLoop().submit(() -> loop.resources().connections().forEach(Http1Connection::force)).await();
        rendering.shutdownNow();
    }
}

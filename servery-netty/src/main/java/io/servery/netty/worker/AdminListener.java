package io.servery.netty.worker;

import io.netty.util.internal.PlatformDependent;
import io.servery.admin.AdminHandler;
import io.servery.admin.AdminOptions;
import io.servery.admin.AdminService;
import io.servery.admin.AdminToken;
import io.servery.admin.Health;
import io.servery.admin.HostPolicy;
import io.servery.admin.MetricsReport;
import io.servery.core.config.Endpoint;
import io.servery.core.config.Metrics;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricShard;
import io.servery.core.metric.ProcessRole;
import io.servery.http.exchange.HttpService;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.http1.Http1Connection;
import io.servery.http.http1.Http1Limits;
import io.servery.http.http1.LoopResources;
import io.servery.netty.admission.ConnectionAdmission;
import io.servery.netty.listen.ListenerGroup;
import io.servery.netty.observe.ProcessSampler;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The admin listener of a worker: it answers through a drain, to its very end. What it serves is not counted in the
/// metrics of the service.
final class AdminListener {
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

    /// The admin listener that the configuration asks for, registered and not reading; null when there is none.
    static @Nullable AdminListener of(WorkerSpec spec, Loop shared, MetricRegistry registry, Supplier<Health> health) {
        if (!(spec.config().metrics() instanceof Metrics.On on) || spec.adminListeners().isEmpty()) {
            return null;
        }
        ProcessSampler sampler = new ProcessSampler(ProcessRole.WORKER, 0, PlatformDependent::usedDirectMemory);
        AdminService service = new AdminService(options(on, spec), health,
                () -> new MetricsReport(registry.snapshot(), spec.build(), List.of(sampler.sample())));
        ThreadPoolExecutor rendering = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(RENDERINGS_MAX), Thread.ofPlatform().name("servery-admin").factory());
        HttpService http = new HttpService(List.of(), new AdminHandler(service, rendering), new RefusalPages(true),
                (_, _, _, _, _) -> {
                }, spec.events()::bug);
        MetricShard uncounted = new MetricRegistry(MetricScope.http1Files()).loopShard();
        Http1Limits limits = Http1Limits.of(spec.config().resources());
        Loop loop = new Loop(shared.eventLoop(), uncounted, new LoopResources(uncounted), http, () -> limits);
        Listening listening = Listening.register(WorkerSpec.shards(spec.adminListeners()), List.of(loop), 1,
                new ConnectionAdmission(CONNECTIONS_MAX, 0), new AcceptErrors(spec.events())::report);
        return new AdminListener(loop, listening, rendering);
    }

    private static AdminOptions options(Metrics.On on, WorkerSpec spec) {
        AdminToken token = on.token().map(secret -> AdminToken.of(secret.reveal())).orElse(null);
        return new AdminOptions(on.livePath(), on.readyPath(), on.path(), hosts(on.endpoint(), spec), token);
    }

    /// With several addresses of which one is public, the token that is then required protects under any name.
    private static HostPolicy hosts(Endpoint.Own endpoint, WorkerSpec spec) {
        return switch (endpoint) {
            case Endpoint.UnixSocket _ -> HostPolicy.unixSocket();
            case Endpoint.Tcp tcp -> spec.adminListeners().stream().allMatch(AdminListener::onLoopback)
                    ? HostPolicy.loopback(tcp.hosts())
                    : new HostPolicy.PublicBind();
        };
    }

    private static boolean onLoopback(ListenerGroup group) {
        return group.address() instanceof InetSocketAddress tcp && tcp.getAddress().isLoopbackAddress();
    }

    void open() {
        listening.read(listening.shards());
    }

    /// Stops answering, now.
    void close() throws InterruptedException {
        listening.drain(_ -> {
        }).orTimeout(1, TimeUnit.SECONDS).exceptionally(_ -> null).join();
        loop.eventLoop().submit(() -> loop.resources().connections().forEach(Http1Connection::force)).await();
        rendering.shutdownNow();
    }
}

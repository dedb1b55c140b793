package io.servery.netty.run;

import io.netty.channel.epoll.Epoll;
import io.servery.core.config.Endpoint;
import io.servery.core.config.Logging;
import io.servery.core.config.Metrics;
import io.servery.core.config.RuntimeConfig;
import io.servery.core.config.ServeryConfig;
import io.servery.core.control.ListenerRole;
import io.servery.core.control.Order;
import io.servery.core.fault.ExitCode;
import io.servery.core.metric.BuildInfo;
import io.servery.launcher.OsSignal;
import io.servery.netty.drain.DrainEvents;
import io.servery.netty.identity.IdentityKeeper;
import io.servery.netty.identity.IssuedIdentities;
import io.servery.netty.listen.Binder;
import io.servery.netty.listen.ListenResult;
import io.servery.netty.listen.ListenerGroup;
import io.servery.netty.natives.NativeFiles;
import io.servery.netty.observe.Event;
import io.servery.netty.observe.Events;
import io.servery.netty.thread.Scheduling;
import io.servery.netty.worker.Worker;
import io.servery.netty.worker.WorkerSpec;
import io.servery.supervisor.loop.Identities;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Runs the service that a configuration describes until a signal ends it.
///
/// TERM and INT drain, and end with 0; a second one cuts the drain short. HUP is said to be not available yet.
public final class ServiceRun {
    private static final int ADMIN_BACKLOG = 64;

    private final ServeryConfig config;
    private final BuildInfo build;
    private final Events events;
    private final PrintStream diagnostics;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final AtomicInteger stopSignals = new AtomicInteger();
    private final IdentityKeeper keeper;
    private Optional<Order.Identify> identities = Optional.empty();
    private volatile @Nullable Worker worker;

    /// @param diagnostics where a reason for not starting is written, in words
    public ServiceRun(ServeryConfig config, BuildInfo build, Events events, PrintStream diagnostics) {
        this.config = config;
        this.build = build;
        this.events = events;
        this.diagnostics = diagnostics;
        this.keeper = new IdentityKeeper(events, InstantSource.system(), this::identify, IssuedIdentities.none());
    }

    /// Serves; returns when the service has ended.
    public ExitCode run() throws InterruptedException {
        Scheduling.secondCompilerGivesWay();
        listenToSignals();
        prepareNativeFiles();
        switch (keeper.read(config)) {
            case Identities.Given(Optional<Order.Identify> order) -> identities = order;
            case Identities.Refused(String message) -> {
                diagnostics.println(message);
                return ExitCode.CONFIGURATION;
            }
        }
        boolean epoll = switch (config.runtime().transport()) {
            case AUTO -> Epoll.isAvailable();
            case EPOLL -> true;
            case NIO -> false;
        };
        if (epoll && !Epoll.isAvailable()) {
            return fail("runtime.transport: found epoll, which this system does not have; use auto or nio",
                    ExitCode.FAILED);
        }
        int loops = eventLoops(config.runtime());
        return switch (new Binder(ListenerRole.SERVICE.key(), config.listener().backlog(), loops, epoll)
                .bind(config.listener().endpoint())) {
            case ListenResult.Refused(String message, ExitCode code) -> fail(message, code);
            case ListenResult.Bound(List<ListenerGroup> groups) -> runOn(groups, loops, epoll);
        };
    }

    private ExitCode runOn(List<ListenerGroup> groups, int loops, boolean epoll) throws InterruptedException {
        try {
            return switch (bindRedirect(loops, epoll)) {
                case ListenResult.Refused(String message, ExitCode code) -> {
                    closeAll(groups);
                    yield fail(message, code);
                }
                case ListenResult.Bound(List<ListenerGroup> redirects) ->
                    runOn(new Public(groups, redirects), loops, epoll);
            };
        } finally {
            groups.forEach(this::removePath);
        }
    }

    /// What everybody can reach.
    private record Public(List<ListenerGroup> service, List<ListenerGroup> redirects) {
        /// All of them, those that redirect last.
        List<ListenerGroup> groups() {
            return Stream.concat(service.stream(), redirects.stream()).toList();
        }

        /// The numbers of those that redirect, and the port of each.
        Map<Integer, Integer> redirecting() {
            return IntStream.range(service.size(), service.size() + redirects.size()).boxed()
                    .collect(Collectors.toMap(group -> group, group -> port(groups().get(group))));
        }

        private static int port(ListenerGroup group) {
            if (group.address() instanceof InetSocketAddress tcp) {
                return tcp.getPort();
            }
            throw new IllegalStateException("redirect: found " + group.address() + "; expected an address with a port");
        }
    }

    private ExitCode runOn(Public listeners, int loops, boolean epoll) throws InterruptedException {
        return switch (bindAdmin(epoll)) {
            case ListenResult.Refused(String message, ExitCode code) -> {
                closeAll(listeners.groups());
                yield fail(message, code);
            }
            case ListenResult.Bound(List<ListenerGroup> admin) -> serve(listeners, admin, loops, epoll);
        };
    }

    private ListenResult bindRedirect(int loops, boolean epoll) {
        Optional<Endpoint.Tcp> redirect = config.listener().redirect();
        return redirect.isPresent()
                ? new Binder(ListenerRole.REDIRECT.key(), config.listener().backlog(), loops, epoll)
                        .bind(redirect.get())
                : new ListenResult.Bound(List.of());
    }

    private ListenResult bindAdmin(boolean epoll) {
        return switch (config.metrics()) {
            case Metrics.Off _ -> new ListenResult.Bound(List.of());
            case Metrics.On on -> new Binder("metrics", ADMIN_BACKLOG, 1, epoll).bind(on.endpoint());
        };
    }

    private ExitCode serve(Public listeners, List<ListenerGroup> admin, int loops, boolean epoll)
            throws InterruptedException {
        StartFacts facts = new StartFacts(events, config, build);
        facts.listening(Stream.of(addresses(config.scheme(), ListenerRole.SERVICE.word(), listeners.service()),
                addresses("http", ListenerRole.REDIRECT.word(), listeners.redirects()),
                addresses("http", StartFacts.ADMIN, admin)).flatMap(one -> one).toList(),
                StartFacts.workers(1, loops, epoll ? "epoll" : "nio"));
        Worker prepared;
        try {
            prepared = Worker
                    .prepare(new WorkerSpec(config, WorkerSpec.shards(listeners.groups()), listeners.redirecting(),
                            admin,
                            identities, 1, epoll, loops, build, events, new FileOutputStream(FileDescriptor.out)));
        } catch (IOException e) {
            closeAll(listeners.groups());
            closeAll(admin);
            return fail((e instanceof SSLException ? "tls: " : "application.static.root: ") + e.getMessage(),
                    ExitCode.CONFIGURATION);
        }
        try {
            worker = prepared;
            prepared.commit();
            prepared.adopt(prepared.shards());
            keeper.serves(config, identities);
            facts.ready();
            stopping.await();
            return stop(prepared);
        } finally {
            keeper.close();
            admin.forEach(this::removePath);
        }
    }

    private static Stream<StartFacts.Address> addresses(String scheme, String word, List<ListenerGroup> groups) {
        return groups.stream().map(group -> StartFacts.Address.of(scheme, word, group));
    }

    /// On the thread that watches the files.
    private CompletionStage<Void> identify(ServeryConfig of, Order.Identify order) {
        Worker serving = worker;
        try {
            if (serving != null) {
                serving.identify(order);
                identities = Optional.of(order);
            }
            return CompletableFuture.completedFuture(null);
        } catch (SSLException | IllegalArgumentException e) {
            keeper.refused(order.number(), identities, "tls: " + e.getMessage());
            return CompletableFuture.failedFuture(e);
        }
    }

    private void prepareNativeFiles() {
        for (NativeFiles.Rejected rejected : NativeFiles.prepare(config.runtime().runtimeDirectory())) {
            events.emit(Event.of(Logging.Level.WARN, "natives.rejected").with("path", rejected.path().toString())
                    .with("message", rejected.message()));
        }
    }

    private static int eventLoops(RuntimeConfig runtime) {
        return runtime.eventLoops().orElse(Runtime.getRuntime().availableProcessors());
    }

    /// From before anything is bound: a signal that comes meanwhile ends the start like a service, with nothing left behind.
    private void listenToSignals() {
        OsSignal.handle("TERM", this::stopOrHurry);
        OsSignal.handle("INT", this::stopOrHurry);
        OsSignal.handle("HUP", () -> events.emit(Event.of(Logging.Level.WARN, "reload.rejected")
                .with("message", "reload is not yet available; stop and start instead")));
    }

    private void stopOrHurry() {
        Worker serving = worker;
        if (stopSignals.getAndIncrement() == 0) {
            stopping.countDown();
        } else if (serving != null) {
            serving.hurry();
        }
    }

    private ExitCode stop(Worker serving) throws InterruptedException {
        events.emit(StartFacts.state("draining"));
        DrainEvents drain = new DrainEvents(events);
        drain.started(config.runtime().drainTimeout());
        drain.ended(serving.drain());
        events.emit(StartFacts.state("stopped"));
        return ExitCode.OK;
    }

    private ExitCode fail(String message, ExitCode code) {
        diagnostics.println("servery: " + message);
        return code;
    }

    private void closeAll(List<ListenerGroup> groups) {
        for (ListenerGroup group : groups) {
            try {
                group.close();
            } catch (IOException e) {
                events.bug(e);
            }
        }
    }

    private void removePath(ListenerGroup group) {
        try {
            group.removePath();
        } catch (IOException e) {
            events.emit(Event.of(Logging.Level.WARN, "listener.failed").with("address", group.url(config.scheme()))
                    .with("message",
                            String.valueOf(e.getMessage())));
        }
    }
}

package io.servery.netty.run;

import io.netty.channel.epoll.Epoll;
import io.servery.admin.MetricsGathering;
import io.servery.admin.MetricsReport;
import io.servery.core.config.Logging;
import io.servery.core.config.Outcome;
import io.servery.core.config.RuntimeConfig;
import io.servery.core.config.RuntimeDirectory;
import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Challenges;
import io.servery.core.control.ListenerRole;
import io.servery.core.control.Order;
import io.servery.core.fault.ExitCode;
import io.servery.core.metric.BuildInfo;
import io.servery.core.metric.ProcessRole;
import io.servery.core.metric.ProcessSample;
import io.servery.netty.identity.IdentityKeeper;
import io.servery.netty.identity.acme.CertificateOwner;
import io.servery.netty.natives.NativeFiles;
import io.servery.netty.observe.BuildVersions;
import io.servery.netty.observe.Event;
import io.servery.netty.observe.Events;
import io.servery.netty.observe.ProcessSampler;
import io.servery.netty.start.HeapNeed;
import io.servery.netty.start.WorkerCommand;
import io.servery.netty.thread.Scheduling;
import io.servery.supervisor.host.InheritedSockets;
import io.servery.supervisor.host.MemoryLimit;
import io.servery.supervisor.host.Privileges;
import io.servery.supervisor.host.RuntimeLock;
import io.servery.supervisor.host.SystemdNotifier;
import io.servery.supervisor.host.WorkerEnvironment;
import io.servery.supervisor.host.WorkerMemory;
import io.servery.supervisor.listen.ListenAddress;
import io.servery.supervisor.listen.ListenerTable;
import io.servery.supervisor.loop.ConfigurationRefusal;
import io.servery.supervisor.loop.FleetReport;
import io.servery.supervisor.loop.Launches;
import io.servery.supervisor.loop.PostingException;
import io.servery.supervisor.loop.Source;
import io.servery.supervisor.loop.Supervisor;
import io.servery.supervisor.loop.SupervisorSpec;
import io.servery.supervisor.process.Command;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Runs a parent and its workers until a signal or an operator ends them.
///
/// TERM and INT stop, a second one forces; HUP reloads. The loop runs on the thread that calls [#run]: it is the one that
/// keeps the capability to bind, and whose children have no new privileges.
public final class ParentRun {
    /// Beside its workers the parent takes so much of the memory that there is.
    private static final long PARENT_BYTES = 64L << 20;
    private static final Duration METRICS_MAX = Duration.ofSeconds(2);

    private final Outcome.Accepted accepted;
    private final Path file;
    private final Source source;
    private final Class<?> workerMain;
    private final Events events;
    private final PrintStream diagnostics;
    private final BuildInfo build = BuildVersions.here();
    private final Map<String, String> environment = System.getenv();
    private final ListenerTable table = new ListenerTable();
    private final Readiness readiness = new Readiness();
    private final ProcessSampler sampler = new ProcessSampler(ProcessRole.PARENT, 0, () -> -1);
    private final ParentSignals signals = new ParentSignals();
    private final CertificateOwner owner;
    private final IdentityKeeper keeper;
    private final AtomicReference<@Nullable Supervisor> supervisor = new AtomicReference<>();

    /// Long because each is another's to make.
    ///
    /// @param file of the configuration, which names the service to its operator
    /// @param source reads the configuration anew
    /// @param workerMain what a worker runs, with the path of the control socket
    /// @param diagnostics where a reason for not starting is written, in words
    public ParentRun(Outcome.Accepted accepted, Path file, Source source, Class<?> workerMain, Events events,
            PrintStream diagnostics) {
        this.accepted = accepted;
        this.file = file;
        this.source = source;
        this.workerMain = workerMain;
        this.events = events;
        this.diagnostics = diagnostics;
        this.owner = new CertificateOwner(events, Clock.systemUTC(), this::post, this::offered);
        this.keeper = new IdentityKeeper(events, InstantSource.system(), this::identify, owner);
    }

    /// Serves; returns when nothing is left.
    public ExitCode run() throws InterruptedException {
        signals.listen();
        try {
            return lockedRun();
        } catch (ConfigurationRefusal refusal) {
            diagnostics.println("servery: " + refusal.message());
            return refusal.code();
        } catch (IOException failed) {
            diagnostics.println("servery: " + failed.getMessage());
            return ExitCode.FAILED;
        }
    }

    private ExitCode lockedRun() throws IOException, ConfigurationRefusal, InterruptedException {
        RuntimeConfig runtime = accepted.config().runtime();
        Privileges privileges = given(Privileges.of(runtime.user(), runtime.group()));
        Path directory = directory(runtime, privileges);
        ExitCode code;
        try (RuntimeLock lock = given(RuntimeLock.take(directory, privileges.uid(), privileges.gid()))) {
            code = run(lock.directory(), privileges);
        } finally {
            table.closeAll();
        }
        Supervisor ended = supervisor.getAndSet(null);
        if (ended != null) {
            ended.farewell(code);
        }
        return code;
    }

    private Path directory(RuntimeConfig runtime, Privileges privileges) throws IOException, ConfigurationRefusal {
        if (privileges instanceof Privileges.Changed && runtime.runtimeDirectory().isEmpty()) {
            throw new ConfigurationRefusal("runtime.runtime_directory: found none beside runtime.user; expected one, "
                    + "such as /run/servery, in which that user can have its sockets", ExitCode.CONFIGURATION);
        }
        RuntimeDirectory.Host host = RuntimeDirectory.Host.of(environment);
        Path directory = RuntimeDirectory.ofFile(runtime.runtimeDirectory(), file, host);
        RuntimeDirectory.claimAbove(directory, host);
        return directory;
    }

    private ExitCode run(Path directory, Privileges privileges)
            throws IOException, ConfigurationRefusal, InterruptedException {
        long pid = ProcessHandle.current().pid();
        Map<String, List<Integer>> inherited = given(InheritedSockets.of(environment, pid));
        StartFacts facts = new StartFacts(events, accepted.config(), build);
        ParentAdmin admin = new ParentAdmin(table, () -> readiness.health(keeper.amiss()), this::report, events);
        int processors = Runtime.getRuntime().availableProcessors();
        SupervisorSpec spec = new SupervisorSpec(directory, BuildVersions.identity(), processors, source,
                keeper, endpoint -> ListenAddress.of(ListenerRole.SERVICE.key(), endpoint, inherited), table,
                new WorkerLaunches(),
                new WatchedConfiguration(admin, keeper),
                new FleetObserver(readiness, SystemdNotifier.of(environment, pid), new FleetEvents(events, facts),
                        new FleetObserver.Certificates(keeper::amiss, owner::workersServe, owner::workersLeave,
                                owner::ends)),
                () -> harden(privileges, facts, processors));
        if (privileges instanceof Privileges.Kept) {
            owner.allow();
        }
        try (Supervisor loop = new Supervisor(spec, accepted)) {
            supervisor.set(loop);
            signals.deliverTo(new ParentSignals.Receiver(loop::stopSignalled, loop::reloadSignalled));
            // From here on workers come first. None is started by a thread of a compiler, and so none inherits this.
            Scheduling.compilersGiveWay(Scheduling.HOUSEKEEPING);
            return loop.run();
        } finally {
            keeper.close();
            owner.end();
            admin.end();
        }
    }

    private CompletionStage<Void> identify(ServeryConfig of, Order.Identify order) {
        Supervisor loop = supervisor.get();
        return loop == null ? notThere() : loop.identify(of, order);
    }

    private CompletionStage<Void> post(Challenges challenges) {
        Supervisor loop = supervisor.get();
        return loop == null ? notThere() : loop.publishChallenges(challenges).exceptionallyCompose(ParentRun::posted);
    }

    /// In the words of a board: the end of the service is nobody's failure.
    private static CompletionStage<Void> posted(Throwable failed) {
        Throwable why = failed instanceof CompletionException && failed.getCause() != null
                ? failed.getCause()
                : failed;
        return CompletableFuture.failedFuture(why instanceof PostingException ended
                && ended.reason() == PostingException.Reason.STOPPING
                        ? new CancellationException(ended.getMessage())
                        : why);
    }

    private static CompletionStage<Void> notThere() {
        return CompletableFuture.failedFuture(new IllegalStateException("the service starts or ends"));
    }

    private void offered() {
        keeper.nudge();
    }

    /// Everything is bound: from here on as another user, if the configuration says so, and without what binding needed.
    private void harden(Privileges privileges, StartFacts facts, int processors) throws ConfigurationRefusal {
        given(privileges.assume());
        owner.allow();
        for (NativeFiles.Rejected rejected : NativeFiles.prepare(accepted.config().runtime().runtimeDirectory())) {
            events.emit(Event.of(Logging.Level.WARN, "natives.rejected").with("path", rejected.path().toString())
                    .with("message", rejected.message()));
        }
        if (!Epoll.isAvailable()) {
            throw new ConfigurationRefusal("runtime.transport: found no epoll on this system, which workers need; "
                    + "expected \"nio\", which serves in one process: " + Epoll.unavailabilityCause(), ExitCode.FAILED);
        }
        RuntimeConfig runtime = accepted.config().runtime();
        facts.listening(addresses(), StartFacts.workers(runtime.workers(processors), runtime.eventLoops(processors),
                "epoll"));
    }

    private List<StartFacts.Address> addresses() {
        List<StartFacts.Address> addresses = new ArrayList<>();
        table.groups().forEach((number, shards) -> {
            Optional<ListenerRole> role = ListenerRole.ofKey(table.key(number));
            String scheme = role.filter(ListenerRole.SERVICE::equals).isPresent() ? accepted.config().scheme() : "http";
            addresses.add(new StartFacts.Address(role.map(ListenerRole::word).orElse(StartFacts.ADMIN),
                    table.address(number).url(scheme), shards.size()));
        });
        return addresses;
    }

    /// How workers are started, and what for.
    private final class WorkerLaunches implements Launches {
        @Override
        public void check(ServeryConfig config) throws ConfigurationRefusal {
            sizes(config);
        }

        @Override
        public Command of(ServeryConfig config, Path controlSocket, boolean besideOthers) throws ConfigurationRefusal {
            WorkerMemory sizes = sizes(config);
            return new Command(WorkerCommand.java(), WorkerCommand.arguments(workerMain,
                    new WorkerCommand.Sizes(sizes.heapBytes(), sizes.directBytes(), sizes.formBytes()),
                    !events.forPeople(), besideOthers, List.of(controlSocket.toString())),
                    WorkerEnvironment.of(environment));
        }

        private WorkerMemory sizes(ServeryConfig config) throws ConfigurationRefusal {
            RuntimeConfig.Memory memory = config.runtime().workerMemory();
            int workers = config.runtime().workers(Runtime.getRuntime().availableProcessors());
            long need = Math.max(HeapNeed.defaultBytes(), HeapNeed.bytes(config.resources()));
            try {
                return given(WorkerMemory.of(new WorkerMemory.Wanted(MemoryLimit.ofThisProcess(), workers, PARENT_BYTES,
                        new WorkerMemory.Need(need, config.resources().formBytes()), memory.heapBytes(),
                        memory.directBytes())));
            } catch (IOException unreadable) {
                throw new ConfigurationRefusal(String.valueOf(unreadable.getMessage()), ExitCode.FAILED);
            }
        }
    }

    /// Asked by the thread that renders metrics, which may wait.
    private MetricsGathering report() {
        Supervisor loop = supervisor.get();
        return loop == null
                ? Scrape.beforeLoop(build, sampler.sample(), keeper.firstExpirySeconds(), owner.sample())
                : Scrape.await(loop.metrics(), METRICS_MAX, this::reportOf);
    }

    private MetricsReport reportOf(FleetReport fleet) {
        List<ProcessSample> processes = new ArrayList<>(List.of(sampler.sample()));
        processes.addAll(fleet.processes());
        return new MetricsReport(fleet.total(), build, processes, Optional.of(fleet.fleet()),
                keeper.firstExpirySeconds(), Optional.of(owner.sample()));
    }

    private static <T> T given(io.servery.supervisor.host.Outcome<T> outcome) throws ConfigurationRefusal {
        return switch (outcome) {
            case io.servery.supervisor.host.Outcome.Given<T>(T value) -> value;
            case io.servery.supervisor.host.Outcome.Refused<T>(String message, ExitCode code) ->
                throw new ConfigurationRefusal(message, code);
        };
    }
}

package io.servery.supervisor.loop;

import static org.awaitility.Awaitility.await;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Outcome;
import io.servery.core.config.RuntimeDirectory;
import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Decoded;
import io.servery.core.control.Order;
import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Cause;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Fact;
import io.servery.core.lifecycle.WorkerId;
import io.servery.core.operator.OperatorReply;
import io.servery.supervisor.listen.ListenAddress;
import io.servery.supervisor.listen.ListenerTable;
import io.servery.supervisor.loop.ScriptedWorker.Script;
import io.servery.supervisor.process.Command;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/// A parent on a thread of the test, with workers that are processes; what it would tell people is kept.
final class TestFleet implements AutoCloseable {
    static final Duration LIMIT = Duration.ofMinutes(2);

    private final Path folder;
    private final ListenerTable table = new ListenerTable();
    private final Function<Integer, Script> scripts;
    private final AtomicInteger spawned = new AtomicInteger();
    private final CompletableFuture<ExitCode> code = new CompletableFuture<>();
    private final CompletableFuture<Supervisor> made = new CompletableFuture<>();
    final List<Condition> conditions = new CopyOnWriteArrayList<>();
    final List<Condition> endings = new CopyOnWriteArrayList<>();
    final List<Cause> failures = new CopyOnWriteArrayList<>();
    final List<Fact> facts = new CopyOnWriteArrayList<>();
    final List<Conclusion> conclusions = new CopyOnWriteArrayList<>();
    final List<String> listeners = new CopyOnWriteArrayList<>();
    final Map<WorkerId, Integer> pids = new ConcurrentHashMap<>();
    final AtomicInteger offered = new AtomicInteger();
    final AtomicInteger taken = new AtomicInteger();
    final AtomicInteger declined = new AtomicInteger();
    final AtomicReference<Source> source;
    /// Runs on the loop, at each fact.
    final AtomicReference<Consumer<Fact>> noting = new AtomicReference<>(_ -> {
    });

    /// @param folder of this test alone
    /// @param scripts of the processes by the order of their spawning, from 0
    TestFleet(Path folder, Function<Integer, Script> scripts) {
        this.folder = folder;
        this.scripts = scripts;
        this.source = new AtomicReference<>(() -> Configuration.load(inputs()));
    }

    private ConfigurationInputs inputs() {
        return new ConfigurationInputs(Optional.of(Path.of("servery.toml")), Map.of(), List.of(), folder, false);
    }

    /// Writes a configuration with these lines in `[runtime]`, `[resources]` and the files.
    TestFleet configured(String runtime, String resources, String files) throws IOException {
        Files.writeString(folder.resolve("servery.toml"),
                """
                        schema_version = 1
                        [runtime]
                        %s
                        %s
                        drain_timeout = "2s"
                        force_timeout = "300ms"
                        restart_backoff_initial = "10ms"
                        %s
                        [listener]
                        host = "127.0.0.1"
                        port = 0
                        [resources]
                        %s
                        [application.static]
                        %s
                        """.formatted(unless(runtime, "event_loops", "1"), unless(runtime, "start_timeout", "\"60s\""),
                        runtime, resources,
                        files));
        return this;
    }

    private static String unless(String lines, String key, String value) {
        return lines.contains(key) ? "" : key + " = " + value;
    }

    /// Starts it; returns at once.
    TestFleet started() throws IOException {
        Outcome first = source.get().read();
        if (!(first instanceof Outcome.Accepted accepted)) {
            throw new AssertionError(first);
        }
        Path directory = Files.createDirectories(runtimeDirectory());
        SupervisorSpec spec = new SupervisorSpec(directory, ScriptedWorker.BUILD, 2, () -> source.get().read(),
                new NoIdentities(), endpoint -> ListenAddress.of("listener", endpoint, Map.of()), table, this::command,
                this::offer,
                new Recorder(), () -> {
                });
        Thread.ofPlatform().name("test-parent").daemon().start(() -> live(spec, accepted));
        return this;
    }

    private void live(SupervisorSpec spec, Outcome.Accepted accepted) {
        try {
            ExitCode ended = lived(spec, accepted);
            table.closeAll();
            code.complete(ended);
        } catch (Throwable failed) {
            made.completeExceptionally(failed);
            code.completeExceptionally(failed);
        }
    }

    private ExitCode lived(SupervisorSpec spec, Outcome.Accepted accepted)
            throws IOException, ConfigurationRefusal {
        Supervisor made;
        ExitCode ended;
        try (Supervisor supervisor = new Supervisor(spec, accepted)) {
            made = supervisor;
            this.made.complete(supervisor);
            ended = supervisor.run();
        }
        made.farewell(ended);
        return ended;
    }

    private Command command(ServeryConfig config, Path controlSocket, boolean besideOthers) {
        int number = spawned.getAndIncrement();
        return new Command(Path.of(System.getProperty("java.home"), "bin", "java"),
                List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx32m",
                        "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                        ScriptedWorker.class.getName(), controlSocket.toString(), scripts.apply(number).name(),
                        folder.resolve("diary" + number).toString()),
                List.of());
    }

    private Companion.Offer offer(ServeryConfig config) {
        offered.incrementAndGet();
        return new Companion.Made() {
            @Override
            public void take(Optional<Order.Identify> identities) {
                taken.incrementAndGet();
            }

            @Override
            public void decline() {
                declined.incrementAndGet();
            }
        };
    }

    Path runtimeDirectory() {
        return folder.resolve("run");
    }

    /// What a worker was told, a line each.
    List<String> diaryOf(int number) {
        return diary(folder, number);
    }

    static List<String> diary(Path folder, int number) {
        Path file = folder.resolve("diary" + number);
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    Supervisor supervisor() {
        return got(made);
    }

    /// Its exit code, once it has ended.
    ExitCode ended() {
        return got(code);
    }

    private static <T> T got(CompletableFuture<T> future) {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    TestFleet ready() {
        await().atMost(LIMIT).until(() -> conditions.contains(Condition.READY) || code.isDone());
        return this;
    }

    void awaitFact(Predicate<Fact> wanted) {
        await().atMost(LIMIT).until(() -> facts.stream().anyMatch(wanted));
    }

    /// The reasons that workers of the fleet ended for, in order.
    List<String> exits() {
        return facts.stream().flatMap(fact -> fact instanceof Fact.WorkerExited(_, Cause cause)
                ? List.of(cause.text()).stream()
                : List.<String>of().stream()).toList();
    }

    boolean isAlive(int pid) {
        return ProcessHandle.of(pid).isPresent();
    }

    SocketChannel operator() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(runtimeDirectory().resolve(RuntimeDirectory.OPERATOR_SOCKET)));
        return channel;
    }

    /// Sends a request, and waits for nothing.
    SocketChannel asking(String command) throws IOException {
        SocketChannel channel = operator();
        channel.write(ByteBuffer.wrap(("servery/1 " + command + "\n").getBytes(StandardCharsets.US_ASCII)));
        return channel;
    }

    OperatorReply ask(String command) throws IOException {
        return answer(asking(command));
    }

    /// The reply, once the parent has sent it and closed.
    static OperatorReply answer(SocketChannel channel) throws IOException {
        CompletableFuture<OperatorReply> reply = CompletableFuture.supplyAsync(() -> {
            ByteBuffer bytes = ByteBuffer.allocate(OperatorReply.BYTES_MAX);
            try (channel) {
                while (channel.read(bytes) >= 0) {
                    // To its end.
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            if (OperatorReply.decode(bytes.flip()) instanceof Decoded.Complete<OperatorReply>(OperatorReply all)) {
                return all;
            }
            throw new AssertionError(StandardCharsets.UTF_8.decode(bytes.rewind()).toString());
        });
        return got(reply);
    }

    /// Ends it in whatever state.
    @Override
    public void close() {
        if (!made.isCompletedExceptionally() && !code.isDone()) {
            supervisor().stopSignalled();
            supervisor().stopSignalled();
        }
        await().atMost(LIMIT).until(code::isDone);
        pids.values().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    private final class Recorder implements Observer {
        @Override
        public void published(Condition condition, Optional<Cause> why, boolean ends) {
            conditions.add(condition);
            if (ends) {
                endings.add(condition);
            }
            why.ifPresent(failures::add);
        }

        @Override
        public void noted(Fact fact, OptionalInt pid) {
            if (fact instanceof Fact.WorkerStarted(WorkerId worker)) {
                pid.ifPresent(number -> pids.put(worker, number));
            }
            facts.add(fact);
            noting.get().accept(fact);
        }

        @Override
        public void concluded(Conclusion conclusion) {
            conclusions.add(conclusion);
        }

        @Override
        public void turned() {
        }

        @Override
        public void opened(String listener, String url, int sockets) {
            listeners.add("opened " + listener + " " + url + " " + sockets);
        }

        @Override
        public void closed(String listener, String url) {
            listeners.add("closed " + listener + " " + url);
        }

        @Override
        public void failed(String what) {
            listeners.add("failed " + what);
        }

        @Override
        public void troubled(String what) {
            failures.add(new Cause(io.servery.core.reason.Reason.HEALTH_FAILURE, what));
        }
    }
}

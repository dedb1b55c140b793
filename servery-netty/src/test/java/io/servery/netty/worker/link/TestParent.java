package io.servery.netty.worker.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.ListenerRole;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.netty.WorkerMain;
import io.servery.netty.listen.BoundSocket;
import io.servery.netty.listen.ListenerGroup;
import io.servery.supervisor.channel.ControlChannel;
import io.servery.supervisor.channel.Poller;
import io.servery.supervisor.channel.UnixSocket;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// A parent of one real worker process: it spawns it, sends orders and keeps what is reported. It decides nothing.
final class TestParent {
    static final String TOKEN = "0123456789abcdef";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Poller poller = new Poller();
    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
    private final List<Report> reports = new CopyOnWriteArrayList<>();
    private final UnixSocket listening;
    private final Path errors;
    private final Process process;
    private final Thread thread;
    private volatile @Nullable ControlChannel<Report, Order> channel;
    private volatile boolean reading = true;
    private volatile boolean closed;

    /// Spawns a worker that runs WorkerMain with these flags of the JVM beside those it needs.
    TestParent(Path directory, List<String> flags) throws IOException {
        Path control = directory.resolve("control.sock");
        listening = UnixSocket.listen(control, 1);
        errors = directory.resolve("stderr.txt");
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true",
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx96m", "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), WorkerMain.class.getName(),
                control.toString()));
        process = new ProcessBuilder(command).redirectError(errors.toFile())
                .redirectOutput(directory.resolve("stdout.txt").toFile()).start();
        thread = Thread.ofPlatform().name("test-parent").daemon().start(this::run);
    }

    /// Says the token, as a parent does at once.
    TestParent saysToken() throws IOException {
        OutputStream in = process.getOutputStream();
        in.write((TOKEN + "\n").getBytes(StandardCharsets.US_ASCII));
        in.flush();
        return this;
    }

    private void run() {
        try {
            while (!closed) {
                poller.await(watched(), Duration.ofSeconds(1));
                for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
                    step.run();
                }
            }
            ControlChannel<Report, Order> open = channel;
            if (open != null) {
                open.close();
            }
            listening.close();
            poller.close();
        } catch (PosixException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Poller.Watched> watched() {
        ControlChannel<Report, Order> open = channel;
        if (open == null) {
            return List.of(new Watch(listening.descriptor(), this::accept));
        }
        return open.end() == null && reading
                ? List.of(new Watch(open.socket().descriptor(), () -> open.receive(reports::add)))
                : List.of();
    }

    private void accept() {
        try {
            UnixSocket accepted = listening.accept();
            if (accepted != null) {
                channel = ControlChannel.ofParent(accepted);
            }
        } catch (PosixException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Watch(int descriptor, Runnable whenReady) implements Poller.Watched {
        @Override
        public void ready(boolean readable, boolean writable) {
            whenReady.run();
        }
    }

    private void step(Runnable step) {
        steps.add(step);
        poller.wake();
    }

    void send(Order order, List<Integer> descriptors) {
        step(() -> {
            ControlChannel<Report, Order> open = channel;
            if (open != null) {
                open.send(order, descriptors);
                open.flush();
            }
        });
    }

    void send(Order order) {
        send(order, List.of());
    }

    /// Closes its end of the channel.
    void hangUp() {
        step(() -> {
            ControlChannel<Report, Order> open = channel;
            if (open != null) {
                open.close();
            }
        });
    }

    /// Sends these bytes, which are no frame.
    void sendBytes(byte... bytes) {
        step(() -> {
            ControlChannel<Report, Order> open = channel;
            if (open != null) {
                try {
                    open.socket().send(java.nio.ByteBuffer.wrap(bytes), List.of());
                } catch (PosixException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
    }

    void reads(boolean on) {
        reading = on;
        poller.wake();
    }

    /// Hands these groups over, numbered in their order.
    ///
    /// @return their shards
    List<Shard> handOver(List<ListenerGroup> groups) {
        return handOver(groups, Collections.nCopies(groups.size(), ListenerRole.SERVICE));
    }

    /// The same for groups of which each has its role.
    List<Shard> handOver(List<ListenerGroup> groups, List<ListenerRole> roles) {
        List<Shard> all = new ArrayList<>();
        for (int group = 0; group < groups.size(); group++) {
            List<Order.Listener> listeners = new ArrayList<>();
            List<Integer> descriptors = new ArrayList<>();
            List<BoundSocket> sockets = groups.get(group).shards();
            for (int index = 0; index < sockets.size(); index++) {
                listeners.add(
                        new Order.Listener(new Shard(group, index), roles.get(group), address(groups.get(group))));
                descriptors.add(descriptor(sockets.get(index)));
            }
            send(new Order.TakeListeners(listeners), descriptors);
            listeners.forEach(one -> all.add(one.shard()));
        }
        return all;
    }

    static String address(ListenerGroup group) {
        if (group.address() instanceof InetSocketAddress tcp) {
            String host = tcp.getAddress().getHostAddress();
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + tcp.getPort();
        }
        return group.url("http");
    }

    static int descriptor(BoundSocket socket) {
        return switch (socket) {
            case BoundSocket.Tcp(int descriptor) -> descriptor;
            case BoundSocket.Unix(int descriptor) -> descriptor;
            case BoundSocket.Nio _ -> throw new AssertionError("no descriptor");
        };
    }

    /// Waits for a report of this type that was not asked for before.
    <T extends Report> T await(Class<T> type) {
        return await(type, _ -> true);
    }

    /// Waits for a report of this type, drops it and those before it of its type, and gives it.
    <T extends Report> T await(Class<T> type, Predicate<T> wanted) {
        return Awaitility.await().atMost(PATIENCE).until(() -> {
            for (Report report : reports) {
                if (type.isInstance(report) && wanted.test(type.cast(report))) {
                    reports.removeIf(report::equals);
                    return type.cast(report);
                }
                if (report instanceof Report.Failed && type != Report.Failed.class) {
                    throw new AssertionError(report + "\n" + errors());
                }
            }
            if (!process.isAlive() && reports.stream().noneMatch(type::isInstance)) {
                throw new AssertionError("the worker ended with " + process.exitValue() + ", reported " + reports + "\n"
                        + errors());
            }
            return null;
        }, java.util.Objects::nonNull);
    }

    /// What was reported and not taken yet.
    Stream<Report> reports() {
        return reports.stream();
    }

    void forgetReports() {
        reports.clear();
    }

    /// From the hello to the report that it is ready.
    List<Shard> makeReady(List<ListenerGroup> groups, String configuration) {
        List<Shard> shards = prepare(groups, configuration);
        send(new Order.Commit());
        await(Report.Ready.class);
        return shards;
    }

    List<Shard> prepare(List<ListenerGroup> groups, String configuration) {
        await(Report.Hello.class);
        List<Shard> shards = handOver(groups);
        send(new Order.Prepare(7, 3, configuration, shards));
        await(Report.Prepared.class);
        return shards;
    }

    void closeStandardInput() throws IOException {
        process.getOutputStream().close();
    }

    void signal(String name) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start().waitFor())
                .isZero();
        if (name.equals("STOP")) {
            // A thread that is in the kernel stops when it leaves it, and may have accepted a connection until then.
            Awaitility.await()
                    .untilAsserted(() -> assertThat(Path.of("/proc/" + process.pid() + "/task").toFile().list())
                            .allMatch(this::stands));
        }
    }

    /// proc_pid_stat(5): the state follows the name, which ends with the last parenthesis.
    private boolean stands(String thread) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/task/" + thread + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
        } catch (IOException gone) {
            return true;
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("the worker has ended").isTrue();
        return process.exitValue();
    }

    String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void close() throws InterruptedException {
        closed = true;
        poller.wake();
        thread.join();
        process.destroyForcibly().waitFor();
    }
}

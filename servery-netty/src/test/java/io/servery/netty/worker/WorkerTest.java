package io.servery.netty.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Logging;
import io.servery.core.config.Metrics;
import io.servery.core.config.Outcome;
import io.servery.core.config.ServeryConfig;
import io.servery.core.metric.BuildInfo;
import io.servery.core.metric.WorkClass;
import io.servery.netty.drain.DrainReport;
import io.servery.netty.listen.Binder;
import io.servery.netty.listen.ListenResult;
import io.servery.netty.listen.ListenerGroup;
import io.servery.netty.observe.Events;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// The life of a worker: prepared, committed, drained, gone.
@EnabledOnOs(value = OS.LINUX, disabledReason = "epoll is Linux's")
@Timeout(60)
@Isolated
class WorkerTest {
    private static final List<String> THREADS = List.of("servery-", "filesystem-");
    private static final String REQUEST = "GET /hello.txt HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final int HUGE_BYTES = 64 * 1024 * 1024;

    @TempDir
    Path folder;

    private Path root;
    private List<ListenerGroup> listeners = List.of();
    private final ByteArrayOutputStream accessLines = new ByteArrayOutputStream();
    private final ByteArrayOutputStream eventLines = new ByteArrayOutputStream();
    /// Not the worker's own: who made them ends them.
    private final Events events = new Events(Logging.Level.INFO, true, eventLines, Clock.systemUTC());

    @BeforeEach
    void makeSite() throws IOException {
        root = Files.createDirectory(folder.resolve("public"));
        Files.writeString(root.resolve("hello.txt"), "hello\n");
        try (RandomAccessFile huge = new RandomAccessFile(root.resolve("huge.bin").toFile(), "rw")) {
            huge.setLength(HUGE_BYTES);
        }
    }

    private ServeryConfig config(String runtime) {
        String text = """
                schema_version = 1
                [runtime]
                %s
                [listener]
                host = "127.0.0.1"
                port = 0
                [metrics]
                enabled = true
                port = 0
                [application]
                mode = "static"
                [application.static]
                root = "%s"
                """.formatted(runtime, root);
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                Optional.of(Path.of("servery.toml")), Map.of("HOME", folder.toString()), List.of(), folder, false))) {
            case Outcome.Accepted accepted -> accepted.config();
            case Outcome.Refused refused -> throw new AssertionError(refused.faults().toString());
        };
    }

    private static List<ListenerGroup> bind(ListenResult result) {
        return switch (result) {
            case ListenResult.Bound(List<ListenerGroup> groups) -> groups;
            case ListenResult.Refused refused -> throw new AssertionError(refused.message());
        };
    }

    private WorkerSpec spec(String runtime) {
        ServeryConfig config = config(runtime);
        Metrics.On metrics = (Metrics.On) config.metrics();
        listeners = bind(new Binder("listener", 16, 2, true).bind(config.listener().endpoint()));
        return new WorkerSpec(config, WorkerSpec.shards(listeners), Map.of(),
                bind(new Binder("metrics", 16, 1, true).bind(metrics.endpoint())), Optional.empty(), 1, true, 2,
                new BuildInfo("test", "25", "4.2"), events, accessLines);
    }

    private static Socket connect(List<ListenerGroup> groups) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(),
                ((InetSocketAddress) groups.getFirst().address()).getPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(15), StandardCharsets.US_ASCII);
    }

    private static void ask(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
    }

    /// Those of a worker. The writer of events belongs to whoever made them, in other tests of this JVM too.
    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(Thread::isAlive).map(Thread::getName)
                .filter(name -> THREADS.stream().anyMatch(name::startsWith) && !name.equals("servery-events")).toList();
    }

    /// Sockets, epoll and its relatives, and what lies beneath the root.
    private List<String> descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.map(WorkerTest::target)
                    .filter(target -> target.startsWith("socket:") || target.startsWith("anon_inode:")
                            || target.startsWith(root.toString()))
                    .map(target -> target.replaceAll("\\d+", "N")).sorted().toList();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "gone"; // the descriptor with which the directory itself was read
        }
    }

    @Test
    void preparedWorkerReadsNothingUntilItIsCommitted() throws Exception {
        WorkerSpec spec = spec("");
        Worker worker = Worker.prepare(spec);
        assertThat(worker.state()).isEqualTo(WorkerState.STARTING);
        try (Socket peer = connect(listeners); Socket admin = connect(spec.adminListeners())) {
            ask(peer, REQUEST);
            ask(admin, REQUEST.replace("hello.txt", "readyz"));
            for (Socket socket : List.of(peer, admin)) {
                socket.setSoTimeout(200);
                assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
                socket.setSoTimeout(20_000);
            }
            assertThat(accessLines.size()).isZero();

            worker.commit();
            worker.adopt(worker.shards());

            assertThat(worker.state()).isEqualTo(WorkerState.READY);
            assertThat(answer(peer)).isEqualTo("HTTP/1.1 200 OK");
            assertThat(answer(admin)).isEqualTo("HTTP/1.1 200 OK");
        }
        assertThat(worker.drain().complete()).isTrue();
        assertThat(worker.state()).isEqualTo(WorkerState.ENDED);
        assertThat(accessLines.toString(StandardCharsets.US_ASCII)).contains("GET /hello.txt HTTP/1.1\" 200 6");
    }

    @Test
    void drainGivesEverythingBack() throws Exception {
        liveOnce(); // what the JVM and Netty open once and keep
        List<String> before = descriptors();

        liveOnce();

        Awaitility.await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertThat(threads()).isEmpty());
        assertThat(descriptors()).isEqualTo(before);
        assertThat(events.close(PATIENCE_NANOS)).isTrue();
        assertThat(eventLines.toString(StandardCharsets.UTF_8)).doesNotContain("runtime.bug");
    }

    private void liveOnce() throws Exception {
        WorkerSpec spec = spec("");
        Worker worker = Worker.prepare(spec);
        worker.commit();
        worker.adopt(worker.shards());
        try (Socket peer = connect(listeners); Socket admin = connect(spec.adminListeners())) {
            ask(peer, REQUEST);
            assertThat(answer(peer)).isEqualTo("HTTP/1.1 200 OK");
            ask(admin, REQUEST.replace("hello.txt", "metrics"));
            assertThat(answer(admin)).isEqualTo("HTTP/1.1 200 OK");
            assertThat(threads()).isNotEmpty();
            assertThat(worker.drain().complete()).isTrue();
        }
    }

    @Test
    void workCutShortAtTheDeadlineIsReportedByItsKindAndGivenBackToo() throws Exception {
        WorkerSpec spec = spec("drain_timeout = \"200ms\"");
        Worker worker = Worker.prepare(spec);
        worker.commit();
        worker.adopt(worker.shards());
        try (Socket stuck = new Socket()) {
            stuck.setReceiveBufferSize(8 * 1024);
            stuck.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(),
                    ((InetSocketAddress) listeners.getFirst().address()).getPort()));
            ask(stuck, REQUEST.replace("hello.txt", "huge.bin"));
            assertThat(answer(stuck)).isEqualTo("HTTP/1.1 200 OK");

            DrainReport report = worker.drain();

            assertThat(report.forced()).containsExactly(Map.entry(WorkClass.STATIC_STREAM, 1));
            assertThat(report.durationMillis()).isGreaterThanOrEqualTo(199);
        }
        assertThat(descriptors()).noneMatch(target -> target.startsWith(root.toString()));
        Awaitility.await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void hurriedDrainWaitsForNobody() throws Exception {
        WorkerSpec spec = spec("drain_timeout = \"5m\"");
        Worker worker = Worker.prepare(spec);
        worker.commit();
        worker.adopt(worker.shards());
        try (Socket stuck = connect(listeners)) {
            ask(stuck, REQUEST.replace("hello.txt", "huge.bin"));
            assertThat(answer(stuck)).isEqualTo("HTTP/1.1 200 OK");
            worker.hurry();

            assertThat(worker.drain().complete()).isFalse();
        }
    }

    @Test
    void connectionAcceptedBeforeTheDrainHasItsRequestAnswered() throws Exception {
        WorkerSpec spec = spec("");
        Worker worker = Worker.prepare(spec);
        worker.commit();
        worker.adopt(worker.shards());
        try (Socket peer = connect(listeners)) {
            ask(peer, REQUEST);
            assertThat(answer(peer)).isEqualTo("HTTP/1.1 200 OK");
            ask(peer, REQUEST.replace("hello.txt", "huge.bin"));
            Thread drain = Thread.ofPlatform().start(() -> {
                try {
                    worker.drain();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(readToEnd(peer.getInputStream())).isGreaterThan(HUGE_BYTES);
            assertThat(drain.join(Duration.ofSeconds(20))).isTrue();
        }
        assertThat(worker.state()).isEqualTo(WorkerState.ENDED);
    }

    private static long readToEnd(InputStream in) throws IOException {
        byte[] buffer = new byte[256 * 1024];
        long total = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            total += read;
        }
        return total;
    }

    @Test
    void rootThatIsGoneFailsThePreparationAndLeavesNoThread() throws Exception {
        WorkerSpec spec = spec("");
        try (Stream<Path> files = Files.list(root)) {
            files.forEach(WorkerTest::delete);
        }
        Files.delete(root);

        assertThatThrownBy(() -> Worker.prepare(spec)).isInstanceOf(IOException.class)
                .hasMessageContaining(root.toString());

        Awaitility.await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertThat(threads()).isEmpty());
        for (ListenerGroup group : listeners) {
            group.close();
        }
        for (ListenerGroup group : spec.adminListeners()) {
            group.close();
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

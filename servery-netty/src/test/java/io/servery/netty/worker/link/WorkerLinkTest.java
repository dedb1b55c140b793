package io.servery.netty.worker.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Endpoint;
import io.servery.core.config.Outcome;
import io.servery.core.control.Bounds;
import io.servery.core.control.ListenerRole;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.Transport;
import io.servery.core.reason.Reason;
import io.servery.netty.listen.Binder;
import io.servery.netty.listen.ListenResult;
import io.servery.netty.listen.ListenerGroup;
import io.servery.netty.observe.BuildVersions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A real worker process under a parent of this test: each order, each report, and each way to its end.
///
/// Long because the orders are one conversation, whose parts share what came before.
@EnabledOnOs(value = OS.LINUX, disabledReason = "descriptors travel between processes of Linux")
@Timeout(120)
class WorkerLinkTest {
    private static final String REQUEST = "GET /hello.txt HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String CLOSING = "GET /hello.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final String HUGE = "GET /huge.bin HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int HUGE_BYTES = 64 * 1024 * 1024;
    private static final int LOOPS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private Path root;
    private final List<ListenerGroup> groups = new ArrayList<>();
    private final List<TestParent> parents = new ArrayList<>();

    @BeforeEach
    void makeSite() throws IOException {
        root = Files.createDirectory(folder.resolve("public"));
        Files.writeString(root.resolve("hello.txt"), "hello\n");
        try (RandomAccessFile huge = new RandomAccessFile(root.resolve("huge.bin").toFile(), "rw")) {
            huge.setLength(HUGE_BYTES);
        }
        groups.addAll(bind(new Endpoint.Tcp(List.of("127.0.0.1"), 0), 4));
    }

    @AfterEach
    void end() throws Exception {
        for (TestParent parent : parents) {
            parent.close();
        }
        for (ListenerGroup group : groups) {
            group.close();
        }
    }

    private static List<ListenerGroup> bind(Endpoint endpoint, int shards) {
        return switch (new Binder("listener", 128, shards, true).bind(endpoint)) {
            case ListenResult.Bound(List<ListenerGroup> bound) -> bound;
            case ListenResult.Refused refused -> throw new AssertionError(refused.message());
        };
    }

    private TestParent parent(String... flags) throws IOException {
        TestParent parent = new TestParent(Files.createDirectory(folder.resolve("run" + parents.size())),
                List.of(flags));
        parents.add(parent);
        return parent.saysToken();
    }

    private String configuration(String more) {
        String text = """
                schema_version = 1
                [runtime]
                event_loops = %d
                %s
                [listener]
                host = "127.0.0.1"
                port = 0
                [application]
                mode = "static"
                [application.static]
                root = "%s"
                """.formatted(LOOPS, more, root);
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                Optional.of(Path.of("servery.toml")), Map.of("HOME", folder.toString()), List.of(), folder, false))) {
            case Outcome.Accepted accepted -> accepted.effective().workerText();
            case Outcome.Refused refused -> throw new AssertionError(refused.faults().toString());
        };
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(),
                ((InetSocketAddress) groups.getFirst().address()).getPort());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    private static void ask(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
    }

    private static String status(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(15), StandardCharsets.US_ASCII);
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private String fetch() throws IOException {
        try (Socket socket = connect()) {
            ask(socket, CLOSING);
            return rest(socket);
        }
    }

    private static MetricSnapshot snapshot(Report.MetricsSnapshot report) {
        return report.snapshot(MetricScope.http1Files()).orElseThrow();
    }

    // The start

    @Test
    void firstReportSaysProtocolBuildAndToken() throws Exception {
        Report.Hello hello = parent().await(Report.Hello.class);

        assertThat(hello).isEqualTo(new Report.Hello(Bounds.VERSION, BuildVersions.identity(), TestParent.TOKEN));
    }

    @Test
    void preparedWorkerReadsNothingUntilAShardIsAdopted() throws Exception {
        TestParent parent = parent();
        List<Shard> shards = parent.prepare(groups, configuration(""));
        try (Socket waiting = connect()) {
            ask(waiting, CLOSING);
            waiting.setSoTimeout(200);
            assertThatThrownBy(() -> waiting.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            parent.send(new Order.Commit());
            parent.await(Report.Ready.class);
            assertThatThrownBy(() -> waiting.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            waiting.setSoTimeout((int) PATIENCE.toMillis());

            parent.send(new Order.Adopt(shards));

            assertThat(rest(waiting)).startsWith("HTTP/1.1 200 OK").endsWith("hello\n");
        }
    }

    @Test
    void warmUpIsNeitherCountedNorLogged() throws Exception {
        TestParent parent = parent();
        parent.prepare(groups, configuration(""));
        parent.forgetReports();
        parent.send(new Order.TakeSnapshot());

        MetricSnapshot counted = snapshot(parent.await(Report.MetricsSnapshot.class));

        assertThat(counted.connections(Transport.H1)).isZero();
        assertThat(counted.rejections(Reason.NOT_FOUND, Transport.H1)).isZero();
        assertThat(folder.resolve("run0/stdout.txt")).isEmptyFile();
        assertThat(parent.errors()).doesNotContain("runtime.bug");
    }

    @Test
    void unixSocketIsServedByAllLoops() throws Exception {
        Path path = folder.resolve("http.sock");
        groups.addAll(bind(new Endpoint.UnixSocket(path), 1));
        TestParent parent = parent();
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));
        List<SocketChannel> open = new ArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
            SocketChannel peer = SocketChannel.open(StandardProtocolFamily.UNIX);
            peer.connect(UnixDomainSocketAddress.of(path));
            peer.write(ByteBuffer.wrap(REQUEST.getBytes(StandardCharsets.US_ASCII)));
            ByteBuffer answer = ByteBuffer.allocate(15);
            while (answer.hasRemaining()) {
                assertThat(peer.read(answer)).isPositive();
            }
            assertThat(new String(answer.array(), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200 OK");
            open.add(peer);
        }

        for (int loop = 0; loop < LOOPS; loop++) {
            int number = loop;
            parent.await(Report.Heartbeat.class,
                    beat -> beat.loop() == number && beat.connections() == 1 && beat.requests() == 1);
        }
        for (SocketChannel peer : open) {
            peer.close();
        }
    }

    @Test
    void everyLoopIsHeardFrom() throws Exception {
        TestParent parent = parent();
        parent.makeReady(groups, configuration(""));
        for (int round = 0; round < 3; round++) {
            parent.forgetReports();
            for (int loop = 0; loop < LOOPS; loop++) {
                int number = loop;
                parent.await(Report.Heartbeat.class, beat -> beat.loop() == number);
            }
        }
    }

    // What cannot be started

    @Test
    void descriptorOfAnotherAddressIsRefusedWithBoth() throws Exception {
        TestParent parent = parent();
        parent.await(Report.Hello.class);
        String found = TestParent.address(groups.getFirst());

        parent.send(
                new Order.TakeListeners(
                        List.of(new Order.Listener(new Shard(0, 0), ListenerRole.SERVICE, "127.0.0.1:1"))),
                List.of(TestParent.descriptor(groups.getFirst().shards().getFirst())));

        Report.Failed failed = parent.await(Report.Failed.class);
        assertThat(failed.reason()).isEqualTo(Reason.STARTUP_FAILURE);
        assertThat(failed.cause()).contains("socket 0 of group 0: found " + found + "; expected one that listens at "
                + "127.0.0.1:1");
        assertThat(parent.exitCode()).isEqualTo(1);
    }

    @Test
    void descriptorThatIsNoSocketIsRefused() throws Exception {
        TestParent parent = parent();
        parent.await(Report.Hello.class);

        parent.send(new Order.TakeListeners(
                List.of(new Order.Listener(new Shard(0, 0), ListenerRole.SERVICE, "127.0.0.1:1"))), List.of(0));

        assertThat(parent.await(Report.Failed.class).cause()).contains("found no socket");
        assertThat(parent.exitCode()).isEqualTo(1);
    }

    @Test
    void lackOfDescriptorsIsRefused() throws Exception {
        TestParent parent = parent();
        parent.await(Report.Hello.class);
        String address = TestParent.address(groups.getFirst());

        parent.send(new Order.TakeListeners(List.of(new Order.Listener(new Shard(0, 0), ListenerRole.SERVICE, address),
                new Order.Listener(new Shard(0, 1), ListenerRole.SERVICE, address))),
                List.of(TestParent.descriptor(groups.getFirst().shards().getFirst())));

        assertThat(parent.await(Report.Failed.class).cause()).contains("found 1 descriptors; expected 2");
    }

    @Test
    void surplusOfDescriptorsIsRefused() throws Exception {
        TestParent parent = parent();
        parent.await(Report.Hello.class);
        int descriptor = TestParent.descriptor(groups.getFirst().shards().getFirst());

        parent.send(new Order.TakeListeners(
                List.of(new Order.Listener(new Shard(0, 0), ListenerRole.SERVICE,
                        TestParent.address(groups.getFirst())))),
                List.of(descriptor, descriptor));
        parent.send(new Order.Prepare(0, 0, configuration(""), List.of(new Shard(0, 0))));

        assertThat(parent.await(Report.Failed.class).cause()).contains("found 1 descriptors that belong to no order");
    }

    @Test
    void shardThatWasNotHandedOverIsMissed() throws Exception {
        TestParent parent = parent();
        parent.await(Report.Hello.class);
        List<Shard> shards = new ArrayList<>(parent.handOver(groups));
        shards.add(new Shard(9, 0));

        parent.send(new Order.Prepare(0, 0, configuration(""), shards));

        assertThat(parent.await(Report.Failed.class).cause()).contains("found 4; expected 5, also socket 0 of group 9");
    }

    @Test
    void rootThatIsGoneIsAFaultOfTheConfiguration() throws Exception {
        String configuration = configuration("");
        Files.move(root, folder.resolve("elsewhere"));
        TestParent parent = parent();
        parent.await(Report.Hello.class);
        List<Shard> shards = parent.handOver(groups);

        parent.send(new Order.Prepare(0, 0, configuration, shards));

        Report.Failed failed = parent.await(Report.Failed.class);
        assertThat(failed.reason()).isEqualTo(Reason.INVALID_CONFIG);
        assertThat(failed.cause()).startsWith("application.static.root: ").contains(root.toString());
        assertThat(parent.exitCode()).isEqualTo(1);
    }

    @Test
    void orderOutOfItsPlaceFailsTheStart() throws Exception {
        TestParent parent = parent();
        parent.await(Report.Hello.class);

        parent.send(new Order.Commit());

        assertThat(parent.await(Report.Failed.class).cause())
                .isEqualTo("the parent ordered Commit while the worker was Gathering");
        assertThat(parent.exitCode()).isEqualTo(1);
    }

    // Shards change hands

    @Test
    void shardsThatGoToAndFroLoseNoConnection() throws Exception {
        TestParent one = parent();
        TestParent other = parent();
        List<Shard> shards = one.makeReady(groups, configuration(""));
        other.makeReady(groups, configuration(""));
        one.send(new Order.Adopt(shards));
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger served = new AtomicInteger();
        List<String> failures = new java.util.concurrent.CopyOnWriteArrayList<>();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(Thread.ofPlatform().start(() -> load(over, served, failures)));
        }

        for (int round = 0; round < 20; round++) {
            TestParent from = round % 2 == 0 ? one : other;
            TestParent to = round % 2 == 0 ? other : one;
            int before = served.get();
            from.send(new Order.Release(round, shards));
            assertThat(from.await(Report.Released.class)).isEqualTo(new Report.Released(round, shards));
            to.send(new Order.Adopt(shards));
            Awaitility.await().atMost(PATIENCE).until(() -> served.get() > before + 10);
        }
        over.set(true);
        for (Thread client : clients) {
            client.join();
        }

        assertThat(failures).isEmpty();
        one.forgetReports();
        other.forgetReports();
        one.send(new Order.TakeSnapshot());
        other.send(new Order.TakeSnapshot());
        assertThat(snapshot(one.await(Report.MetricsSnapshot.class)).connections(Transport.H1)
                + snapshot(other.await(Report.MetricsSnapshot.class)).connections(Transport.H1))
                .isEqualTo(served.get());
    }

    private void load(AtomicBoolean over, AtomicInteger served, List<String> failures) {
        while (!over.get()) {
            try {
                String answer = fetch();
                if (!answer.startsWith("HTTP/1.1 200 OK")) {
                    failures.add(answer);
                }
                served.incrementAndGet();
            } catch (IOException e) {
                failures.add(e.toString());
            }
        }
    }

    @Test
    void killedWorkerLeavesItsQueueToTheNext() throws Exception {
        TestParent one = parent();
        TestParent other = parent();
        List<Shard> shards = one.makeReady(groups, configuration(""));
        other.makeReady(groups, configuration(""));
        one.send(new Order.Adopt(shards));
        assertThat(fetch()).startsWith("HTTP/1.1 200 OK");
        one.signal("STOP");
        List<Socket> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Socket socket = connect();
            ask(socket, CLOSING);
            waiting.add(socket);
        }
        one.signal("KILL");
        one.exitCode();

        other.send(new Order.Adopt(shards));

        for (Socket socket : waiting) {
            assertThat(rest(socket)).startsWith("HTTP/1.1 200 OK");
            socket.close();
        }
    }

    @Test
    void stoppedWorkerIsSilentAndSpeaksAgainWhenItGoesOn() throws Exception {
        TestParent parent = parent();
        parent.makeReady(groups, configuration(""));
        parent.await(Report.Heartbeat.class);
        parent.signal("STOP");
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(600)).until(() -> {
            boolean silent = parent.reports().noneMatch(Report.Heartbeat.class::isInstance);
            parent.forgetReports();
            return silent;
        });

        parent.signal("CONT");

        parent.await(Report.Heartbeat.class);
    }

    // Counts and settings

    @Test
    void whatChangesIsReportedUnasked() throws Exception {
        TestParent parent = parent();
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));
        assertThat(fetch()).startsWith("HTTP/1.1 200 OK");

        parent.await(Report.MetricsSnapshot.class, report -> snapshot(report).connections(Transport.H1) == 1);
    }

    @Test
    void parentThatDoesNotReadFindsTheLatestOnly() throws Exception {
        TestParent parent = parent();
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));
        parent.reads(false);
        for (int i = 0; i < 5; i++) {
            assertThat(fetch()).startsWith("HTTP/1.1 200 OK");
        }
        parent.forgetReports();
        parent.reads(true);

        parent.await(Report.MetricsSnapshot.class, report -> snapshot(report).connections(Transport.H1) == 5);
        assertThat(parent.alive()).isTrue();
    }

    @Test
    void pushedLimitsHoldForConnectionsThatComeThen() throws Exception {
        TestParent parent = parent();
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));
        String request = "GET /hello.txt?" + "x".repeat(2000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (Socket before = connect()) {
            ask(before, request);
            assertThat(status(before)).isEqualTo("HTTP/1.1 200 OK");
            parent.send(new Order.Push(List.of(new Order.Setting("resources.max_target_bytes", "\"1KiB\""))));
            parent.forgetReports();
            parent.send(new Order.TakeSnapshot());
            parent.await(Report.MetricsSnapshot.class);

            try (Socket after = connect()) {
                ask(after, request);
                assertThat(status(after)).startsWith("HTTP/1.1 414");
            }
        }
    }

    // Memory

    /// Peers that ask and ask and read nothing: each has answers in buffers, until there is no more for the next.
    @Test
    void connectionsPastTheDirectMemoryAreClosedAndCountedAndTheWorkerLives() throws Exception {
        Files.writeString(root.resolve("page.txt"), "x".repeat(15_000));
        Path path = folder.resolve("http.sock");
        groups.addAll(bind(new Endpoint.UnixSocket(path), 1));
        TestParent parent = parent("-XX:MaxDirectMemorySize=4m");
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));
        ByteBuffer requests = ByteBuffer.wrap("GET /page.txt HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(64)
                .getBytes(StandardCharsets.US_ASCII));
        List<SocketChannel> greedy = new ArrayList<>();
        try {
            for (int i = 0; i < 64; i++) {
                SocketChannel peer = SocketChannel.open(UnixDomainSocketAddress.of(path));
                greedy.add(peer);
                peer.write(requests.duplicate());
            }
            parent.await(Report.MetricsSnapshot.class,
                    report -> snapshot(report).rejections(Reason.MEMORY_CAPACITY, Transport.H1) > 0);
        } finally {
            for (SocketChannel peer : greedy) {
                peer.close();
            }
        }

        Awaitility.await().atMost(PATIENCE).ignoreExceptionsMatching(IOException.class::isInstance)
                .until(() -> fetch().startsWith("HTTP/1.1 200 OK"));
        assertThat(parent.alive()).isTrue();
        assertThat(parent.errors()).doesNotContain("runtime.bug").doesNotContain("OutOfDirectMemoryError");
    }

    // The end

    @Test
    void drainFinishesWhatIsActiveReleasesItsShardsAndReportsAll() throws Exception {
        TestParent parent = parent();
        List<Shard> shards = parent.makeReady(groups, configuration(""));
        parent.send(new Order.Adopt(shards));
        try (Socket idle = connect(); Socket active = connect(); Socket queued = connect()) {
            ask(idle, REQUEST);
            assertThat(status(idle)).isEqualTo("HTTP/1.1 200 OK");
            ask(active, HUGE);
            assertThat(status(active)).isEqualTo("HTTP/1.1 200 OK");
            ask(queued, REQUEST);
            parent.forgetReports();

            parent.send(new Order.Drain(Duration.ofSeconds(20), Duration.ZERO));

            assertThat(parent.await(Report.Released.class)).isEqualTo(new Report.Released(0, shards));
            assertThat(rest(queued)).startsWith("HTTP/1.1 200 OK");
            assertThat(rest(idle)).contains("hello\n");
            assertThat(parent.reports().filter(Report.Drained.class::isInstance)).isEmpty();
            assertThat(rest(active).length()).isGreaterThan(HUGE_BYTES);
        }
        assertThat(parent.await(Report.Drained.class)).isEqualTo(new Report.Drained(0));
        assertThat(snapshot(parent.await(Report.MetricsSnapshot.class,
                report -> snapshot(report).connectionsActive(Transport.H1) == 0)).connections(Transport.H1))
                .isEqualTo(3);
        assertThat(parent.exitCode()).isZero();
        assertThat(parent.errors()).contains("drain.completed").contains("generation").contains("worker")
                .doesNotContain("runtime.bug");
    }

    @Test
    void whatIsStillActiveAtTheEndOfTheDrainIsCutAndCounted() throws Exception {
        TestParent parent = parent();
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));
        try (Socket slow = connect()) {
            ask(slow, HUGE);
            assertThat(status(slow)).isEqualTo("HTTP/1.1 200 OK");

            parent.send(new Order.Drain(Duration.ofMillis(300), Duration.ZERO));

            assertThat(parent.await(Report.Drained.class)).isEqualTo(new Report.Drained(1));
        }
        assertThat(parent.exitCode()).isZero();
    }

    @Test
    void termCutsADrainShort() throws Exception {
        TestParent parent = parent();
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));
        try (Socket slow = connect()) {
            ask(slow, HUGE);
            assertThat(status(slow)).isEqualTo("HTTP/1.1 200 OK");
            parent.send(new Order.Drain(Duration.ofHours(1), Duration.ZERO));
            parent.await(Report.Released.class);

            parent.signal("TERM");

            assertThat(parent.await(Report.Drained.class)).isEqualTo(new Report.Drained(1));
        }
        assertThat(parent.exitCode()).isZero();
    }

    @Test
    void termWithoutADrainEndsItAndSaysSo() throws Exception {
        TestParent parent = parent();
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));

        parent.signal("TERM");

        assertThat(parent.await(Report.Exiting.class).code()).isZero();
        assertThat(parent.exitCode()).isZero();
    }

    @Test
    void signalsOfATerminalAreLeftToTheParent() throws Exception {
        TestParent parent = parent();
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));

        parent.signal("INT");
        parent.signal("HUP");

        parent.forgetReports();
        parent.await(Report.Heartbeat.class);
        assertThat(fetch()).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void workerWhoseParentIsGoneDrainsByItself() throws Exception {
        TestParent parent = parent();
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));
        try (Socket active = connect()) {
            ask(active, HUGE);
            assertThat(status(active)).isEqualTo("HTTP/1.1 200 OK");

            parent.closeStandardInput();

            assertThat(rest(active).length()).isGreaterThan(HUGE_BYTES);
        }
        assertThat(parent.exitCode()).isZero();
    }

    @Test
    void workerWhoseChannelIsGoneDrainsByItself() throws Exception {
        TestParent parent = parent();
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));
        try (Socket active = connect()) {
            ask(active, HUGE);
            assertThat(status(active)).isEqualTo("HTTP/1.1 200 OK");

            parent.hangUp();

            assertThat(rest(active).length()).isGreaterThan(HUGE_BYTES);
        }
        assertThat(parent.exitCode()).isZero();
    }

    @Test
    void bytesThatAreNoOrderEndItByADrain() throws Exception {
        TestParent parent = parent();
        parent.send(new Order.Adopt(parent.makeReady(groups, configuration(""))));
        assertThat(fetch()).startsWith("HTTP/1.1 200 OK");

        parent.sendBytes((byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff);

        assertThat(parent.exitCode()).isZero();
    }

    @Test
    void workerThatServedNothingYetEndsAtOnceWithItsParent() throws Exception {
        TestParent parent = parent();
        parent.prepare(groups, configuration("drain_timeout = \"1h\""));

        parent.closeStandardInput();

        assertThat(parent.exitCode()).isEqualTo(1);
    }

    @Test
    void workerWithoutATokenSaysWhatItExpected() throws Exception {
        TestParent parent = new TestParent(Files.createDirectory(folder.resolve("silent")), List.of());
        parents.add(parent);

        parent.closeStandardInput();

        assertThat(parent.exitCode()).isEqualTo(1);
        assertThat(parent.errors()).contains("standard input: found 0 bytes and its end; expected the token");
    }
}

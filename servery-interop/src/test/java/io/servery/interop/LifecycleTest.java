package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// From start to exit code: what an operator and a service manager see.
class LifecycleTest {
    private static final int HUGE_BYTES = 24 * 1024 * 1024;
    private static final Duration EXIT = Duration.ofSeconds(10);
    private static final Duration REFUSED = Duration.ofSeconds(1);
    /// Idle connections get at least this in a drain.
    private static final Duration GRACE = Duration.ofMillis(100);

    @TempDir
    Path folder;

    private ServeryProcess.Settings settings() {
        Site site = Site.generate(folder.resolve("site"));
        site.put("huge.bin", Site.pattern(HUGE_BYTES, 3));
        return ServeryProcess.Settings.of(folder, site.root());
    }

    @Test
    void startIsQuietAboutWarningsAndReadyWhenReady() {
        try (ServeryProcess server = ServeryProcess.start(settings())) {
            assertThat(server.errorText() + server.outputText()).doesNotContain("WARNING");
            assertThat(server.adminStatus("/livez")).isEqualTo(200);
            assertThat(server.adminStatus("/readyz")).isEqualTo(200);
            assertThat(server.adminStatus("/metrics")).isEqualTo(200);
        }
    }

    @Test
    void terminatedServerEndsWithZero() {
        for (String signal : new String[]{"TERM", "INT"}) {
            try (ServeryProcess server = ServeryProcess.start(settings())) {
                assertThat(server.get("/hello.txt").status()).isEqualTo(200);
                server.signal(signal);
                assertThat(server.exitCode(EXIT)).as(signal).isZero();
            }
        }
    }

    @Test
    void downloadInFlightCompletesThoughNewConnectionsAreRefused() throws IOException {
        try (ServeryProcess server = ServeryProcess.start(settings());
                WireConnection slow = WireConnection.open(server.port(), 16 * 1024)) {
            slow.send("GET /huge.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            InputStream in = slow.raw();
            byte[] first = in.readNBytes(32 * 1024);
            server.terminate();
            awaitRefusal(server);
            assertThat(server.alive()).as("alive while it drains").isTrue();
            assertThat(server.adminStatus("/livez")).as("/livez while it drains").isEqualTo(200);
            assertThat(server.adminStatus("/readyz")).as("/readyz while it drains").isEqualTo(503);
            byte[] rest = in.readAllBytes();
            byte[] content = Site.pattern(HUGE_BYTES, 3);
            int head = first.length + rest.length - content.length;
            assertThat(head).as("bytes before the content").isPositive();
            assertThat(Arrays.equals(rest, rest.length - 1024, rest.length, content, content.length - 1024,
                    content.length)).isTrue();
            assertThat(Arrays.equals(first, head, first.length, content, 0, first.length - head)).isTrue();
            slow.leave();
            assertThat(server.exitCode(EXIT)).isZero();
        }
    }

    @Test
    void idleConnectionIsClosedWithoutAResetAfterItsGrace() {
        try (ServeryProcess server = ServeryProcess.start(settings()); WireConnection idle = server.connect()) {
            assertThat(idle.get("/hello.txt").answer().status()).isEqualTo(200);
            long from = System.nanoTime();
            server.terminate();
            assertThat(idle.hear()).isEqualTo(Heard.Ending.FIN);
            assertThat(Duration.ofNanos(System.nanoTime() - from)).isGreaterThanOrEqualTo(GRACE)
                    .isLessThan(Duration.ofSeconds(5));
            idle.leave();
            assertThat(server.exitCode(EXIT)).isZero();
        }
    }

    /// A request that was on its way when the drain began is answered, on a connection that has answered before.
    @Test
    void requestThatWasOnItsWayIsAnswered() {
        try (ServeryProcess server = ServeryProcess.start(settings()); WireConnection busy = server.connect()) {
            assertThat(busy.get("/hello.txt").answer().status()).isEqualTo(200);
            server.terminate();
            assertThat(busy.get("/digits.txt").answer().text()).isEqualTo("0123456789");
            assertThat(busy.hear()).isEqualTo(Heard.Ending.FIN);
            busy.leave();
            assertThat(server.exitCode(EXIT)).isZero();
        }
    }

    @Test
    void drainDeadlineForcesAndReportsTheKind() {
        try (ServeryProcess server = ServeryProcess.start(settings().runtime("drain_timeout = \"1s\""));
                WireConnection stuck = WireConnection.open(server.port(), 8 * 1024)) {
            stuck.get("/huge.bin");
            started(stuck);
            long from = System.nanoTime();
            server.terminate();
            assertThat(server.exitCode(EXIT)).isBetween(0, 1);
            assertThat(Duration.ofNanos(System.nanoTime() - from)).isBetween(Duration.ofMillis(900),
                    Duration.ofSeconds(4));
            assertThat(server.errorText()).contains("drain.forced").contains("deadline_http1");
        }
    }

    @Test
    void secondSignalForcesAtOnce() {
        try (ServeryProcess server = ServeryProcess.start(settings());
                WireConnection stuck = WireConnection.open(server.port(), 8 * 1024)) {
            stuck.get("/huge.bin");
            started(stuck);
            server.terminate();
            awaitRefusal(server);
            assertThat(server.alive()).as("alive while it drains").isTrue();
            long from = System.nanoTime();
            server.terminate();
            assertThat(server.exitCode(EXIT)).isBetween(0, 1);
            assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(3));
            assertThat(server.errorText()).contains("drain.forced");
        }
    }

    /// Events are for whoever reads them; a pipe that is full for ever holds nothing up, from the start to the end.
    @Test
    void standardErrorThatNobodyReadsStopsNothing() throws Exception {
        Path fifo = folder.resolve("unread");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
        var unread = settings().prefix("sh", "-c", "exec 2<>\"$0\"; head -c 65536 /dev/zero >&2; exec \"$@\"",
                fifo.toString());
        try (ServeryProcess server = ServeryProcess.start(unread)) {
            server.signal("HUP");
            assertThat(server.get("/hello.txt").status()).isEqualTo(200);
            server.terminate();
            assertThat(server.exitCode(EXIT)).isZero();
        }
    }

    @Test
    void takenPortEndsWith69AndIsNamed() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServeryProcess server = ServeryProcess.launch(settings(), taken.getLocalPort(),
                        ServeryProcess.freePort())) {
            assertThat(server.exitCode(EXIT)).isEqualTo(69);
            assertThat(server.errorText()).contains(Integer.toString(taken.getLocalPort())).doesNotContain("\tat ");
        }
    }

    @Test
    void portThatNeedsAPrivilegeEndsWith77AndIsNamed() throws IOException {
        int port = 81;
        assumeTrue(port < unprivilegedPort(), "every user may bind port " + port + " on this host");
        boolean root = "root".equals(System.getProperty("user.name"));
        var own = root ? settings().prefix("/usr/bin/setpriv", "--bounding-set=-net_bind_service") : settings();
        try (ServeryProcess server = ServeryProcess.launch(own, port, ServeryProcess.freePort())) {
            assertThat(server.exitCode(EXIT)).isEqualTo(77);
            assertThat(server.errorText()).contains("port " + port, "permission denied").doesNotContain("\tat ");
        }
    }

    /// Read in one go: a value of the kernel has no second part.
    private static int unprivilegedPort() throws IOException {
        try (var lines = Files.newBufferedReader(Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start"))) {
            return Integer.parseInt(lines.readLine());
        }
    }

    /// The port is taken as well: a server that bound before it validated would end with 69.
    @Test
    void configurationErrorEndsWith78BeforeAnythingIsBound() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServeryProcess server = ServeryProcess.launch(
                        settings().resources("max_conections = 1\nmax_fields = \"many\""), taken.getLocalPort(),
                        ServeryProcess.freePort())) {
            assertThat(server.exitCode(EXIT)).isEqualTo(78);
            assertThat(server.errorText()).contains("max_conections").contains("did you mean").contains("max_fields")
                    .containsPattern("\\.toml:[0-9]+:[0-9]+: error").doesNotContain("\tat ");
        }
    }

    @Test
    void missingRootEndsWith78() {
        var nowhere = ServeryProcess.Settings.of(folder, folder.resolve("nowhere"));
        try (ServeryProcess server = ServeryProcess.launch(nowhere, ServeryProcess.freePort(),
                ServeryProcess.freePort())) {
            assertThat(server.exitCode(EXIT)).isEqualTo(78);
            assertThat(server.errorText()).contains("nowhere").doesNotContain("\tat ");
        }
    }

    @Test
    void nothingIsLeftBehind() throws IOException {
        Path temporary = Files.createDirectory(folder.resolve("runtime"));
        var own = settings().runtime("runtime_directory = \"" + temporary.resolve("servery") + "\"");
        try (ServeryProcess server = ServeryProcess.start(own)) {
            assertThat(server.get("/hello.txt").status()).isEqualTo(200);
            server.terminate();
            assertThat(server.exitCode(EXIT)).isZero();
        }
        try (var left = Files.walk(temporary)) {
            assertThat(left.filter(file -> !Files.isDirectory(file)).map(Path::getFileName).map(Path::toString))
                    .as("sockets and files left, but native files, which the next start uses").isNotEmpty()
                    .allMatch(name -> name.matches("lib(netty_transport|brotli|zstd).*\\.so"));
        }
        try (ServeryProcess server = ServeryProcess.start(own)) {
            assertThat(server.get("/hello.txt").status()).isEqualTo(200);
        }
    }

    /// The answer has begun when its first byte can be read.
    private static void started(WireConnection connection) {
        try {
            assertThat(connection.raw().read()).isEqualTo('H');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitRefusal(ServeryProcess server) {
        Awaitility.await("new connections refused").atMost(REFUSED.plusMillis(500))
                .pollInterval(Duration.ofMillis(10)).until(() -> refused(server.port()));
    }

    private static boolean refused(int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}

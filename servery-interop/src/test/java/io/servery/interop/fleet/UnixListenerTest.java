package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Answer;
import io.servery.interop.Heard;
import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A Unix socket as the listener: one worker reads it at a time, whoever lives; its file is the parent's.
@Timeout(120)
class UnixListenerTest {
    private static final Duration ADOPTED = Duration.ofSeconds(2);
    private static final Duration EXIT = Duration.ofSeconds(20);
    private static final int ASKED_MIN = 20;

    @TempDir
    Path folder;

    private Path socket = Path.of("");
    private Configuration tcp;
    private Configuration unix;

    @BeforeEach
    void configure() {
        socket = folder.resolve("http.sock");
        tcp = Configuration.of(folder, Site.generate(folder.resolve("site")).root()).runtime("workers = 2");
        unix = onSocket(tcp);
    }

    private Configuration onSocket(Configuration other) {
        return other.endpoint("unix = \"" + socket + "\"");
    }

    /// One request on a connection of its own.
    private Answer get() {
        try (UnixConnection connection = UnixConnection.open(socket)) {
            return connection.get("/hello.txt").answer();
        }
    }

    private static void assertIsHello(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("hello\n");
    }

    private static void reload(Service service, Configuration next) {
        service.configure(next);
        Said said = service.run("reload");
        assertThat(said.code()).as(said + service.errorText()).isZero();
    }

    /// Asks again and again, each time on a new connection, until it is closed.
    private final class Asking implements AutoCloseable {
        private final Queue<String> lost = new ConcurrentLinkedQueue<>();
        private final AtomicInteger answers = new AtomicInteger();
        private volatile boolean over;
        private final Thread thread = Thread.ofPlatform().daemon().name("asking").start(this::ask);

        private void ask() {
            while (!over) {
                try {
                    assertIsHello(get());
                    answers.incrementAndGet();
                } catch (RuntimeException | AssertionError e) {
                    lost.add(e.toString());
                    over = true;
                }
            }
        }

        void awaitMore(Service service) {
            int enough = answers.get() + ASKED_MIN;
            service.await("answers", () -> over || answers.get() >= enough);
        }

        List<String> stop() throws InterruptedException {
            over = true;
            assertThat(thread.join(Service.PATIENCE)).as("it ends").isTrue();
            return List.copyOf(lost);
        }

        @Override
        public void close() {
            over = true;
        }
    }

    @Test
    void reloadLosesNothingAndStopRemovesTheFile() throws InterruptedException {
        try (Service service = Service.start(unix);
                UnixConnection held = UnixConnection.open(socket);
                Asking asking = new Asking()) {
            assertIsHello(held.get("/hello.txt").answer());
            List<Long> before = service.workerPids();
            asking.awaitMore(service);
            reload(service, service.configuration());
            service.settled(2);
            assertThat(service.workerPids()).doesNotContainAnyElementsOf(before);
            asking.awaitMore(service);
            assertThat(asking.stop()).as(service::errorText).isEmpty();
            assertThat(held.hear()).as("the end of what was open").isEqualTo(Heard.Ending.FIN);
            assertThat(service.status().get("listeners").toString()).contains("unix:" + socket);
            Said stop = service.run("stop");
            assertThat(stop.code()).as(stop.toString()).isZero();
            assertThat(service.exitCode(EXIT)).isZero();
            assertThat(service.survivors()).isEmpty();
            assertThat(Files.exists(socket)).as("the file of the socket").isFalse();
        }
    }

    /// It stands still first, so that it accepts nothing more; the other one answers before there is a replacement.
    @Test
    void otherWorkerReadsItWhenItsReaderIsKilled() {
        try (Service service = Service.start(unix)) {
            OsProcess reader = reader(service);
            OsProcess other = service.workers().stream().filter(worker -> !worker.equals(reader)).findFirst()
                    .orElseThrow();
            reader.stop();
            reader.signal("KILL");
            long from = System.nanoTime();
            try (UnixConnection next = UnixConnection.open(socket)) {
                assertIsHello(next.get("/hello.txt").answer());
                assertThat(Duration.ofNanos(System.nanoTime() - from)).as("answered").isLessThan(ADOPTED);
                assertThat(UnixConnection.isHeldBy(other, socket)).as("by the other").isTrue();
            }
            assertThat(service.awaitExit(reader.pid()).text("reason")).isEqualTo("unexpected_exit");
            service.settled(2);
            assertIsHello(get());
            assertThat(Files.exists(socket)).as("the file of the socket").isTrue();
        }
    }

    /// The worker that accepts connections, found by one.
    private OsProcess reader(Service service) {
        try (UnixConnection connection = UnixConnection.open(socket)) {
            assertIsHello(connection.get("/hello.txt").answer());
            Optional<OsProcess> reader = service.workers().stream()
                    .filter(worker -> UnixConnection.isHeldBy(worker, socket)).findFirst();
            return reader.orElseThrow(() -> new AssertionError("nobody has it:\n" + service.errorText()));
        }
    }

    /// Whoever takes the place of the file knows why; the service says so and goes on.
    @Test
    void whatTookThePlaceOfTheFileIsLeftAndTold() throws IOException {
        try (Service service = Service.start(tcp)) {
            Configuration before = service.configuration();
            reload(service, onSocket(before));
            Files.delete(socket);
            Files.writeString(socket, "somebody else's");
            reload(service, before);
            service.await("the event", () -> !service.events("listener.failed", 0).isEmpty());
            assertThat(service.events("listener.failed", 0)).singleElement()
                    .satisfies(event -> assertThat(event.text("message")).contains(socket.toString()));
            assertThat(Files.readString(socket)).isEqualTo("somebody else's");
            assertIsHello(service.get("/hello.txt"));
        }
    }

    @Test
    void reloadGoesFromTcpToTheSocketAndBack() {
        try (Service service = Service.start(tcp)) {
            Configuration before = service.configuration();
            assertThat(Files.exists(socket)).isFalse();
            reload(service, onSocket(before));
            assertIsHello(get());
            service.await("the port refuses", service::refuses);
            reload(service, before);
            assertIsHello(service.get("/hello.txt"));
            service.await("the file of the socket removed", () -> !Files.exists(socket));
            service.settled(2);
            assertIsHello(service.get("/hello.txt"));
        }
    }
}

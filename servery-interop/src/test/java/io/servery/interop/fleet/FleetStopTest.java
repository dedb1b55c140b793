package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.ServeryProcess;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The ends of a service: what is closed when, what finishes, what is left.
class FleetStopTest {
    private static final Duration ADMISSION_CLOSED = Duration.ofSeconds(1);
    private static final Duration FORCED = Duration.ofSeconds(1);
    private static final Duration EXIT = Duration.ofSeconds(20);
    private static final int HUGE_BYTES = 24 * 1024 * 1024;
    private static final int NO_PARENT = 69;
    private static final int OTHER_PARENT = 75;

    @TempDir
    Path folder;

    private Configuration usual;
    private byte[] huge = new byte[0];

    @BeforeEach
    void site() {
        Site site = Site.generate(folder.resolve("site"));
        huge = Site.pattern(HUGE_BYTES, 3);
        site.put("huge.bin", huge);
        usual = Configuration.of(folder, site.root());
    }

    /// A download that has begun, and that its client does not take yet.
    private static WireConnection download(Service service) {
        WireConnection slow = WireConnection.open(service.port(), 16 * 1024);
        slow.send("GET /huge.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        try {
            assertThat(slow.raw().read()).isEqualTo('H');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return slow;
    }

    /// All of it is there, and the client leaves.
    private void assertComplete(WireConnection slow) throws IOException {
        byte[] rest = slow.raw().readAllBytes();
        assertThat(rest.length).isGreaterThan(HUGE_BYTES);
        assertThat(Arrays.equals(rest, rest.length - HUGE_BYTES, rest.length, huge, 0, HUGE_BYTES)).isTrue();
        slow.leave();
    }

    /// It ended before all was there, with or without an RST.
    private static void assertCut(WireConnection slow) {
        try {
            assertThat(slow.raw().readAllBytes().length).isLessThan(HUGE_BYTES);
        } catch (SocketException reset) {
            // The other way to end; a timeout is none.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertNothingIsLeft(Service service) {
        assertThat(service.survivors()).as("processes").isEmpty();
        assertThat(service.runtimeFiles()).as("files of the runtime directory")
                .allMatch(name -> name.endsWith("lock") || name.endsWith("pid"));
        assertThat(Files.exists(service.configuration().operatorSocket())).isFalse();
    }

    @Test
    void termClosesAdmissionWithinASecondAndTheDownloadFinishes() throws IOException {
        try (Service service = Service.start(usual.runtime("workers = 2")); WireConnection slow = download(service)) {
            service.signal("TERM");
            service.await("refusals", ADMISSION_CLOSED, service::refuses);
            assertThat(service.alive()).as("alive while it drains").isTrue();
            assertThat(service.adminStatus("/livez")).isEqualTo(200);
            assertThat(service.adminStatus("/readyz")).isEqualTo(503);
            assertThat(service.metric("servery_workers{state=\"draining\"")).isPositive();
            assertComplete(slow);
            assertThat(service.exitCode(EXIT)).isZero();
            assertNothingIsLeft(service);
        }
    }

    @Test
    void intDoesWhatTermDoes() throws IOException {
        try (Service service = Service.start(usual); WireConnection slow = download(service)) {
            service.signal("INT");
            service.await("refusals", ADMISSION_CLOSED, service::refuses);
            assertComplete(slow);
            assertThat(service.exitCode(EXIT)).isZero();
            assertNothingIsLeft(service);
        }
    }

    /// The workers are gone by then.
    @Test
    void workThatIsLeftAtTheDeadlineIsCutWithinASecond() {
        Duration drain = Duration.ofSeconds(2);
        try (Service service = Service.start(usual.runtime("workers = 2", "drain_timeout = \"2s\""));
                WireConnection slow = download(service)) {
            long from = System.nanoTime();
            service.signal("TERM");
            service.await("no worker", drain.plus(FORCED), () -> service.workers().isEmpty());
            assertThat(Duration.ofNanos(System.nanoTime() - from)).isGreaterThanOrEqualTo(drain.minusMillis(200));
            assertThat(service.exitCode(EXIT)).isBetween(0, 1);
            assertThat(service.events("drain.forced", 0))
                    .anySatisfy(event -> assertThat(event.text("reason")).isEqualTo("deadline_http1"));
            assertCut(slow);
            assertNothingIsLeft(service);
        }
    }

    @Test
    void secondTermForces() {
        try (Service service = Service.start(usual.runtime("workers = 2")); WireConnection slow = download(service)) {
            service.signal("TERM");
            service.await("refusals", ADMISSION_CLOSED, service::refuses);
            assertThat(service.alive()).isTrue();
            service.signal("TERM");
            service.await("no worker", FORCED.plusSeconds(1), () -> service.workers().isEmpty());
            assertThat(service.exitCode(EXIT)).isBetween(0, 1);
            assertCut(slow);
            assertNothingIsLeft(service);
        }
    }

    /// Its worker counts it in the last second of its life, between the end of the drain and the end of the process.
    @Test
    void workThatAReloadCutsIsCountedByTheParent() {
        try (Service service = Service.start(usual.runtime("workers = 2", "drain_timeout = \"1s\""));
                WireConnection slow = download(service)) {
            List<Long> before = service.workerPids();
            Said reload = service.run("reload");
            assertThat(reload.code()).as(reload.toString()).isZero();
            service.settled(2);
            assertThat(service.workerPids()).doesNotContainAnyElementsOf(before);
            Metrics after = service.metrics();
            assertThat(after.sum("servery_drain_forced_total", "work_class=\"static_stream\"",
                    "reason=\"deadline_http1\"")).as(service::errorText).isEqualTo(1);
            assertThat(after.sum("servery_drain_forced_total")).as("of all kinds").isEqualTo(1);
            assertCut(slow);
        }
    }

    @Test
    void stopIsOfOneMeaningHoweverOftenItIsSaid() {
        try (Service service = Service.start(usual)) {
            Said first = service.run("stop");
            assertThat(first.code()).as(first.toString()).isZero();
            assertThat(service.exitCode(EXIT)).isZero();
            assertNothingIsLeft(service);
            for (String word : List.of("stop", "status")) {
                Said said = service.run(word);
                assertThat(said.code()).as(word + ": " + said).isEqualTo(NO_PARENT);
                assertThat(said.errors()).doesNotContain("\tat ");
            }
        }
    }

    /// A second TERM would force.
    @Test
    void secondStopDuringADrainWaitsLikeTheFirst() throws IOException {
        try (Service service = Service.start(usual.runtime("workers = 2")); WireConnection slow = download(service)) {
            CompletableFuture<Said> first = service.commands().start("stop");
            service.await("refusals", service::refuses);
            CompletableFuture<Said> second = service.commands().start("stop");
            service.await("two that wait", () -> service.operators() == 2);
            assertThat(service.events("drain.forced", 0)).isEmpty();
            assertComplete(slow);
            for (Said said : List.of(first.join(), second.join())) {
                assertThat(said.code()).as(said.toString()).isZero();
                assertThat(said.output()).contains("stopped");
            }
            assertThat(service.exitCode(EXIT)).isZero();
            assertThat(service.events("drain.forced", 0)).isEmpty();
            assertNothingIsLeft(service);
        }
    }

    /// From the words of the operator on, not from the start of the command that says them.
    @Test
    void drainClosesAdmissionWithinASecondAndTheDownloadFinishes() throws IOException {
        try (Service service = Service.start(usual.runtime("workers = 2"));
                WireConnection slow = download(service);
                UnixConnection operator = UnixConnection.open(service.configuration().operatorSocket())) {
            operator.send("servery/1 drain\n");
            service.await("refusals", ADMISSION_CLOSED, service::refuses);
            assertThat(service.workers()).as("workers that finish").isNotEmpty();
            assertComplete(slow);
            service.await("no worker", () -> service.workers().isEmpty());
            assertThat(service.events("drain.forced", 0)).isEmpty();
            assertThat(service.adminStatus("/livez")).isEqualTo(200);
        }
    }

    @Test
    void runtimeDirectoryServesTheNextStart() {
        try (Service service = Service.start(usual)) {
            service.signal("TERM");
            assertThat(service.exitCode(EXIT)).isZero();
        }
        try (Service service = Service.start(usual)) {
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            service.signal("KILL");
            service.await("the ends of its workers", () -> service.survivors().isEmpty());
        }
        try (Service service = Service.start(usual)) {
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            assertThat(service.run("status", "--ready").code()).isZero();
        }
    }

    @Test
    void workersOfAParentThatIsKilledFinishAndEnd() throws IOException {
        Duration drain = Duration.ofSeconds(15);
        try (Service service = Service.start(usual.runtime("workers = 2", "drain_timeout = \"15s\""));
                WireConnection slow = download(service)) {
            service.signal("KILL");
            service.await("the end of the worker that has nothing to do", drain, () -> service.survivors().size() == 1);
            assertComplete(slow);
            service.await("the end of all workers", drain, () -> service.survivors().isEmpty());
            assertThat(service.refuses()).isTrue();
        }
    }

    @Test
    void workersOfAParentThatIsKilledDoNotWaitLongerThanADrain() {
        Duration drain = Duration.ofSeconds(2);
        try (Service service = Service.start(usual.runtime("workers = 2", "drain_timeout = \"2s\""));
                WireConnection slow = download(service)) {
            service.signal("KILL");
            service.await("the end of all workers", drain.plus(FORCED).plusSeconds(1),
                    () -> service.survivors().isEmpty());
            assertCut(slow);
        }
    }

    @Test
    void secondParentIsRefusedAndTheFirstIsNamed() {
        try (Service service = Service.start(usual)) {
            Configuration same = usual.ports(ServeryProcess.freePort(), ServeryProcess.freePort());
            try (Service second = Service.launch(same)) {
                assertThat(second.exitCode(Service.PATIENCE)).isEqualTo(OTHER_PARENT);
                assertThat(second.errorText()).contains(Long.toString(service.parent().pid()))
                        .doesNotContain("\tat ");
            }
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            assertThat(service.run("status", "--ready").code()).isZero();
        }
    }

    @Test
    void drainedServiceStaysUntilAReloadBringsItBack() throws IOException {
        try (Service service = Service.start(usual); WireConnection slow = download(service)) {
            assertThat(service.run("status", "--ready").code()).isZero();
            var drain = service.commands().start("drain");
            service.await("refusals", service::refuses);
            assertThat(service.adminStatus("/readyz")).isEqualTo(503);
            assertComplete(slow);
            Said said = drain.join();
            assertThat(said.code()).as(said.toString()).isZero();
            service.await("no worker", () -> service.workers().isEmpty());
            assertThat(service.adminStatus("/livez")).isEqualTo(200);
            assertThat(service.adminStatus("/readyz")).isEqualTo(503);
            assertThat(service.run("status", "--ready").code()).isNotZero();
            assertThat(service.status()).containsEntry("ready", false);
            Said reload = service.run("reload");
            assertThat(reload.code()).as(reload.toString()).isZero();
            assertThat(service.ready()).isTrue();
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            assertThat(service.run("stop").code()).isZero();
            assertThat(service.exitCode(EXIT)).isZero();
            assertNothingIsLeft(service);
        }
    }

    /// A worker that stands still cannot drain: it is killed at the end of the drain, and nothing waits for it longer.
    @Test
    void workerThatStandsStillHoldsNoStopUp() {
        try (Service service = Service.start(usual.runtime("workers = 2", "drain_timeout = \"2s\""))) {
            OsProcess still = service.workers().getFirst();
            still.stop();
            service.signal("TERM");
            assertThat(service.exitCode(EXIT)).isBetween(0, 1);
            assertNothingIsLeft(service);
        }
    }
}

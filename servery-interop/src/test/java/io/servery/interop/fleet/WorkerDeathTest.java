package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.StoppedThread;
import io.servery.interop.WireConnection;
import io.servery.interop.load.Kind;
import io.servery.interop.load.Load;
import io.servery.interop.load.Lost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Workers that die or stand still under traffic: what they had in hand is lost, and nothing else.
///
/// The long form of the deaths: `-Dservery.fleet.kills=50`.
@Isolated
class WorkerDeathTest {
    private static final int KILLS = Integer.getInteger("servery.fleet.kills", 4);
    private static final int OTHERS_MAX = 30;
    /// The first death of a slot is made good at once with the defaults too, which has its own test. This row of deaths is of
    /// the test's making: each would wait longer than the one before, and the limit would end it.
    private static final String[] TWO_WORKERS_REPLACED_AT_ONCE = {"workers = 2", "worker_restart_limit = 1000",
            "restart_backoff_initial = \"1ms\"", "restart_backoff_max = \"1ms\""};

    @TempDir
    Path folder;

    private Configuration configuration(String... runtime) {
        return Configuration.of(folder, Load.generate(folder.resolve("site")).root()).runtime(runtime);
    }

    @Test
    void killedWorkerLosesItsOwnExchangesAlone() throws Exception {
        List<Death> deaths = new ArrayList<>();
        try (Service service = Service.start(configuration(TWO_WORKERS_REPLACED_AT_ONCE));
                Load load = Load.start(service.port(), Load.Mix.USUAL);
                CounterWatch counters = CounterWatch.start(service)) {
            for (int i = 0; i < KILLS; i++) {
                service.settled(2);
                List<OsProcess> workers = service.workers();
                deaths.add(Death.cause(service, workers.get(i % workers.size())));
            }
            service.settled(2);
            load.stop();
            List<Lost> unexplained = load.lost().stream()
                    .filter(lost -> deaths.stream().noneMatch(death -> death.explains(lost))).toList();
            assertThat(unexplained).as(() -> "lost by no death: " + load + "\n" + service.errorText()).isEmpty();
            for (Death death : deaths) {
                assertThat(load.lost().stream().filter(death::broke).count()).as("lost by one death")
                        .isLessThanOrEqualTo(death.clientPorts().size());
            }
            assertThat(deaths).allMatch(Death::replacedInTime, "replaced in time");
            assertThat(load.answers(Kind.PROBE)).isPositive();
            assertThat(counters.stop()).as("counters that fell").isEmpty();
            assertThat(service.metric("servery_worker_restarts_total{reason=\"unexpected_exit\"")).isEqualTo(KILLS);
            assertThat(service.generation()).as("generation").isEqualTo(1);
            assertThat(service.events("worker.exited", 0)).as("ends by pid").extracting(event -> event.text("pid"))
                    .containsExactlyElementsOf(deaths.stream().map(death -> Long.toString(death.pid())).toList());
        }
    }

    /// With the pauses between restarts that every service has: there is none before the first.
    @Test
    void firstDeathOfEachWorkerIsMadeGoodAtOnce() {
        try (Service service = Service.start(configuration("workers = 2"))) {
            for (OsProcess worker : service.workers()) {
                assertThat(Death.cause(service, worker)).matches(Death::replacedInTime, "replaced in time");
                service.settled(2);
            }
        }
    }

    @Test
    void workerThatStandsStillLendsItsSocketsAndHasThemBack() {
        try (Service service = Service.start(configuration("workers = 2"))) {
            List<Long> pids = service.workerPids();
            OsProcess still = service.workers().getFirst();
            try (WireConnection held = connectionTo(still, service)) {
                Adoption adoption = Adoption.awaited(service, still);
                still.stop();
                adoption.assertInTime();
                held.get("/hello.txt");
                still.signal("CONT");
                assertThat(held.answer().text()).as("what waited in the worker").isEqualTo("hello\n");
                connectionTo(still, service).close();
                service.settled(2);
                assertThat(service.workerPids()).isEqualTo(pids);
                assertThat(service.events("worker.exited", 0)).isEmpty();
            }
        }
    }

    /// Connections until one is accepted by this worker, which it must be: it reads sockets of its own.
    private static WireConnection connectionTo(OsProcess worker, Service service) {
        List<WireConnection> others = new ArrayList<>();
        try {
            for (long end = System.nanoTime() + Service.PATIENCE.toNanos(); System.nanoTime() < end;) {
                WireConnection connection = service.connect();
                assertThat(connection.get("/hello.txt").answer().status()).isEqualTo(200);
                if (worker.clientPorts(service.port()).contains(connection.localPort())) {
                    return connection;
                }
                others.add(connection);
                if (others.size() > OTHERS_MAX) {
                    others.removeFirst().close();
                }
            }
            throw new AssertionError("worker " + worker.pid() + " accepts nothing:\n" + service.errorText());
        } finally {
            others.forEach(WireConnection::close);
        }
    }

    @Test
    void workerThatStandsStillForTooLongIsKilledAndReplaced() throws Exception {
        try (Service service = Service.start(configuration("workers = 2", "hang_timeout = \"3s\""));
                Load load = Load.start(service.port(), Load.Mix.PROBES_ONLY)) {
            OsProcess still = service.workers().getFirst();
            still.stop();
            Set<Integer> ports = still.clientPorts(service.port());
            Event exited = service.awaitExit(still.pid());
            assertThat(exited.text("reason")).isEqualTo("health_failure");
            service.settled(2);
            assertThat(service.workerPids()).doesNotContain(still.pid());
            assertThat(service.metric("servery_worker_restarts_total{reason=\"health_failure\"")).isEqualTo(1);
            load.stop();
            assertThat(load.lost()).as(load.toString())
                    .allSatisfy(lost -> assertThat(lost.what() == Lost.What.LATE || ports.contains(lost.clientPort()))
                            .as(lost.toString()).isTrue());
            assertThat(load.lost()).filteredOn(lost -> lost.what() == Lost.What.LATE)
                    .allSatisfy(lost -> assertThat(Duration.ofNanos(lost.atNanos() - lost.openedNanos())
                            .minus(load.stalled(lost.openedNanos(), lost.atNanos()))).isLessThan(Adoption.IN_TIME));
        }
    }

    /// All else of the worker goes on: its control thread speaks, its other loop serves.
    @Test
    void oneEventLoopThatStandsStillIsFoundOutAndItsWorkerReplaced() throws Exception {
        try (Service service = Service
                .start(configuration("workers = 2", "event_loops = 2", "hang_timeout = \"4s\""))) {
            OsProcess worker = service.workers().getFirst();
            try (StoppedThread _ = StoppedThread.of(worker, "servery-loop-0")) {
                Adoption.awaited(service, worker).assertInTime();
                Event exited = service.awaitExit(worker.pid());
                assertThat(exited.text("reason")).isEqualTo("health_failure");
                assertThat(exited.text("message")).contains("event loop");
            }
            service.settled(2);
            assertThat(service.workerPids()).doesNotContain(worker.pid());
        }
    }

    /// Nobody else would read its sockets: they wait, and are answered when it is replaced.
    @Test
    void onlyWorkerThatStandsStillIsReplacedAndItsQueueIsAnswered() {
        try (Service service = Service.start(configuration("workers = 1", "hang_timeout = \"2s\""))) {
            OsProcess still = service.worker();
            still.stop();
            List<WireConnection> asking = Adoption.ask(service);
            service.awaitExit(still.pid());
            Adoption.assertAnswered(asking);
        }
    }
}

package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Answer;
import io.servery.interop.Heard;
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

/// Workers that die or stand still under traffic: what they had in hand is lost, and nothing else.
///
/// The long form of the deaths: `-Dservery.fleet.kills=50`.
class WorkerDeathTest {
    private static final int KILLS = Integer.getInteger("servery.fleet.kills", 4);
    private static final int LONG_FORM = 50;
    private static final Duration REPLACED = Duration.ofSeconds(2);
    private static final Duration ADOPTED = Duration.ofSeconds(2);
    private static final int PEERS = 30;
    /// A row of deaths that the test causes must not wait longer and longer.
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
            assertReplaced(deaths.stream().map(Death::replaced).sorted().toList());
            assertThat(load.answers(Kind.PROBE)).isPositive();
            assertThat(counters.stop()).as("counters that fell").isEmpty();
            assertThat(service.metric("servery_worker_restarts_total{reason=\"unexpected_exit\"")).isEqualTo(KILLS);
            assertThat(service.generation()).as("generation").isEqualTo(1);
            assertThat(service.events("worker.exited", 0)).as("ends by pid").extracting(event -> event.text("pid"))
                    .containsExactlyElementsOf(deaths.stream().map(death -> Long.toString(death.pid())).toList());
        }
    }

    /// The long form runs on a quiet machine, where all of them are in time. Elsewhere the quickest shows that nothing waits.
    private static void assertReplaced(List<Duration> times) {
        Duration judged = KILLS >= LONG_FORM ? times.getLast() : times.getFirst();
        assertThat(judged).as("replaced within, of " + times).isLessThanOrEqualTo(REPLACED);
    }

    /// Clients whose connections are in the queues of a worker that stands still.
    private static List<WireConnection> ask(Service service) {
        List<WireConnection> asking = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            asking.add(service.connect().get("/hello.txt"));
        }
        return asking;
    }

    private static void assertAnswered(List<WireConnection> asking, long sinceNanos, Duration within) {
        for (WireConnection connection : asking) {
            Heard heard = connection.hear(Service.PATIENCE);
            assertThat(heard).as(WireConnection.describe(heard)).isInstanceOf(Answer.class);
            connection.close();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - sinceNanos)).as("all answered").isLessThan(within);
    }

    @Test
    void workerThatStandsStillLendsItsSocketsAndHasThemBack() {
        try (Service service = Service.start(configuration("workers = 2"))) {
            List<Long> pids = service.workerPids();
            OsProcess still = service.workers().getFirst();
            try (WireConnection held = connectionTo(still, service)) {
                still.stop();
                long from = System.nanoTime();
                List<WireConnection> asking = ask(service);
                assertAnswered(asking, from, ADOPTED);
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
                if (others.size() > PEERS) {
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
            assertThat(load.lost().stream().filter(lost -> lost.what() == Lost.What.LATE)
                    .filter(lost -> lost.atNanos() - lost.openedNanos() > ADOPTED.toNanos())).isEmpty();
        }
    }

    /// All else of the worker goes on: its control thread speaks, its other loop serves.
    @Test
    void oneEventLoopThatStandsStillIsFoundOutAndItsWorkerReplaced() throws Exception {
        try (Service service = Service
                .start(configuration("workers = 2", "event_loops = 2", "hang_timeout = \"4s\""))) {
            OsProcess worker = service.workers().getFirst();
            int before = service.events().size();
            try (StoppedThread _ = StoppedThread.of(worker, "servery-loop-0")) {
                long from = System.nanoTime();
                service.await("the worker found silent", () -> !service.events("worker.silent", before).isEmpty());
                assertThat(Duration.ofNanos(System.nanoTime() - from)).as("its sockets read by others within")
                        .isLessThan(ADOPTED);
                long asked = System.nanoTime();
                assertAnswered(ask(service), asked, ADOPTED);
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
            long from = System.nanoTime();
            List<WireConnection> asking = ask(service);
            service.awaitExit(still.pid());
            assertAnswered(asking, from, Service.PATIENCE);
        }
    }
}

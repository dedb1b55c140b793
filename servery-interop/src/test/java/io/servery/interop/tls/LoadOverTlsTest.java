package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.CounterWatch;
import io.servery.interop.fleet.Death;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import io.servery.interop.load.Kind;
import io.servery.interop.load.Load;
import io.servery.interop.load.Lost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Reloads and deaths of workers under mixed traffic over TLS, whose clients resume their sessions.
///
/// The long form: `-Dservery.fleet.reloads=100 -Dservery.fleet.kills=50`.
@Isolated
class LoadOverTlsTest {
    private static final int RELOADS = Integer.getInteger("servery.fleet.reloads", 4);
    private static final int KILLS = Integer.getInteger("servery.fleet.kills", 2);
    private static final int WORKERS = 2;
    private static final int FIRST = 100;
    private static final int LONG_FORM = 50;
    private static final long LATE_NANOS_MAX = Duration.ofSeconds(3).toNanos();

    private static final String HANDSHAKES = "servery_tls_handshakes_total";

    @TempDir
    Path folder;

    private Service start(Authority authority) {
        Pair pair = authority.issue(Wanted.of("site", "localhost"));
        // A row of deaths that the test causes must not wait longer and longer.
        Service service = Service.start(Configuration.of(folder, Load.generate(folder.resolve("site")).root())
                .tls(pair.manual()).runtime("workers = " + WORKERS, "worker_restart_limit = 1000",
                        "restart_backoff_initial = \"1ms\"", "restart_backoff_max = \"1ms\""));
        // Clients that hold the service to a second have compiled their own half of a handshake before.
        Peer peer = new Peer(service.port(), authority.root(), folder);
        for (int i = 0; i < FIRST; i++) {
            assertThat(peer.get("localhost", "/hello.txt").status()).isEqualTo(200);
        }
        return service;
    }

    private static void assertAllKindsWereAnswered(Load load) {
        for (Kind kind : Kind.values()) {
            assertThat(load.answers(kind)).as(kind.toString()).isPositive();
        }
    }

    /// The long form runs on a quiet machine, where an answer within a second is held to it. Elsewhere the clients' own half of
    /// the handshakes takes a part of that, and a little late is not lost.
    private static List<Lost> lost(Load load) {
        boolean quiet = RELOADS >= LONG_FORM || KILLS >= LONG_FORM;
        return load.lost().stream().filter(lost -> quiet || lost.what() != Lost.What.LATE
                || lost.atNanos() - lost.openedNanos() > LATE_NANOS_MAX).toList();
    }

    @Test
    void reloadsLoseNothing() throws Exception {
        Authority authority = Authority.create(folder, "authority");
        try (Service service = start(authority);
                Load load = Load.start(service.port(), Load.Mix.USUAL, Peer.trusting(authority.root()));
                CounterWatch counters = CounterWatch.start(service)) {
            for (int i = 1; i <= RELOADS; i++) {
                Said said = service.run("reload");
                assertThat(said.code()).as(said + service.errorText()).isZero();
                assertThat(service.generation()).isEqualTo(i + 1);
            }
            service.settled(WORKERS);
            load.stop();
            assertThat(lost(load)).as(() -> load + "\n" + service.errorText()).isEmpty();
            assertAllKindsWereAnswered(load);
            assertThat(counters.stop()).as("counters that fell").isEmpty();
            assertThat(service.metric("servery_worker_restarts_total")).as("restarts").isZero();
            assertThat(service.metric("servery_drain_forced_total")).as("forced work").isZero();
            assertThat(service.metrics().sum(HANDSHAKES, "result=\"failure\"")).as("failed handshakes").isZero();
            assertThat(service.metrics().sum(HANDSHAKES, "resumed=\"yes\"")).as("resumed sessions").isPositive();
        }
    }

    @Test
    void killedWorkerLosesItsOwnExchangesAlone() throws Exception {
        Authority authority = Authority.create(folder, "authority");
        List<Death> deaths = new ArrayList<>();
        try (Service service = start(authority);
                Load load = Load.start(service.port(), Load.Mix.USUAL, Peer.trusting(authority.root()));
                CounterWatch counters = CounterWatch.start(service)) {
            for (int i = 0; i < KILLS; i++) {
                service.settled(WORKERS);
                List<OsProcess> workers = service.workers();
                deaths.add(Death.cause(service, workers.get(i % workers.size())));
            }
            service.settled(WORKERS);
            load.stop();
            List<Lost> unexplained = lost(load).stream()
                    .filter(lost -> deaths.stream().noneMatch(death -> death.explains(lost))).toList();
            assertThat(unexplained).as(() -> "lost by no death: " + load + "\n" + service.errorText()).isEmpty();
            assertAllKindsWereAnswered(load);
            assertThat(counters.stop()).as("counters that fell").isEmpty();
            assertThat(service.generation()).as("generation").isEqualTo(1);
        }
    }
}

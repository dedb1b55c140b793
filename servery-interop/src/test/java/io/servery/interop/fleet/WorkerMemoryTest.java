package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker whose heap is exhausted ends and is replaced, and meanwhile others read its sockets.
///
/// *Not here*: direct memory. The least of it that a configuration may give is more than peers can fill; `WorkerLinkTest`
/// shows a worker that has less.
class WorkerMemoryTest {
    private static final int PEERS = 4_000;
    private static final int BATCH = 50;
    private static final String HEAD = "GET /hello.txt HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "a".repeat(28 * 1024);

    @TempDir
    Path folder;

    private Service service(int workers) {
        return Service.start(Configuration.of(folder, Site.generate(folder.resolve("site")).root())
                .runtime("workers = " + workers, "worker_heap = \"40MiB\"", "worker_restart_limit = 100")
                .resources("max_connections = 5000", "request_head_timeout = \"60s\""));
    }

    /// Connects until the worker has ended, and tells each peer that this worker serves most of a request: together they hold
    /// more than the heap that the operator gave by hand.
    private static void exhaust(Service service, OsProcess worker, List<WireConnection> peers) {
        Set<WireConnection> told = new HashSet<>();
        while (peers.size() < PEERS && worker.runs()) {
            for (int i = 0; i < BATCH; i++) {
                peers.add(service.connect());
            }
            Set<Integer> served = worker.runs() ? worker.clientPorts(service.port()) : Set.of();
            peers.stream().filter(peer -> served.contains(peer.localPort()) && told.add(peer))
                    .forEach(peer -> peer.trySend(HEAD));
        }
    }

    @Test
    void workerWithoutHeapEndsAndIsReplaced() {
        try (Service service = service(1)) {
            OsProcess first = service.worker();
            List<WireConnection> peers = new ArrayList<>();
            try {
                exhaust(service, first, peers);
                assertThat(service.awaitExit(first.pid()).text("reason")).isEqualTo("unexpected_exit");
            } finally {
                peers.forEach(WorkerMemoryTest::leave);
            }
            service.settled(1);
            assertThat(service.worker()).isNotEqualTo(first);
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            assertNoDumps();
        }
    }

    @Test
    void socketsOfAWorkerWithoutHeapAreReadByTheOther() {
        try (Service service = service(2)) {
            OsProcess victim = service.workers().getFirst();
            OsProcess other = service.workers().getLast();
            List<WireConnection> peers = new ArrayList<>();
            try {
                exhaust(service, victim, peers);
                service.await("the end of the worker", () -> !victim.runs());
                Adoption.awaited(service, victim).assertInTime();
                assertThat(service.awaitExit(victim.pid()).text("reason")).isEqualTo("unexpected_exit");
            } finally {
                peers.forEach(WorkerMemoryTest::leave);
            }
            service.settled(2);
            assertThat(service.workers()).contains(other).doesNotContain(victim);
            assertThat(service.metric("servery_worker_restarts_total")).isEqualTo(1);
            assertNoDumps();
        }
    }

    private void assertNoDumps() {
        assertThat(folder.toFile().list((_, name) -> name.startsWith("core") || name.startsWith("hs_err")))
                .as("dumps").isEmpty();
    }

    private static void leave(WireConnection peer) {
        try {
            peer.close();
        } catch (UncheckedIOException gone) {
            // The server was first.
        }
    }
}

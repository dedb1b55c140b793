package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker whose heap is exhausted ends and is replaced.
///
/// *Not here*: direct memory. The least of it that a configuration may give is more than peers can fill; `WorkerLinkTest`
/// shows a worker that has less.
class WorkerMemoryTest {
    private static final int PEERS = 2_000;
    private static final int HEAD_BYTES = 28 * 1024;

    @TempDir
    Path folder;

    /// Each peer sends most of a field line, and waits: together more than the heap that the operator gave by hand.
    @Test
    void workerWithoutHeapEndsAndIsReplaced() {
        Configuration configuration = Configuration.of(folder, Site.generate(folder.resolve("site")).root())
                .runtime("worker_heap = \"40MiB\"", "worker_restart_limit = 100")
                .resources("max_connections = 5000", "request_head_timeout = \"60s\"");
        try (Service service = Service.start(configuration)) {
            OsProcess first = service.worker();
            String head = "GET /hello.txt HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "a".repeat(HEAD_BYTES);
            List<WireConnection> peers = new ArrayList<>();
            try {
                for (int i = 0; i < PEERS && first.runs(); i++) {
                    WireConnection peer = service.connect();
                    peers.add(peer);
                    peer.trySend(head);
                }
                assertThat(service.awaitExit(first.pid()).text("reason")).isEqualTo("unexpected_exit");
            } finally {
                peers.forEach(WorkerMemoryTest::leave);
            }
            service.settled(1);
            assertThat(service.worker()).isNotEqualTo(first);
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            assertThat(folder.toFile().list((_, name) -> name.startsWith("core") || name.startsWith("hs_err")))
                    .as("dumps").isEmpty();
        }
    }

    private static void leave(WireConnection peer) {
        try {
            peer.close();
        } catch (UncheckedIOException gone) {
            // The server was first.
        }
    }
}

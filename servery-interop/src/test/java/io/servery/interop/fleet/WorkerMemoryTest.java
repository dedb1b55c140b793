package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Answer;
import io.servery.interop.Heard;
import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker that has no memory left: without heap it ends and is replaced, without direct memory it refuses and lives.
class WorkerMemoryTest {
    private static final int FILES = 1_200;
    private static final int FILE_BYTES = 60 * 1024;
    private static final int PEERS = 1_000;
    private static final int HEAD_BYTES = 28 * 1024;

    @TempDir
    Path folder;

    /// The cache may hold twice what the heap has: the operator gave the heap by hand.
    @Test
    void withoutHeapItEndsAndIsReplaced() {
        Site site = Site.generate(folder.resolve("site"));
        for (int i = 0; i < FILES; i++) {
            site.put("many/" + i + ".txt", Site.pattern(FILE_BYTES, i % 200));
        }
        Configuration configuration = Configuration.of(folder, site.root())
                .runtime("workers = 1", "worker_heap = \"24MiB\"", "worker_restart_limit = 100")
                .resources("file_cache_bytes = \"1GiB\"");
        try (Service service = Service.start(configuration)) {
            OsProcess first = service.worker();
            for (int i = 0; i < FILES && first.runs(); i++) {
                try (WireConnection connection = service.connect()) {
                    if (connection.trySend("GET /many/" + i + ".txt HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
                        connection.hear(WireConnection.PATIENCE);
                    }
                }
            }
            assertThat(service.awaitExit(first.pid()).text("reason")).isEqualTo("unexpected_exit");
            service.settled(1);
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            assertThat(folder.toFile().list((_, name) -> name.startsWith("core") || name.startsWith("hs_err")))
                    .as("dumps").isEmpty();
        }
    }

    /// Each peer sends most of a field line, and waits: together far more than the worker has memory for.
    @Test
    void withoutDirectMemoryItRefusesAndLives() {
        Site site = Site.generate(folder.resolve("site"));
        Configuration configuration = Configuration.of(folder, site.root())
                .runtime("workers = 1", "worker_direct_memory = \"16MiB\"")
                .resources("max_connections = 5000", "request_head_timeout = \"60s\"");
        try (Service service = Service.start(configuration)) {
            OsProcess worker = service.worker();
            String head = "GET /hello.txt HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "a".repeat(HEAD_BYTES);
            List<WireConnection> peers = new ArrayList<>();
            int ended = 0;
            try {
                for (int i = 0; i < PEERS; i++) {
                    WireConnection peer = service.connect();
                    peers.add(peer);
                    peer.trySend(head);
                }
                for (WireConnection peer : peers) {
                    peer.trySend("\r\n\r\n");
                    Heard heard = peer.hear(Duration.ofSeconds(10));
                    assertThat(heard).isNotEqualTo(Heard.Ending.SILENCE);
                    ended += heard instanceof Answer answer && answer.status() == 200 ? 0 : 1;
                }
            } finally {
                peers.forEach(WorkerMemoryTest::leave);
            }
            assertThat(ended).as("connections that were refused").isPositive();
            assertThat(service.metric("servery_rejections_total{reason=\"memory_capacity\"")).isPositive();
            assertThat(service.get("/hello.txt").text()).isEqualTo("hello\n");
            assertThat(service.worker()).as("the same process").isEqualTo(worker);
            assertThat(service.events("worker.exited", 0)).isEmpty();
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

package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How many connections, and how many requests on one.
class ConnectionLimitTest {
    @TempDir
    Path folder;

    private ServeryProcess start(String resources) {
        Site site = Site.generate(folder.resolve("site"));
        return ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root()).resources(resources));
    }

    @Test
    void lastRequestOfAConnectionIsToldSo() {
        try (ServeryProcess server = start("max_requests_per_connection = 3");
                WireConnection connection = server.connect()) {
            assertThat(connection.get("/hello.txt").answer().closes()).isFalse();
            assertThat(connection.get("/hello.txt").answer().closes()).isFalse();
            assertThat(connection.get("/hello.txt").answer().closes()).isTrue();
            assertThat(connection.hear()).isEqualTo(Heard.Ending.FIN);
        }
    }

    @Test
    void pipelinePastTheLastRequestIsCutThere() {
        try (ServeryProcess server = start("max_requests_per_connection = 3");
                WireConnection connection = server.connect()) {
            connection.send("GET /hello.txt HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(6));
            assertThat(connection.answer().closes()).isFalse();
            assertThat(connection.answer().closes()).isFalse();
            assertThat(connection.answer().closes()).isTrue();
            assertThat(connection.hear()).isEqualTo(Heard.Ending.FIN);
        }
    }

    /// 503 with its reason and Retry-After, or a plain end; never a wait, and room again as soon as one goes.
    @Test
    void connectionPastTheCapacityIsRefusedAndCounted() {
        try (ServeryProcess server = start("max_connections = 4")) {
            refusedPast(server, 4, 503, "connection_capacity");
        }
    }

    @Test
    void connectionPastAClientsShareIsRefusedAndCounted() {
        try (ServeryProcess server = start("max_connections_per_client = 3")) {
            refusedPast(server, 3, 429, "client_connection_capacity");
        }
    }

    private static void refusedPast(ServeryProcess server, int capacity, int status, String reason) {
        var held = new ArrayList<WireConnection>();
        try {
            for (int i = 0; i < capacity; i++) {
                held.add(admitted(server));
            }
            try (WireConnection surplus = server.connect()) {
                surplus.trySend("GET /hello.txt HTTP/1.1\r\nHost: localhost\r\n\r\n");
                Heard heard = surplus.hear();
                if (heard instanceof Answer answer) {
                    assertThat(answer.status()).isEqualTo(status);
                    assertThat(answer.value("Servery-Reason")).isEqualTo(reason);
                    if (status == 503) {
                        assertThat(answer.value("Retry-After")).matches("[0-9]+");
                    }
                    assertThat(surplus.hear()).isEqualTo(Heard.Ending.FIN);
                } else {
                    assertThat(heard).isEqualTo(Heard.Ending.FIN);
                }
            }
            assertThat(server.metric("servery_rejections_total{reason=\"" + reason + "\"")).isGreaterThanOrEqualTo(1);
            for (WireConnection connection : held) {
                assertThat(connection.get("/hello.txt").answer().status()).isEqualTo(200);
            }
        } finally {
            held.forEach(WireConnection::close);
        }
        Awaitility.await("room again").atMost(Duration.ofSeconds(5)).pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> admitted(server).close());
    }

    private static WireConnection admitted(ServeryProcess server) {
        WireConnection connection = server.connect();
        if (connection.trySend("GET /hello.txt HTTP/1.1\r\nHost: localhost\r\n\r\n")
                && connection.hear() instanceof Answer answer && answer.status() == 200) {
            return connection;
        }
        connection.close();
        throw new AssertionError("a connection within the capacity was not served");
    }
}

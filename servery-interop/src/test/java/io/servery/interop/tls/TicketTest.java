package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Session tickets (RFC 5077, RFC 8446 §4.6.1): one worker gives them, all others and all later ones take them.
class TicketTest {
    private static final String HOST = "site.example";
    private static final String OTHER = "other.example";
    private static final int WORKERS = 2;
    /// So many that each worker accepts some.
    private static final int CONNECTIONS = 12;

    @TempDir
    static Path folder;
    private static Service service;
    private static Peer peer;

    @BeforeAll
    static void start() {
        Authority authority = Authority.create(folder, "authority");
        Pair pair = authority.issue(Wanted.of("site", HOST));
        Pair other = authority.issue(Wanted.of("other", OTHER));
        Site site = Site.generate(folder.resolve("site"));
        service = Service.start(Configuration.of(folder, site.root()).tls(pair.manual(), other.identity(OTHER))
                .runtime("workers = " + WORKERS, "worker_restart_limit = 100", "restart_backoff_initial = \"1ms\"",
                        "restart_backoff_max = \"1ms\""));
        peer = new Peer(service.port(), authority.root(), folder);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static Said openssl(String host, String... words) {
        List<String> all = new ArrayList<>(List.of("-servername", host));
        all.addAll(List.of(words));
        Said said = peer.openssl(Peer.request(host, "/hello.txt"), all.toArray(String[]::new));
        assertThat(said.output()).as(said.toString()).contains("HTTP/1.1 200", "hello");
        return said;
    }

    /// The session of a connection that ended in order.
    private static String session(String version) {
        Path file = folder.resolve("session" + version);
        assertThat(openssl(HOST, version, "-sess_out", file.toString()).output()).contains("New, TLSv1.");
        assertThat(Files.exists(file)).as("a ticket came").isTrue();
        return file.toString();
    }

    private static void assertResumed(String version, String session) {
        for (int i = 0; i < CONNECTIONS; i++) {
            assertThat(openssl(HOST, version, "-sess_in", session).output()).contains("Reused, TLSv1.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void ticketIsTakenByEveryWorkerOfEveryGeneration(String version) {
        double before = service.metrics().sum("servery_tls_handshakes_total", "resumed=\"yes\"", "result=\"success\"");
        String session = session(version);
        assertResumed(version, session);
        service.await("resumptions are counted", () -> service.metrics().sum("servery_tls_handshakes_total",
                "resumed=\"yes\"", "result=\"success\"") >= before + CONNECTIONS);
        Said said = service.run("reload");
        assertThat(said.code()).as(said.toString()).isZero();
        service.settled(WORKERS);
        assertResumed(version, session);
    }

    @Test
    void ticketOutlivesTheWorkersThatWereThereWhenItWasGiven() {
        String session = session("-tls1_3");
        for (OsProcess worker : service.workers()) {
            worker.signal("KILL");
            service.awaitExit(worker.pid());
            service.settled(WORKERS);
        }
        assertResumed("-tls1_3", session);
    }

    /// RFC 6066 §3: no session of one name is resumed under another.
    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void ticketOfOneIdentityIsNoneOfAnother(String version) {
        String session = session(version);
        Said said = openssl(OTHER, version, "-sess_in", session, "-verify_hostname", OTHER);
        assertThat(said.output()).contains("New, TLSv1.", "Verification: OK");
    }
}

package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Site;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Metrics;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Certificates that clients show: not asked for, welcome, or demanded.
class ClientCertificateTest {
    private static final String HOST = "site.example";
    private static final Duration DAY = Duration.ofDays(1);
    private static final List<String> VERSIONS = List.of("1.2", "1.3");

    @TempDir
    static Path folder;
    private static Pair site;
    private static Authority clients;
    private static Pair trusted;
    private static Pair expired;
    private static Pair foreign;
    private static Service service;
    private static Configuration usual;
    private static Peer peer;

    @BeforeAll
    static void start() {
        Authority servers = Authority.create(folder, "servers");
        clients = Authority.create(folder, "clients");
        site = servers.issue(Wanted.of("site", HOST));
        trusted = clients.issue(Wanted.of("trusted", "trusted.example"));
        expired = clients
                .issue(Wanted.of("expired", "expired.example").valid(DAY.multipliedBy(-3), DAY.negated()));
        foreign = servers.issue(Wanted.of("foreign", "foreign.example"));
        Site files = Site.generate(folder.resolve("site"));
        service = Service.start(Configuration.of(folder, files.root()).tls(site.manual()));
        usual = service.configuration();
        peer = new Peer(service.port(), servers.root(), folder);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static void demand(String mode) {
        String authorities = mode.equals("off") ? "" : "client_ca_file = \"" + clients.root() + "\"";
        service.configure(usual.tls("client_certificates = \"" + mode + "\"", authorities, site.manual()));
        Said said = service.run("reload");
        assertThat(said.code()).as(said + service.errorText()).isZero();
    }

    private static Said curl(String version, String... words) {
        List<String> all = new ArrayList<>(List.of("--tlsv" + version, "--tls-max", version));
        all.addAll(List.of(words));
        return peer.curl(HOST, "/hello.txt", all.toArray(String[]::new));
    }

    private static Said curl(String version, Pair shown) {
        return curl(version, "--cert", shown.chain().toString(), "--key", shown.key().toString());
    }

    private static void assertServed(Said said) {
        assertThat(said.output()).as(said.toString()).isEqualTo("200 1.1");
        assertThat(said.code()).isZero();
    }

    private static void assertRefused(Said said) {
        assertThat(said.code()).as(said.toString()).isNotZero();
        assertThat(said.output()).startsWith("000");
    }

    private static String asked() {
        return peer.openssl(Peer.request(HOST, "/hello.txt")).output();
    }

    @Test
    void nobodyIsAskedWhereItIsOff() {
        demand("off");
        assertThat(asked()).contains("No client certificate CA names sent", "HTTP/1.1 200");
        for (String version : VERSIONS) {
            assertServed(curl(version));
            assertServed(curl(version, foreign));
        }
    }

    @Test
    void noneIsFineWhereItIsOptionalAndOneThatDoesNotVerifyIsNot() {
        demand("optional");
        assertThat(asked()).contains("Acceptable client certificate CA names", "root of clients", "HTTP/1.1 200");
        for (String version : VERSIONS) {
            assertServed(curl(version));
            assertServed(curl(version, trusted));
            assertRefused(curl(version, foreign));
            assertRefused(curl(version, expired));
        }
    }

    @Test
    void noneIsRefusedWhereItIsRequired() {
        demand("required");
        Metrics before = service.metrics();
        for (String version : VERSIONS) {
            assertServed(curl(version, trusted));
            assertRefused(curl(version));
            assertRefused(curl(version, foreign));
            assertRefused(curl(version, expired));
        }
        service.await("six failures", () -> failures(service.metrics()) >= failures(before) + 6);
        assertThat(peer.openssl(Peer.request(HOST, "/hello.txt"), "-tls1_3").all())
                .contains("alert certificate required");
    }

    private static double failures(Metrics metrics) {
        return metrics.sum("servery_tls_handshakes_total", "result=\"failure\"");
    }

    /// What was agreed on under one demand is worth nothing under another.
    @Test
    void sessionOfAClientWithoutACertificateIsNotResumedWhereOneIsRequired() {
        demand("optional");
        for (String version : List.of("-tls1_2", "-tls1_3")) {
            Path session = folder.resolve("session" + version);
            assertThat(peer.openssl(Peer.request(HOST, "/hello.txt"), version, "-sess_out", session.toString())
                    .output()).contains("HTTP/1.1 200");
        }
        demand("required");
        for (String version : List.of("-tls1_2", "-tls1_3")) {
            Said said = peer.openssl(Peer.request(HOST, "/hello.txt"), version, "-sess_in",
                    folder.resolve("session" + version).toString());
            assertThat(said.all()).doesNotContain("Reused,", "HTTP/1.1 200");
        }
    }
}

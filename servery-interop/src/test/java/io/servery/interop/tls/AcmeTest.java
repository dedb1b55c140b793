package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.ServeryProcess;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Event;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Certificates from a real authority for a whole service: the packaged jar, two workers and `pebble`.
class AcmeTest {
    private static final String HOST = "site.example";
    private static final String OTHER = "other.example";
    private static final Duration STOP = Duration.ofSeconds(60);
    private static final int CONFIGURATION = 78;
    /// So many that each worker accepts some.
    private static final int CONNECTIONS = 8;

    @TempDir
    Path folder;
    private final int port = ServeryProcess.freePort();
    private final int redirect = ServeryProcess.freePort();
    private final int admin = ServeryProcess.freePort();
    private Configuration plain;
    private Pebble pebble;

    @BeforeEach
    void prepare() {
        Site site = Site.generate(folder.resolve("site"));
        pebble = Pebble.prepare(folder, redirect, port);
        plain = Configuration.of(folder, site.root()).ports(port, admin).runtime("workers = 2")
                .listener("redirect_port = " + redirect);
    }

    @AfterEach
    void end() {
        pebble.close();
    }

    private String acme(String... more) {
        return "mode = \"acme\"\n[tls.acme]\ndomains = [\"" + HOST + "\", \"" + OTHER + "\"]\ndirectory = \""
                + pebble.directory() + "\"\ndirectory_ca_file = \"" + pebble.ca() + "\"\n" + String.join("\n", more);
    }

    /// One that shows a certificate, and has said so.
    private static Service ready(Service service) {
        try {
            service.await("a service that is ready", () -> !service.alive() || service.ready());
            assertThat(service.alive()).as(service.errorText()).isTrue();
            service.await("all that it says of it", () -> !names(service).contains("certificate.renewal_started")
                    || names(service).contains("certificate.renewal_completed"));
            service.await("it says that it is ready", () -> service.events("runtime.state_changed", 0).stream()
                    .reduce((_, last) -> last).filter(last -> last.text("state").equals("ready")).isPresent());
            return service;
        } catch (AssertionError failed) {
            service.close();
            throw failed;
        }
    }

    private List<BigInteger> serials(Peer peer) {
        return Stream.generate(() -> peer.serial(HOST)).limit(CONNECTIONS).distinct().toList();
    }

    private static List<String> names(Service service) {
        return service.events().stream().map(event -> event.text("event"))
                .filter(name -> name.startsWith("certificate."))
                .toList();
    }

    @Test
    void firstCertificateIsIssuedRenewedAndFoundAgain() {
        pebble.start();
        Configuration configuration = plain.tls(acme("accept_terms = true"));
        try (Service service = ready(Service.launch(configuration))) {
            Peer peer = new Peer(port, pebble.root(), folder);
            List<BigInteger> first = serials(peer);
            assertThat(first).as("one certificate, shown by all workers").hasSize(1);
            assertThat(peer.get(OTHER, "/hello.txt").status()).isEqualTo(200);
            assertToldAsIssued(service);

            Said notDue = service.run("renew");
            assertThat(notDue.code()).as(notDue.toString()).isZero();
            assertThat(notDue.output()).startsWith("not_due: ");
            assertThat(serials(peer)).isEqualTo(first);

            List<Long> pids = service.workerPids();
            Said forced = service.run("renew", "--force");
            assertThat(forced.code()).as(forced.toString()).isZero();
            assertThat(forced.output()).startsWith("renewed: ");
            List<BigInteger> second = serials(peer);
            assertThat(second).hasSize(1).isNotEqualTo(first);
            assertThat(service.workerPids()).as("no worker was replaced for it").isEqualTo(pids);

            pebble.close();
            Said failed = service.run("renew", "--force");
            assertThat(failed.code()).as(failed.toString()).isEqualTo(1);
            assertThat(failed.errors()).startsWith("not renewed: network_failure: ");
            assertThat(service.ready()).as("what is valid is shown").isTrue();
            assertThat(serials(peer)).isEqualTo(second);

            assertThat(service.run("stop").code()).isZero();
            try (Service again = ready(Service.launch(configuration))) {
                assertThat(serials(peer)).isEqualTo(second);
                assertThat(again.metric("servery_acme_attempts_total")).as("nobody was asked for another").isZero();
            }
        }
    }

    private static void assertToldAsIssued(Service service) {
        assertThat(names(service)).containsExactly("certificate.renewal_started", "certificate.activated",
                "certificate.renewal_completed");
        assertThat(service.metrics().sum("servery_acme_attempts_total", "result=\"success\"", "reason=\"issued\""))
                .isEqualTo(1);
        assertThat(service.metric("servery_acme_next_attempt_timestamp_seconds"))
                .isGreaterThan(System.currentTimeMillis() / 1000.0);
        Map<?, ?> shown = certificate(service);
        assertThat(shown.get("names")).isEqualTo(List.of(OTHER, HOST));
        assertThat(String.valueOf(shown.get("issuer"))).contains("Pebble");
        assertThat(String.valueOf(shown.get("next_attempt"))).startsWith("20");
    }

    private static Map<?, ?> certificate(Service service) {
        return (Map<?, ?>) ((List<?>) service.status().get("certificates")).getFirst();
    }

    @Test
    void handshakesProveNamesToo() {
        pebble.start();
        try (Service service = ready(
                Service.launch(plain.listener("").tls(acme("accept_terms = true", "challenge = \"tls-alpn-01\""))))) {
            assertThat(serials(new Peer(port, pebble.root(), folder))).hasSize(1);
            assertThat(service.metrics().sum("servery_acme_attempts_total", "result=\"success\"")).isEqualTo(1);
        }
    }

    @Test
    void serviceWhoseAuthorityIsDownWaitsSaysWhyAndIsReadyWhenItHasACertificate() {
        try (Service service = Service.launch(plain.tls(acme("accept_terms = true")))) {
            service.await("an attempt that fails", () -> names(service).contains("certificate.renewal_failed"));
            assertThat(service.ready()).isFalse();
            Said status = service.run("status", "--ready");
            assertThat(status.code()).isEqualTo(1);
            assertThat(status.output()).contains("certificate_missing: ", "network_failure: ");
            assertThat(service.status()).containsEntry("state", "starting").containsEntry("ready", false);
            try (WireConnection connection = WireConnection.open(redirect)) {
                assertThat(connection.get("localhost:" + redirect, "/hello.txt").answer().status())
                        .as("the plain port serves").isEqualTo(301);
            }
            assertThat(names(service)).doesNotContain("certificate.activated");
            assertThat(service.metrics().sum("servery_acme_attempts_total", "reason=\"network_failure\"")).isPositive();

            pebble.start();
            Said said = service.run("renew");
            assertThat(said.code()).as(said + service.errorText()).isZero();
            ready(service);
            assertThat(serials(new Peer(port, pebble.root(), folder))).hasSize(1);
            service.await("an event that it is ready", () -> service.events().stream()
                    .anyMatch(event -> event.is("runtime.state_changed") && event.text("state").equals("ready")));
        }
    }

    @Test
    void termsThatNobodyAcceptedAreNamed() {
        pebble.start();
        Configuration configuration = plain.tls(acme());
        try (Service service = Service.launch(configuration)) {
            assertThat(service.exitCode(STOP)).isEqualTo(CONFIGURATION);
            assertThat(service.errorText()).contains("`tls.acme.accept_terms`: found false; expected true, once data:");
        }
        pebble.close();
        try (Service service = Service.launch(configuration)) {
            assertThat(service.exitCode(STOP)).isEqualTo(CONFIGURATION);
            assertThat(service.errorText()).contains("tls.acme.accept_terms", "could not be asked");
            Said check = service.run("check");
            assertThat(check.code()).isEqualTo(CONFIGURATION);
            assertThat(check.errors()).contains("`tls.acme.accept_terms`: found false");
        }
    }

    /// Without a parent nobody keeps what an authority issues.
    @Test
    void oneProcessAloneRefusesItByName() throws Exception {
        String refusal = "tls.mode: error: found \"acme\" where one process serves";
        Process folderAlone = new ProcessBuilder(ServeryProcess.java(), "-jar", ServeryProcess.JAR.toString(), "serve",
                plain.root().toString(), "--port", Integer.toString(port), "--set", "tls.mode=acme", "--set",
                "tls.acme.domains=[\"" + HOST + "\"]", "--set", "tls.acme.accept_terms=true", "--set",
                "tls.acme.challenge=tls-alpn-01").redirectErrorStream(true).start();
        try {
            folderAlone.getOutputStream().close();
            String said = new String(folderAlone.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(folderAlone.waitFor()).as(said).isEqualTo(CONFIGURATION);
            assertThat(said).contains(refusal);
        } finally {
            folderAlone.destroyForcibly();
        }
        try (Service service = Service.launch(plain.runtime("transport = \"nio\"").tls(acme("accept_terms = true")))) {
            assertThat(service.exitCode(STOP)).isEqualTo(CONFIGURATION);
            assertThat(service.errorText()).contains(refusal);
            Said check = service.run("check");
            assertThat(check.code()).isEqualTo(CONFIGURATION);
            assertThat(check.errors()).contains(refusal);
        }
    }

    /// The authority is told of it at once, not at the next renewal.
    @Test
    void reloadWithAnotherAddressTellsTheAuthorityAndADrainEndsNoRenewal() {
        pebble.start();
        try (Service service = ready(
                Service.launch(plain.tls(acme("accept_terms = true", "email = \"a@example.com\""))))) {
            List<BigInteger> first = serials(new Peer(port, pebble.root(), folder));
            service.configure(plain.tls(acme("accept_terms = true", "email = \"b@example.com\"")));
            assertThat(service.run("reload").code()).isZero();
            service.await("the address that was told", () -> account().contains("email b@example.com\n"));
            assertThat(serials(new Peer(port, pebble.root(), folder))).isEqualTo(first);
            assertThat(names(service)).doesNotContain("certificate.account_not_updated");

            assertThat(service.run("drain").code()).isZero();
            assertThat(service.run("renew").errors()).contains("drained");
            assertThat(service.run("reload").code()).isZero();
            Said forced = service.run("renew", "--force");
            assertThat(forced.code()).as(forced + service.errorText()).isZero();
            assertThat(serials(new Peer(port, pebble.root(), folder))).hasSize(1).isNotEqualTo(first);
        }
    }

    private String account() {
        try (Stream<Path> kept = Files.list(folder.resolve("state").resolve("acme"))) {
            Path directory = kept.filter(path -> path.getFileName().toString().startsWith("account-")).findFirst()
                    .orElseThrow();
            return Files.readString(directory.resolve("account"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A valid certificate for other names is better than one that nobody trusts.
    @Test
    void namesThatAReloadBringsAreIssuedWhileWhatIsValidIsShown() {
        pebble.start();
        try (Service service = ready(Service.launch(plain.tls(acme("accept_terms = true"))))) {
            Peer peer = new Peer(port, pebble.root(), folder);
            List<BigInteger> first = serials(peer);
            int generation = service.generation();
            int events = service.events().size();
            service.configure(plain.tls(acme("accept_terms = true").replace(OTHER, "third.example")));
            Said reload = service.run("reload");
            assertThat(reload.code()).as(reload.toString()).isZero();
            service.await("a certificate for the new names",
                    () -> !service.events("certificate.renewal_completed", events).isEmpty());
            assertThat(serials(peer)).hasSize(1).isNotEqualTo(first);
            assertThat(peer.get("third.example", "/hello.txt").status()).isEqualTo(200);
            assertThat(service.generation()).as("no new workers for a certificate").isEqualTo(generation);
            List<Event> later = service.events("runtime.state_changed", events);
            assertThat(later).as("it was ready all the time").isEmpty();

            service.configure(plain.tls(acme("accept_terms = true")));
            assertThat(service.run("reload").code()).isZero();
            service.await("what was kept of the former names", () -> serials(peer).equals(first));
            assertThat(service.metric("servery_acme_attempts_total")).as("not ordered again").isEqualTo(2);
        }
    }
}

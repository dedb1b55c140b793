package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.ServeryProcess;
import io.servery.interop.Site;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The certificate that a service makes for itself: by the parent, once, for this host.
class SelfSignedTest {
    private static final Duration LIFETIME_MAX = Duration.ofDays(397);
    private static final Duration SOON = Duration.ofMinutes(5);
    private static final Pattern CERTIFICATE = Pattern
            .compile("(?s)-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----");
    private static final String SELF_SIGNED = "mode = \"self-signed\"";
    private static final int CONNECTIONS = 12;

    @TempDir
    Path folder;
    private Site site = new Site(Path.of(""));

    @BeforeEach
    void site() {
        site = Site.generate(folder.resolve("site"));
    }

    /// What a client that trusts nobody is shown.
    private X509Certificate shown(int port) {
        Said said = Program.of("openssl", folder).run(Peer.request("localhost", "/hello.txt"),
                List.of("s_client", "-connect", "127.0.0.1:" + port, "-showcerts", "-ign_eof"));
        assertThat(said.output()).as(said.toString()).contains("HTTP/1.1 200", "hello");
        Matcher pem = CERTIFICATE.matcher(said.output());
        assertThat(pem.find()).as(said.output()).isTrue();
        try {
            Path file = Files.writeString(folder.resolve("shown.pem"), pem.group());
            return new Pair(file, file).certificates().getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertFitForThisHost(X509Certificate certificate) throws CertificateParsingException {
        assertThat(Objects.requireNonNull(certificate.getSubjectAlternativeNames()))
                .extracting(name -> String.valueOf(name.get(1))).contains("localhost", "127.0.0.1");
        Instant start = certificate.getNotBefore().toInstant();
        Instant end = certificate.getNotAfter().toInstant();
        assertThat(Duration.between(start, end)).isLessThanOrEqualTo(LIFETIME_MAX);
        assertThat(start).isBefore(Instant.now().plus(SOON));
        assertThat(end).isAfter(Instant.now().plus(Duration.ofDays(1)));
        assertThat(certificate.getBasicConstraints()).as("it signs nothing").isEqualTo(-1);
    }

    private Said curl(int port, String... words) {
        Program curl = Program.of("curl", folder);
        List<String> command = new ArrayList<>(List.of("--silent", "--show-error", "--max-time", "10"));
        command.addAll(List.of(words));
        command.add("https://localhost:" + port + "/hello.txt");
        return curl.run("", command);
    }

    @Test
    void allWorkersOfAllGenerationsShowTheSame() throws Exception {
        try (Service service = Service
                .start(Configuration.of(folder, site.root()).tls(SELF_SIGNED).runtime("workers = 2"))) {
            X509Certificate first = shown(service.port());
            assertFitForThisHost(first);
            assertThat(shownByAll(service.port())).containsOnly(first);
            assertThat(service.run("reload").code()).isZero();
            service.settled(2);
            assertThat(shownByAll(service.port())).as("after a reload").containsOnly(first);
            OsProcess worker = service.workers().getFirst();
            worker.signal("KILL");
            service.awaitExit(worker.pid());
            service.settled(2);
            assertThat(shownByAll(service.port())).as("after a death").containsOnly(first);
            assertThat(service.metric("servery_certificate_expiry_timestamp_seconds"))
                    .isEqualTo((double) first.getNotAfter().toInstant().getEpochSecond());
        }
    }

    private Set<X509Certificate> shownByAll(int port) {
        Set<X509Certificate> shown = new HashSet<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            shown.add(shown(port));
        }
        return shown;
    }

    /// One process, without a file.
    @Test
    void folderIsServedOverTlsByOneOption() throws Exception {
        int port = ServeryProcess.freePort();
        Path errors = folder.resolve("errors.log");
        Process process = new ProcessBuilder(ServeryProcess.java(), "-jar", ServeryProcess.JAR.toString(), "serve",
                site.root().toString(), "--port", Integer.toString(port), "--set", "tls.mode=self-signed")
                .redirectOutput(folder.resolve("output.log").toFile()).redirectError(errors.toFile()).start();
        try {
            process.getOutputStream().close();
            Awaitility.await("an answer over TLS").atMost(Service.PATIENCE).pollInterval(Duration.ofMillis(50))
                    .until(() -> !process.isAlive() || curl(port, "--insecure").code() == 0);
            assertThat(process.isAlive()).as(() -> read(errors)).isTrue();
            assertThat(curl(port, "--insecure").output()).isEqualTo("hello\n");
            assertThat(curl(port).code()).as("nobody vouches for it").isEqualTo(60);
            X509Certificate certificate = shown(port);
            assertFitForThisHost(certificate);
            assertThat(curl(port, "--cacert", folder.resolve("shown.pem").toString()).output())
                    .as("to who trusts it").isEqualTo("hello\n");
            assertThat(read(errors)).contains("https://127.0.0.1:" + port);
            process.destroy();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

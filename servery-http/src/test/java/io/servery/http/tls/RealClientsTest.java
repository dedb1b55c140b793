package io.servery.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.core.tls.CertificateNames;
import io.servery.core.tls.Identity;
import io.servery.core.tls.TicketKeys;
import io.servery.core.config.TlsVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What `openssl s_client` and `curl` see.
class RealClientsTest {
    private static final String GET = "GET / HTTP/1.0\r\n\r\n";

    @TempDir
    Path directory;

    private final List<AutoCloseable> resources = new ArrayList<>();
    private OpenSsl openssl;
    private Identity site;

    @BeforeEach
    void makeAnAuthority() throws IOException {
        openssl = new OpenSsl(directory);
        openssl.root("root");
        site = openssl.identity("site", "root", "DNS:site.example,DNS:localhost,IP:127.0.0.1");
    }

    @AfterEach
    void giveBack() throws Exception {
        for (AutoCloseable resource : resources) {
            resource.close();
        }
    }

    // ---- versions, ciphers, groups

    @ParameterizedTest
    @CsvSource({"-tls1_2,TLSv1.2,ECDHE-ECDSA-AES128-GCM-SHA256", "-tls1_3,TLSv1.3,TLS_AES_256_GCM_SHA384"})
    void opensslVerifiesTheIdentityInBothVersions(String option, String version, String cipher) throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        String said = client(server, GET, option, "-groups", "X25519:P-256", "-verify_return_error", "-verify_hostname",
                "site.example");
        assertThat(said).contains("Verification: OK", "New, " + version + ", Cipher is " + cipher,
                "shown [127.0.0.1] localhost site.example, version " + version.substring(4))
                .containsPattern("(Server|Peer) Temp Key: X25519"); // by the release of openssl
    }

    @Test
    void oldVersionsAreRefused() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        for (String version : List.of("-tls1", "-tls1_1")) {
            assertThat(client(server, GET, version, "-cipher", "DEFAULT@SECLEVEL=0")).doesNotContain("shown ")
                    .contains("alert protocol version");
        }
        await().untilAsserted(() -> assertThat(server.failures).hasSize(2).containsOnly(TlsFailure.REFUSED));
        assertThat(server.offers).as("none of ours").isEmpty();
    }

    @Test
    void minimumVersionMayBe13() throws Exception {
        TlsServer server = serving(TlsServer.settings(TlsVersion.TLS_1_3, new ClientCertificates.Off()));
        assertThat(client(server, GET, "-tls1_2")).contains("alert protocol version");
        await().untilAsserted(() -> assertThat(server.failures).containsExactly(TlsFailure.REFUSED));
        assertThat(server.offers).as("what the client that failed offered").containsExactly(TlsVersion.TLS_1_2);
        assertThat(client(server, GET)).contains("version 1.3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384", "AES128-GCM-SHA256",
            "DHE-RSA-AES128-GCM-SHA256"})
    void cipherWithoutAuthenticationOrWithoutForwardSecrecyIsRefused(String cipher) throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        assertThat(client(server, GET, "-tls1_2", "-cipher", cipher + "@SECLEVEL=0"))
                .contains("alert handshake failure").doesNotContain("shown ");
    }

    @Test
    void orderOfCiphersIsTheServers() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        assertThat(client(server, GET, "-tls1_2", "-cipher",
                "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256"))
                .contains("Cipher is ECDHE-ECDSA-AES128-GCM-SHA256");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA -pkeyopt rsa_keygen_bits:2048", "EC -pkeyopt ec_paramgen_curve:P-384",
            "EC -pkeyopt ec_paramgen_curve:P-521", "ED25519"})
    void everyKindOfKeySigns(String key) throws Exception {
        Identity identity = openssl.identity("other", "root", "DNS:site.example", key.split(" ", -1));
        TlsServer server = serving(TlsServer.SETTINGS, identity);
        for (String version : List.of("-tls1_2", "-tls1_3")) {
            assertThat(client(server, GET, version, "-verify_return_error", "-verify_hostname", "site.example"))
                    .contains("Verification: OK", "shown site.example");
        }
    }

    @Test
    void renegotiationIsRefused() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        Path output = directory.resolve("renegotiation");
        Process client = new ProcessBuilder("openssl", "s_client", "-connect", server.address(), "-tls1_2")
                .redirectErrorStream(true).redirectOutput(output.toFile()).start();
        resources.add(client::destroyForcibly);
        client.getOutputStream().write("R\n".getBytes(StandardCharsets.US_ASCII)); // a command, once it is connected
        client.getOutputStream().flush();
        assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output).content().contains("RENEGOTIATING", "alert no renegotiation");
        await().untilAsserted(() -> assertThat(server.openChannels()).isZero());
    }

    // ---- protocols inside, RFC 7301

    @Test
    void protocolIsAgreedOrLeftOpen() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        assertThat(client(server, GET, "-alpn", "h2,http/1.1")).contains("ALPN protocol: http/1.1",
                "protocol http/1.1");
        assertThat(client(server, GET)).contains("No ALPN negotiated", "protocol none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void clientThatOffersOnlyOtherProtocolsIsRefusedWithTheAlert(String version) throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        assertThat(client(server, GET, version, "-alpn", "h2,acme-tls/1")).contains("alert no application protocol")
                .doesNotContain("shown ");
        assertThat(server.failures).containsExactly(TlsFailure.NO_COMMON_PROTOCOL);
        await().untilAsserted(() -> assertThat(server.openChannels()).isZero());
    }

    // ---- server names, RFC 6066 §3

    @Test
    void nameChoosesTheIdentityAndAnyOtherNameGetsTheDefault() throws Exception {
        Identity other = openssl.identity("other", "root", "DNS:other.example,DNS:*.wild.example");
        TlsServer server = new TlsServer(TlsServer.SETTINGS);
        resources.add(server);
        server.contexts.serve(site, List.of(new NamedIdentity(other, other.names())));
        for (String version : List.of("-tls1_2", "-tls1_3")) {
            assertThat(client(server, GET, version, "-servername", "OTHER.example")).contains("CN = other",
                    "shown *.wild.example other.example");
            assertThat(client(server, GET, version, "-servername", "a.wild.example")).contains("CN = other");
            assertThat(client(server, GET, version, "-servername", "wild.example")).contains("CN = site");
            assertThat(client(server, GET, version, "-servername", "nobody.example")).contains("CN = site");
            assertThat(client(server, GET, version, "-noservername")).contains("CN = site");
        }
    }

    @Test
    void namesOfTheConfigurationMayBeFewerThanThoseOfTheCertificate() throws Exception {
        Identity other = openssl.identity("other", "root", "DNS:a.example,DNS:b.example");
        TlsServer server = new TlsServer(TlsServer.SETTINGS);
        resources.add(server);
        server.contexts.serve(site, List.of(new NamedIdentity(other, CertificateNames.of(List.of("a.example")))));
        assertThat(client(server, GET, "-servername", "a.example")).contains("CN = other");
        assertThat(client(server, GET, "-servername", "b.example")).contains("CN = site");
    }

    @Test
    void curlFetchesByName() throws Exception {
        assumeTrue(OpenSsl.isInstalled("curl"), "curl is not installed");
        TlsServer server = serving(TlsServer.SETTINGS);
        for (String version : List.of("1.0", "1.1")) {
            assertThat(openssl.run("", "curl", "-sS", "--http" + version, "--cacert", "root.pem", "--resolve",
                    "site.example:" + server.port() + ":127.0.0.1", "https://site.example:" + server.port() + "/"))
                    .startsWith("exit 0\nshown").contains("protocol http/" + version);
        }
        assertThat(openssl.run("", "curl", "-sS", "--cacert", "root.pem", "--resolve",
                "else.example:" + server.port() + ":127.0.0.1", "https://else.example:" + server.port() + "/"))
                .startsWith("exit 60");
    }

    // ---- sessions

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void twoServersResumeEachOthersSessionsAcrossAChangeOfKeys(String version) throws Exception {
        TicketKeys keys = TlsServer.newKeys();
        TlsServer first = new TlsServer(TlsServer.SETTINGS, keys);
        TlsServer second = new TlsServer(TlsServer.SETTINGS, keys);
        resources.addAll(List.of(first, second));
        first.contexts.serve(site, List.of());
        second.contexts.serve(site, List.of());
        assertThat(client(first, GET, version, "-sess_out", "session")).contains("New, TLS", "resumed false");
        assertThat(client(second, GET, version, "-sess_in", "session")).contains("Reused, TLS", "resumed true");

        TicketKeys later = keys.at(keys.rotatesAt(), new SecureRandom());
        second.contexts.ticketKeys(later.accepted());
        assertThat(client(second, GET, version, "-sess_in", "session")).contains("Reused, TLS");
        assertThat(client(second, GET, version, "-sess_out", "next")).contains("New, TLS");
        assertThat(client(first, GET, version, "-sess_in", "next")).contains("Reused, TLS");

        TicketKeys muchLater = later.at(later.rotatesAt(), new SecureRandom());
        second.contexts.ticketKeys(muchLater.accepted());
        assertThat(client(second, GET, version, "-sess_in", "session")).contains("New, TLS", "resumed false");
    }

    @Test
    void sessionSurvivesARenewedCertificateOfTheSameNamesAlone() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        client(server, GET, "-sess_out", "session");
        server.contexts.serve(openssl.identity("renewed", "root",
                "IP:127.0.0.1,DNS:site.example,DNS:localhost"), List.of());
        assertThat(client(server, GET, "-sess_in", "session")).contains("Reused, TLS", "resumed true");
        server.contexts.serve(openssl.identity("other", "root", "DNS:site.example"), List.of());
        assertThat(client(server, GET, "-sess_in", "session")).contains("New, TLS", "resumed false");
    }

    @Test
    void ticketIsGoodForHalfADay() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        assertThat(client(server, GET, "-tls1_2"))
                .containsPattern("TLS session ticket lifetime hint: 43(200|1\\d\\d) \\(seconds\\)");
    }

    // ---- certificates of clients

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void optionalCertificateMayBeMissingButNotWrong(String version) throws Exception {
        TlsServer server = serving(TlsServer.settings(TlsVersion.TLS_1_2,
                new ClientCertificates.Optional(List.of(authority()))));
        assertThat(client(server, GET, version)).contains("client none");
        assertThat(client(server, GET, version, "-cert", "alice.pem", "-key", "alice.key")).contains("client CN=alice");
        assertThat(client(server, GET, version, "-cert", "mallory.pem", "-key", "mallory.key"))
                .doesNotContain("shown ").contains("alert");
        await().untilAsserted(() -> assertThat(server.failures).containsExactly(TlsFailure.REFUSED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void requiredCertificateMustBeThereAndVerify(String version) throws Exception {
        TlsServer server = serving(TlsServer.settings(TlsVersion.TLS_1_2,
                new ClientCertificates.Required(List.of(authority()))));
        assertThat(client(server, GET, version)).doesNotContain("shown ").contains("alert");
        assertThat(client(server, GET, version, "-cert", "mallory.pem", "-key", "mallory.key"))
                .doesNotContain("shown ").contains("alert");
        String said = client(server, GET, version, "-cert", "alice.pem", "-key", "alice.key", "-sess_out", "session");
        assertThat(said).contains("client CN=alice", "Acceptable client certificate CA names");
        assertThat(client(server, GET, version, "-sess_in", "session", "-cert", "alice.pem", "-key", "alice.key"))
                .contains("resumed true", "client CN=alice");
    }

    @Test
    void sessionOfAnotherDemandIsNotResumed() throws Exception {
        TicketKeys keys = TlsServer.newKeys();
        TlsServer open = new TlsServer(TlsServer.SETTINGS, keys);
        TlsServer closed = new TlsServer(TlsServer.settings(TlsVersion.TLS_1_2,
                new ClientCertificates.Required(List.of(authority()))), keys);
        resources.addAll(List.of(open, closed));
        open.contexts.serve(site, List.of());
        closed.contexts.serve(site, List.of());
        for (String version : List.of("-tls1_2", "-tls1_3")) {
            assertThat(client(open, GET, version, "-sess_out", "session")).contains("client none");
            assertThat(client(closed, GET, version, "-sess_in", "session")).doesNotContain("shown ");
        }
    }

    private X509Certificate authority() throws IOException {
        openssl.root("clients");
        openssl.root("strangers");
        openssl.identity("alice", "clients", "DNS:alice.example");
        openssl.identity("mallory", "strangers", "DNS:mallory.example");
        return Identities.certificate(openssl.text("clients.pem"));
    }

    private TlsServer serving(TlsSettings settings) throws Exception {
        return serving(settings, site);
    }

    private TlsServer serving(TlsSettings settings, Identity identity) throws Exception {
        TlsServer server = new TlsServer(settings);
        resources.add(server);
        server.contexts.serve(identity, List.of());
        return server;
    }

    private String client(TlsServer server, String input, String... options) {
        List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-connect", server.address(), "-CAfile",
                "root.pem", "-ign_eof"));
        command.addAll(List.of(options));
        return openssl.run(input, command.toArray(String[]::new));
    }
}

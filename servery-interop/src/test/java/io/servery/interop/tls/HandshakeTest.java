package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Answer;
import io.servery.interop.Heard;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a client and the service agree on: version, group, protocol; and what every answer over TLS has.
class HandshakeTest {
    private static final String HOST = "site.example";
    private static final String SUCCESS = "result=\"success\"";
    private static final String FAILURE = "result=\"failure\"";
    private static final String HANDSHAKES = "servery_tls_handshakes_total";
    private static final int PROTOCOL_VERSION = 70;

    @TempDir
    static Path folder;
    private static Authority authority;
    private static Pair pair;
    private static Service service;
    private static Configuration usual;
    private static Peer peer;

    @BeforeAll
    static void start() {
        authority = Authority.create(folder, "authority");
        pair = authority.issue(Wanted.of("site", HOST, "localhost", "127.0.0.1"));
        Site site = Site.generate(folder.resolve("site"));
        service = Service.start(
                Configuration.of(folder, site.root()).tls("hsts = \"180d\"", pair.manual()));
        usual = service.configuration();
        peer = new Peer(service.port(), authority.root(), folder);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static void reload(Configuration next) {
        service.configure(next);
        Said said = service.run("reload");
        assertThat(said.code()).as(said + service.errorText()).isZero();
    }

    private static Said openssl(String... words) {
        return peer.openssl(Peer.request(HOST, "/hello.txt"), words);
    }

    /// Who comes through waits for the metric: a worker reports once a second.
    private static void assertCounted(double before, String... labels) {
        service.await(HANDSHAKES + " with " + List.of(labels),
                () -> service.metrics().sum(HANDSHAKES, labels) > before);
    }

    // Versions

    @ParameterizedTest
    @CsvSource({"-tls1_2,TLSv1.2", "-tls1_3,TLSv1.3"})
    void bothVersionsAreSpokenAndCounted(String option, String version) {
        double before = service.metrics().sum(HANDSHAKES, SUCCESS, version.substring(4), "resumed=\"no\"");
        Said said = openssl(option, "-verify_hostname", HOST);
        assertThat(said.output()).contains("Verification: OK", "New, " + version, "HTTP/1.1 200", "hello");
        assertCounted(before, SUCCESS, version.substring(4), "resumed=\"no\"");
    }

    /// RFC 8996.
    @Test
    void oldVersionIsRefusedByTheAlertAndCounted() {
        double before = service.metrics().sum(HANDSHAKES, FAILURE, "version=\"none\"");
        try (Records records = Records.open(service.port())) {
            records.send(Hello.of(HOST, Hello.X25519, Hello.P_256).old(Hello.TLS_1_1).records());
            assertThat(records.next()).hasValueSatisfying(
                    record -> assertThat(record.isAlert(PROTOCOL_VERSION)).as(record.toString()).isTrue());
        }
        assertThat(openssl("-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0").all()).doesNotContain("HTTP/1.1 200");
        assertCounted(before + 1, FAILURE, "version=\"none\"");
    }

    @Test
    void minimumVersionAndGroupsFollowTheConfiguration() {
        assertThat(openssl("-groups", "P-256:X25519").output()).contains("Temp Key: X25519");
        try {
            reload(usual.tls("minimum_version = \"1.3\"", "groups = [\"P-256\"]", pair.manual()));
            double before = service.metrics().sum(HANDSHAKES, FAILURE, "version=\"1.2\"");
            assertThat(openssl("-tls1_2").all()).contains("alert protocol version").doesNotContain("HTTP/1.1 200");
            assertCounted(before, FAILURE, "version=\"1.2\"");
            assertThat(openssl("-groups", "X25519:P-256").output()).containsPattern("Temp Key: (ECDH, )?prime256v1");
            assertThat(openssl("-groups", "X25519").all()).contains("handshake failure");
        } finally {
            reload(usual);
        }
    }

    // Groups, RFC 8446 §4.1.4

    /// No key comes with the message, so the service says which it wants.
    @Test
    void hybridGroupIsAskedForFirstThenX25519ThenP256() {
        assertThat(groupAskedFor(Hello.P_256, Hello.X25519, Hello.X25519MLKEM768)).isEqualTo(Hello.X25519MLKEM768);
        assertThat(groupAskedFor(Hello.P_256, Hello.X25519)).isEqualTo(Hello.X25519);
        assertThat(groupAskedFor(Hello.P_256)).isEqualTo(Hello.P_256);
    }

    private static int groupAskedFor(Integer... offered) {
        try (Records records = Records.open(service.port())) {
            records.send(Hello.of(HOST, offered).records());
            Records.Received first = records.next().orElseThrow();
            return first.groupAskedFor().orElseThrow(() -> new AssertionError("no retry is asked for: " + first));
        }
    }

    // Protocols, RFC 7301

    @Test
    void protocolIsAgreedOn() {
        assertThat(openssl("-alpn", "h2,http/1.1").output()).contains("ALPN protocol: http/1.1");
        assertThat(openssl().output()).contains("No ALPN negotiated", "HTTP/1.1 200");
        Said curl = peer.curl(HOST, "/hello.txt");
        assertThat(curl.output()).as(curl.toString()).isEqualTo("200 1.1");
    }

    @ParameterizedTest
    @CsvSource({"-tls1_2,spdy/3", "-tls1_3,spdy/3", "-tls1_3,acme-tls/1"})
    void clientOfOtherProtocolsAloneIsRefusedByTheAlert(String version, String offered) {
        assertThat(openssl(version, "-alpn", offered).all()).contains("alert no application protocol").doesNotContain(
                "HTTP/1.1 200");
    }

    // Renegotiation, RFC 5746; the end, RFC 8446 §6.1

    @Test
    void renegotiationIsRefused() {
        Said said = peer.openssl("R\n", "-tls1_2", "-no_ign_eof");
        assertThat(said.all()).contains("RENEGOTIATING").doesNotContain("HTTP/1.1 200").containsPattern(
                "no renegotiation|unexpected message|alert|closed|error");
    }

    @ParameterizedTest
    @CsvSource({"-tls1_2", "-tls1_3"})
    void endIsAnnouncedByTheAlertSoThatNothingCanBeCutUnseen(String version) {
        String said = openssl(version, "-msg").output();
        assertThat(said.substring(said.indexOf("HTTP/1.1 200")))
                .containsPattern("<<< .*Alert \\[length 0002], warning close_notify");
    }

    // Answers

    @Test
    void filesAreServedWhole() {
        try (WireConnection connection = peer.connect(HOST)) {
            Answer big = connection.get(HOST, "/big.bin").answer();
            assertThat(big.body()).isEqualTo(Site.pattern(Site.BIG_BYTES, 7));
            Answer part = connection.send("GET /big.bin HTTP/1.1\r\nHost: " + HOST
                    + "\r\nRange: bytes=100000-199999\r\n\r\n").answer();
            assertThat(part.status()).isEqualTo(206);
            assertThat(part.body()).hasSize(100_000);
            Answer head = connection.send("HEAD /big.bin HTTP/1.1\r\nHost: " + HOST
                    + "\r\nConnection: close\r\n\r\n").answerToHead();
            assertThat(head.value("Content-Length")).isEqualTo(Integer.toString(Site.BIG_BYTES));
            assertThat(connection.hear()).isEqualTo(Heard.Ending.FIN);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() {
        try (WireConnection connection = peer.connect(HOST)) {
            connection.send(("GET /hello.txt HTTP/1.1\r\nHost: " + HOST + "\r\n\r\n").repeat(4)
                    + Peer.request(HOST, "/digits.txt"));
            for (int i = 0; i < 4; i++) {
                assertThat(connection.answer().text()).isEqualTo("hello\n");
            }
            assertThat(connection.answer().text()).isEqualTo("0123456789");
        }
    }

    /// RFC 6797 §7.1.
    @Test
    void strictTransportSecurityIsSentWhereItIsAskedFor() {
        for (String target : List.of("/hello.txt", "/nothing", "/dir", "/")) {
            assertThat(peer.get(HOST, target).values("Strict-Transport-Security")).as(target).singleElement().asString()
                    .startsWith("max-age=15552000");
        }
        try {
            reload(usual.tls(pair.manual()));
            assertThat(peer.get(HOST, "/hello.txt").values("Strict-Transport-Security")).isEmpty();
        } finally {
            reload(usual);
        }
    }

    @Test
    void addressIsSaidAsHttps() {
        assertThat(service.events("listener.started", 0)).extracting(event -> event.text("address"))
                .anySatisfy(address -> assertThat(address).startsWith("https://127.0.0.1:" + service.port()));
        assertThat(service.status().get("listeners")).asString().contains("https://127.0.0.1:" + service.port());
    }

    @Test
    void everySeriesOfHandshakesExistsFromTheStart() {
        for (List<String> possible : List.of(List.of(SUCCESS, "yes"), List.of(SUCCESS, "no"), List.of(FAILURE, "no"))) {
            assertThat(service.metrics().samples().keySet()).anyMatch(series -> series.startsWith(HANDSHAKES)
                    && series.contains(possible.getFirst())
                    && series.contains("resumed=\"" + possible.getLast() + "\""));
        }
    }
}

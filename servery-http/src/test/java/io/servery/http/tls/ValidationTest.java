package io.servery.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.servery.core.config.TlsVersion;
import io.servery.core.tls.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// TLS-ALPN-01 as a certificate authority sees it (RFC 8737), asked by `openssl s_client` and by the JDK's TLS.
class ValidationTest {
    private static final String ACME = "acme-tls/1";
    /// Of 192.0.2.1 and of 2001:db8::1 (RFC 8738 §6).
    private static final String IPV4 = "1.2.0.192.in-addr.arpa";
    private static final String IPV6 = "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa";
    private static final byte[] NO_APPLICATION_PROTOCOL = {21, 3, 3, 0, 2, 2, 120};
    private static final byte[] UNRECOGNIZED_NAME = {21, 3, 3, 0, 2, 2, 112};

    @TempDir
    Path directory;

    private final List<AutoCloseable> resources = new ArrayList<>();
    private OpenSsl openssl;
    private TlsServer server;

    @BeforeEach
    void serve() throws Exception {
        openssl = new OpenSsl(directory);
        server = serving(TlsServer.SETTINGS);
    }

    @AfterEach
    void giveBack() throws Exception {
        for (AutoCloseable resource : resources) {
            resource.close();
        }
    }

    private TlsServer serving(TlsSettings settings) throws Exception {
        TlsServer made = new TlsServer(settings);
        resources.add(made);
        made.contexts.serve(Identities.selfSigned("site.example"), List.of());
        return made;
    }

    /// The certificate of RFC 8737 §3: one name, and the digest of a key authorization in a critical extension.
    private Identity challenge(String alternativeName) throws IOException {
        String made = openssl.run("", "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:P-256", "-nodes", "-keyout", "challenge.key", "-out", "challenge.pem", "-days", "1",
                "-subj", "/CN=challenge", "-addext", "subjectAltName=" + alternativeName, "-addext",
                "1.3.6.1.5.5.7.1.31=critical,DER:0420" + "ab".repeat(32));
        assertThat(made).startsWith("exit 0");
        return Identity.of(openssl.text("challenge.pem"), openssl.text("challenge.key"));
    }

    private String asked(String name, String protocols, String... more) {
        List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-connect", server.address(), "-alpn",
                protocols, "-servername", name));
        command.addAll(List.of(more));
        return openssl.run("", command.toArray(String[]::new));
    }

    // ---- RFC 8737 §3: what is shown to whom

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void opensslIsShownTheCertificateOfTheChallengeAndTheProtocol(String version) throws Exception {
        server.contexts.validate(Map.of("site.example", challenge("DNS:site.example")));

        assertThat(asked("site.example", ACME, version)).contains("ALPN protocol: acme-tls/1", "subject=CN",
                "challenge").doesNotContain("Servery self-signed");
        await().untilAsserted(() -> assertThat(server.validations).containsExactly(
                version.equals("-tls1_2") ? TlsVersion.TLS_1_2 : TlsVersion.TLS_1_3));
        assertThat(server.connections).as("nothing is spoken inside").isEmpty();
        assertThat(server.failures).isEmpty();
    }

    @Test
    void theJdkIsShownExactlyThatCertificateWhateverTheCaseOfTheName() throws Exception {
        Identity challenge = challenge("DNS:site.example");
        server.contexts.validate(Map.of("site.example", challenge));

        assertThat(shown("SITE.example", ACME)).isEqualTo(challenge.chain().getFirst());
        assertThat(shown("site.example", "http/1.1")).as("whoever speaks HTTP")
                .isNotEqualTo(challenge.chain().getFirst());
    }

    /// RFC 8738 §6: an address is asked for by its reverse name.
    @ParameterizedTest
    @ValueSource(strings = {IPV4, IPV6})
    void addressIsAskedForByItsReverseName(String reverse) throws Exception {
        Identity challenge = challenge(reverse.equals(IPV4) ? "IP:192.0.2.1" : "IP:2001:db8::1");
        server.contexts.validate(Map.of(reverse, challenge));

        assertThat(shown(reverse, ACME)).isEqualTo(challenge.chain().getFirst());
    }

    /// §3: "a single protocol name". With another it is no validation.
    @Test
    void clientThatOffersOtherProtocolsTooIsServedByThose() throws Exception {
        server.contexts.validate(Map.of("site.example", challenge("DNS:site.example")));

        assertThat(asked("site.example", "http/1.1," + ACME)).contains("ALPN protocol: http/1.1",
                "Servery self-signed");
        assertThat(server.contexts.validates()).isTrue();
        assertThat(answer("site.example", ACME, "h2")).isEqualTo(NO_APPLICATION_PROTOCOL);
        assertThat(answer("site.example", ACME, ACME)).isEqualTo(NO_APPLICATION_PROTOCOL);
    }

    /// §4: "the client MUST NOT exchange any further data with the server and MUST immediately close the connection", and so
    /// do we: close_notify and the end.
    @Test
    void connectionEndsWithTheHandshake() throws Exception {
        server.contexts.validate(Map.of("site.example", challenge("DNS:site.example")));
        try (SSLSocket socket = secured("site.example", ACME)) {
            socket.startHandshake();
            assertThat(socket.getApplicationProtocol()).isEqualTo(ACME);
            assertThat(socket.getInputStream().read()).as("close_notify, no failure").isEqualTo(-1);
        }
        await().until(() -> server.openChannels() == 0);
    }

    @Test
    void validationGivesNoTicketByWhichASessionCouldGoOn() throws Exception {
        server.contexts.validate(Map.of("site.example", challenge("DNS:site.example")));

        assertThat(asked("site.example", ACME, "-tls1_2")).doesNotContain("TLS session ticket");
        assertThat(asked("site.example", ACME, "-tls1_3")).doesNotContain("New Session Ticket");
    }

    /// §3: TLS 1.2 is enough, whatever clients of the site have to speak, and no certificate is asked for.
    @Test
    void authorityNeedsNeitherTheVersionNorTheCertificateThatOthersNeed() throws Exception {
        server = serving(TlsServer.settings(TlsVersion.TLS_1_3, new ClientCertificates.Required(
                Identities.selfSigned("authority").chain())));
        server.contexts.validate(Map.of("site.example", challenge("DNS:site.example")));

        assertThat(asked("site.example", ACME, "-tls1_2")).contains("ALPN protocol: acme-tls/1")
                .doesNotContain("Acceptable client certificate");
    }

    // ---- what is refused

    @Test
    void withoutAChallengeTheProtocolIsNotSpoken() throws Exception {
        assertThat(answer("site.example", ACME)).isEqualTo(NO_APPLICATION_PROTOCOL);
        server.contexts.validate(Map.of("site.example", challenge("DNS:site.example")));
        server.contexts.validate(Map.of());
        assertThat(answer("site.example", ACME)).isEqualTo(NO_APPLICATION_PROTOCOL);

        await().untilAsserted(() -> assertThat(server.failures).containsExactly(TlsFailure.NO_COMMON_PROTOCOL,
                TlsFailure.NO_COMMON_PROTOCOL));
    }

    /// RFC 6066 §3. Never another certificate: the authority would take it for a wrong answer.
    @Test
    void nameWithoutAChallengeIsNotRecognized() throws Exception {
        server.contexts.validate(Map.of("site.example", challenge("DNS:site.example")));

        assertThat(answer("other.example", ACME)).isEqualTo(UNRECOGNIZED_NAME);
        assertThat(asked("other.example", ACME)).contains("unrecognized name");
        assertThat(answer(null, ACME)).as("no name at all").isEqualTo(NO_APPLICATION_PROTOCOL);
        await().untilAsserted(() -> assertThat(server.failures).containsExactly(TlsFailure.UNKNOWN_NAME,
                TlsFailure.UNKNOWN_NAME, TlsFailure.NO_COMMON_PROTOCOL));
    }

    @Test
    void challengeThatCannotBeShownChangesNothing() throws Exception {
        Identity sound = challenge("DNS:site.example");
        server.contexts.validate(Map.of("site.example", sound));
        String certificate = openssl.text("challenge.pem");
        challenge("DNS:site.example");
        Identity unsound = Identity.of(certificate, openssl.text("challenge.key"));

        assertThatThrownBy(() -> server.contexts.validate(Map.of("other.example", unsound)))
                .isInstanceOf(SSLException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> server.contexts.validate(Map.of("no name", sound)));
        assertThat(shown("site.example", ACME)).isEqualTo(sound.chain().getFirst());
    }

    // ---- clients

    /// The first bytes that come back for a hello, to their end.
    private byte[] answer(String name, String... protocols) throws Exception {
        byte[] message = ClientHelloTest.message(name, protocols);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(60_000);
            byte[] record = new byte[5 + message.length];
            record[0] = 22;
            record[1] = 3;
            record[2] = 1;
            record[3] = (byte) (message.length >> 8);
            record[4] = (byte) message.length;
            System.arraycopy(message, 0, record, 5, message.length);
            socket.getOutputStream().write(record);
            return socket.getInputStream().readAllBytes();
        }
    }

    private Certificate shown(String name, String protocol) throws Exception {
        try (SSLSocket socket = secured(name, protocol)) {
            socket.startHandshake();
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    private SSLSocket secured(String name, String protocol) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(),
                server.port());
        socket.setSoTimeout(60_000);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[]{protocol});
        parameters.setServerNames(List.of(new SNIHostName(name)));
        socket.setSSLParameters(parameters);
        return socket;
    }
}

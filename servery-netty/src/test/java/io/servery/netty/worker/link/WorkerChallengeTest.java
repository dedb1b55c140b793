package io.servery.netty.worker.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Endpoint;
import io.servery.core.config.Outcome;
import io.servery.core.control.Challenges;
import io.servery.core.control.ListenerRole;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.tls.Identity;
import io.servery.core.tls.SelfSigned;
import io.servery.netty.listen.Binder;
import io.servery.netty.listen.ListenResult;
import io.servery.netty.listen.ListenerGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A real worker process beside whose service plain HTTP is redirected: where to, and what a certificate authority is
/// answered meanwhile.
@EnabledOnOs(value = OS.LINUX, disabledReason = "descriptors travel between processes of Linux")
@Timeout(180)
class WorkerChallengeTest {
    private static final String TLS = "tls.mode = \"self-signed\"\n";
    private static final String TOKEN = "LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0";
    private static final String AUTHORIZATION = TOKEN + ".9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI";
    private static final String PATH = "/.well-known/acme-challenge/";
    private static final Challenges HTTP = new Challenges(List.of(new Challenges.Http(TOKEN, AUTHORIZATION)),
            List.of());
    private static final String HOST = " HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n";

    @TempDir
    Path folder;

    private List<ListenerGroup> groups = List.of();
    private List<Shard> shards = List.of();
    private TestParent parent;

    @BeforeEach
    void begin() throws IOException {
        Files.writeString(Files.createDirectory(folder.resolve("public")).resolve("hello.txt"), "hello\n");
        groups = switch (new Binder("listener", 128, 2, true)
                .bind(new Endpoint.Tcp(List.of("127.0.0.1", "127.0.0.2"), 0))) {
            case ListenResult.Bound(List<ListenerGroup> bound) -> bound;
            case ListenResult.Refused refused -> throw new AssertionError(refused.message());
        };
        parent = new TestParent(Files.createDirectory(folder.resolve("run")), List.of()).saysToken();
    }

    @AfterEach
    void end() throws Exception {
        parent.close();
        for (ListenerGroup group : groups) {
            group.close();
        }
    }

    private String configuration(int port, String more) {
        String text = """
                schema_version = 1
                runtime.event_loops = 2
                listener.port = %d
                application.static.root = "public"
                %s
                """.formatted(port, more);
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                Optional.of(Path.of("servery.toml")), Map.of(), List.of(), folder, false))) {
            case Outcome.Accepted accepted -> accepted.effective().workerText();
            case Outcome.Refused refused -> throw new AssertionError(refused.faults().toString());
        };
    }

    private static Identity identity(String name) {
        return SelfSigned.make(List.of(name), Instant.now(), Duration.ofDays(9), new SecureRandom());
    }

    /// Serves on the first group and redirects on the second.
    ///
    /// @param port of HTTPS, as clients are told it
    private void redirect(int port, Order... before) {
        parent.await(Report.Hello.class);
        parent.send(WorkerIdentityTest.order(1, identity("site.example")));
        List.of(before).forEach(parent::send);
        start(configuration(port, TLS), List.of(ListenerRole.SERVICE, ListenerRole.REDIRECT));
    }

    private void start(String configuration, List<ListenerRole> roles) {
        shards = parent.handOver(groups, roles);
        parent.send(new Order.Prepare(1, 0, configuration, shards));
        parent.await(Report.Prepared.class);
        parent.send(new Order.Commit());
        parent.await(Report.Ready.class);
        parent.send(new Order.Adopt(shards));
    }

    private void post(long number, Challenges challenges) {
        parent.send(new Order.Post(number, challenges));
        assertThat(parent.await(Report.Posted.class)).isEqualTo(new Report.Posted(number, ""));
    }

    private Socket connect(int group) throws IOException {
        InetSocketAddress address = (InetSocketAddress) groups.get(group).address();
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    /// What is answered to these bytes by the second group.
    private String answer(String request) throws IOException {
        return answer(1, request);
    }

    private String answer(int group, String request) throws IOException {
        try (Socket socket = connect(group)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /// A client names the port that it came to, unless that is 80.
    private void redirects(String request, String status, String location) throws IOException {
        int port = ((InetSocketAddress) groups.get(1).address()).getPort();
        redirected(request.replace("site.example", "site.example:" + port), status, location);
    }

    private void redirected(String request, String status, String location) throws IOException {
        assertThat(answer(request)).as(request).startsWith("HTTP/1.1 " + status + " ")
                .contains("\r\nLocation: " + location + "\r\n", "\r\nContent-Length: 0\r\n");
    }

    private void refuses(String request, String status) throws IOException {
        assertThat(answer(request)).as(request).startsWith("HTTP/1.1 " + status + " ").doesNotContain("Location");
    }

    // Redirects

    @Test
    void everyRequestIsSentToTheSameAddressUnderHttps() throws Exception {
        redirect(8443);
        String to = "https://site.example:8443";

        redirects("GET /a/b?c=d&e=%20" + HOST, "301", to + "/a/b?c=d&e=%20");
        redirects("HEAD /" + HOST, "301", to + "/");
        redirects("GET /?" + HOST, "301", to + "/?");
        redirects("POST /form" + HOST, "308", to + "/form"); // RFC 9110 §15.4.9: the method stays
        redirects("DELETE /x" + HOST, "308", to + "/x");
        redirects("OPTIONS *" + HOST, "308", to); // RFC 9112 §3.2.4: no path stands for the server as a whole
        redirects("GET http://site.example/x?y" + HOST, "301", to + "/x?y");
        redirects("GET http://site.example?y" + HOST, "301", to + "/?y");
        redirects("GET /x HTTP/1.1\r\nHost: Site.Example:8080\r\nConnection: close\r\n\r\n", "301", to + "/x");
        redirects("GET /x HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n", "301", "https://[::1]:8443/x");
        redirects("GET /x HTTP/1.0\r\nHost: site.example\r\n\r\n", "301", to + "/x");
        redirects("GET http://site.example/x HTTP/1.0\r\n\r\n", "301", to + "/x");
        redirects("POST /up HTTP/1.1\r\nHost: site.example\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
                "308", to + "/up");
    }

    /// As a container has them: 80 outside is another port inside, and so is 443. Nobody keeps what was guessed (RFC 9110 §15.1).
    @Test
    void clientThatCameToPort80ThroughAMappingIsSentToTheUsualPortOfHttpsForThisTime() throws Exception {
        redirect(8443);

        redirected("GET /x" + HOST, "302", "https://site.example/x");
        redirected("HEAD /x" + HOST, "302", "https://site.example/x");
        redirected("POST /x" + HOST, "307", "https://site.example/x"); // RFC 9110 §15.4.8: the method stays
        redirected("GET /x HTTP/1.1\r\nHost: Site.Example:80\r\nConnection: close\r\n\r\n", "302",
                "https://site.example/x");
        redirected("GET http://site.example/x?y" + HOST, "302", "https://site.example/x?y");
        redirected("GET /x HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n", "302", "https://[::1]/x");
        redirected("GET /x HTTP/1.1\r\nHost: site.example:8081\r\nConnection: close\r\n\r\n", "301",
                "https://site.example:8443/x");
    }

    @Test
    void mappingThatNeedsNoGuessIsRedirectedForGood() throws Exception {
        redirect(443);

        redirected("GET /x" + HOST, "301", "https://site.example/x");
        redirected("POST /x" + HOST, "308", "https://site.example/x");
    }

    /// What a browser would read as another host stays behind ours.
    @Test
    void noPathLeadsToAnotherHost() throws Exception {
        redirect(8443);

        redirects("GET //evil.example/" + HOST, "301", "https://site.example:8443//evil.example/");
        redirects("GET /%5c%5cevil.example" + HOST, "301", "https://site.example:8443/%5c%5cevil.example");
        redirects("GET /@evil.example" + HOST, "301", "https://site.example:8443/@evil.example");
        refuses("GET /\\evil.example" + HOST, "400");
        refuses("GET /a%0d%0aSet-Cookie:x" + HOST, "400");
        refuses("GET http://evil.example/" + HOST, "400"); // RFC 9112 §3.2.2 beside another Host
    }

    @Test
    void requestThatNamesNoSoundHostIsRefusedAsEverywhere() throws Exception {
        redirect(8443);

        refuses("GET / HTTP/1.1\r\n\r\n", "400"); // RFC 9112 §3.2
        refuses("GET / HTTP/1.1\r\nHost: \r\n\r\n", "400");
        refuses("GET / HTTP/1.1\r\nHost: a@evil.example\r\n\r\n", "400");
        refuses("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "400");
        refuses("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "400");
        refuses("GET / HTTP/1.0\r\n\r\n", "400");
        refuses("GET https://site.example/" + HOST, "421"); // RFC 9110 §7.4
        refuses("BREW /" + HOST, "501");
        refuses("CONNECT site.example:443" + HOST, "501");
    }

    @Test
    void portOfHttpsIsNotNamedAndConnectionsAreKeptAndDrainedLikeOthers() throws Exception {
        redirect(443);
        try (Socket socket = connect(1)) {
            String request = "GET /a HTTP/1.1\r\nHost: site.example:80\r\n\r\n";
            socket.getOutputStream().write((request + request).getBytes(StandardCharsets.US_ASCII));
            byte[] expected = "Location: https://site.example/a\r\n".getBytes(StandardCharsets.US_ASCII);
            String both = "";
            while (both.split(new String(expected, StandardCharsets.US_ASCII), -1).length < 3) {
                int next = socket.getInputStream().read();
                assertThat(next).as(both).isNotNegative();
                both += (char) next;
            }
            parent.send(new Order.Drain(Duration.ofSeconds(10), Duration.ZERO));
            assertThat(parent.await(Report.Released.class)).isEqualTo(new Report.Released(0, shards));
            assertThat(parent.await(Report.Drained.class)).as("an idle connection is no work")
                    .isEqualTo(new Report.Drained(0));
        }
        assertThat(parent.exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("run/stdout.txt"))).as("the access log")
                .contains("\"GET /a HTTP/1.1\" 301 0");
    }

    // RFC 8555 §8.3

    @Test
    void tokenIsAnsweredWithItsAuthorizationWhileItStandsAndNothingElseIs() throws Exception {
        redirect(8443);
        redirects("GET " + PATH + TOKEN + HOST, "301", "https://site.example:8443" + PATH + TOKEN);
        post(1, HTTP);

        assertThat(answer("GET " + PATH + TOKEN + HOST)).startsWith("HTTP/1.1 200 ")
                .contains("\r\nContent-Type: application/octet-stream\r\n").endsWith("\r\n\r\n" + AUTHORIZATION);
        assertThat(answer("GET " + PATH + TOKEN + " HTTP/1.0\r\n\r\n")).as("whoever is asked")
                .endsWith("\r\n\r\n" + AUTHORIZATION);
        assertThat(answer("HEAD " + PATH + TOKEN + HOST)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n");
        redirects("GET " + PATH + "other" + HOST, "301", "https://site.example:8443" + PATH + "other");
        redirects("GET " + PATH + HOST, "301", "https://site.example:8443" + PATH);
        redirects("POST " + PATH + TOKEN + HOST, "308", "https://site.example:8443" + PATH + TOKEN);
        post(2, Challenges.NONE);
        redirects("GET " + PATH + TOKEN + HOST, "301", "https://site.example:8443" + PATH + TOKEN);
    }

    /// Without TLS the listener of the service is the plain one.
    @Test
    void plainServiceAnswersBeforeItsApplication() throws Exception {
        parent.await(Report.Hello.class);
        start(configuration(8000, ""), List.of(ListenerRole.SERVICE, ListenerRole.SERVICE));
        post(1, HTTP);

        assertThat(answer(0, "GET " + PATH + TOKEN + HOST)).endsWith("\r\n\r\n" + AUTHORIZATION);
        assertThat(answer(0, "GET " + PATH + "other" + HOST)).startsWith("HTTP/1.1 404 ");
        assertThat(answer(0, "GET /hello.txt" + HOST)).endsWith("\r\n\r\nhello\n");
    }

    /// Who validates is led to HTTPS by what is in front of the service, and takes any certificate. The one that is shown may be for
    /// other names than those that are proven.
    @Test
    void serviceOverTlsAnswersBeforeItsApplicationWhoeverIsAsked() throws Exception {
        redirect(8443);
        String foreign = HOST.replace("site.example", "new.example");
        assertThat(secureAnswer("GET " + PATH + TOKEN + HOST)).startsWith("HTTP/1.1 404 ");
        post(1, HTTP);

        assertThat(secureAnswer("GET " + PATH + TOKEN + HOST)).startsWith("HTTP/1.1 200 ")
                .endsWith("\r\n\r\n" + AUTHORIZATION);
        assertThat(secureAnswer("GET " + PATH + TOKEN + foreign)).endsWith("\r\n\r\n" + AUTHORIZATION);
        assertThat(secureAnswer("GET " + PATH + "other" + HOST)).startsWith("HTTP/1.1 404 ");
        assertThat(secureAnswer("GET " + PATH + "other" + foreign)).startsWith("HTTP/1.1 421 ");
        assertThat(secureAnswer("POST " + PATH + TOKEN + foreign)).startsWith("HTTP/1.1 421 ");
        assertThat(secureAnswer("GET /hello.txt" + HOST)).endsWith("\r\n\r\nhello\n");
        post(2, Challenges.NONE);
        assertThat(secureAnswer("GET " + PATH + TOKEN + foreign)).startsWith("HTTP/1.1 421 ");
    }

    @Test
    void whatStandsBeforeTheStartIsAnsweredByTheFirstAnswer() throws Exception {
        redirect(8443, new Order.Post(3, Challenges.NONE), new Order.Post(4, HTTP));

        assertThat(parent.await(Report.Posted.class)).isEqualTo(new Report.Posted(4, ""));
        assertThat(answer("GET " + PATH + TOKEN + HOST)).endsWith("\r\n\r\n" + AUTHORIZATION);
    }

    // RFC 8737 §3

    @Test
    void handshakeOfAnAuthorityShowsTheCertificateOfTheChallenge() throws Exception {
        redirect(8443);
        Identity challenge = identity("site.example");
        post(1, alpn(challenge.certificatesPem(), challenge.keyPem()));

        assertThat(shown("acme-tls/1")).isEqualTo(challenge.chain().getFirst());
        assertThat(shown("http/1.1")).isNotEqualTo(challenge.chain().getFirst());
    }

    @Test
    void certificateThatCannotBeShownIsRefusedAndWhatStoodStands() throws Exception {
        redirect(8443);
        Identity challenge = identity("site.example");
        post(1, alpn(challenge.certificatesPem(), challenge.keyPem()));
        Challenges foreignKey = new Challenges(HTTP.http(),
                alpn(challenge.certificatesPem(), identity("site.example").keyPem()).alpn());
        for (Challenges unsound : List.of(foreignKey, alpn("none", "none"))) {
            parent.send(new Order.Post(2, unsound));
            assertThat(parent.await(Report.Posted.class).refusal()).startsWith("tls: ");
        }

        assertThat(shown("acme-tls/1")).isEqualTo(challenge.chain().getFirst());
        redirects("GET " + PATH + TOKEN + HOST, "301", "https://site.example:8443" + PATH + TOKEN);
        assertThat(parent.alive()).isTrue();
    }

    private static Challenges alpn(String certificate, String key) {
        return new Challenges(List.of(), List.of(new Challenges.Alpn("site.example", certificate, key)));
    }

    /// What the first group answers inside TLS.
    private String secureAnswer(String request) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(),
                ((InetSocketAddress) groups.getFirst().address()).getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private Certificate shown(String protocol) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(),
                ((InetSocketAddress) groups.getFirst().address()).getPort())) {
            socket.setSoTimeout(20_000);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[]{protocol});
            parameters.setServerNames(List.of(new SNIHostName("site.example")));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            assertThat(socket.getApplicationProtocol()).isEqualTo(protocol);
            return socket.getSession().getPeerCertificates()[0];
        }
    }
}

package io.servery.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.http1.SecureServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What `openssl s_client` and `curl` see of HTTP/1 over TLS.
class HttpOverTlsTest {
    private static final int LARGE = 3_000_000;
    private static final String STRICT = "Strict-Transport-Security: max-age="
            + SecureServer.STRICT_TRANSPORT.toSeconds();

    @TempDir
    Path directory;

    private OpenSsl openssl;
    private SecureServer server;

    @BeforeEach
    void serve() throws Exception {
        openssl = new OpenSsl(directory);
        server = new SecureServer(HttpOverTlsTest::answer);
    }

    @AfterEach
    void giveBack() {
        server.close();
    }

    private static void answer(Exchange exchange) {
        byte[] content = exchange.path().decoded().equals("/large")
                ? large()
                : (exchange.path().decoded() + " secure " + exchange.secure() + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.respond(new ResponsePlan.Bytes(ResponseHead.status(200).length(content.length), content));
    }

    private static byte[] large() {
        byte[] content = new byte[LARGE];
        for (int i = 0; i < LARGE; i++) {
            content[i] = (byte) (i * 31 >> 3);
        }
        return content;
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void curlIsAnsweredTwiceOnOneConnectionThatBindsItToTls(String version) {
        String said = curl("--tlsv" + version, "--tls-max", version, "-i", "-w", "connections %{num_connects}\\n",
                url("/one"), url("/two"));
        assertThat(said).startsWith("exit 0\nHTTP/1.1 200 OK")
                .containsSubsequence(STRICT, "/one secure true", "connections 1", STRICT, "/two secure true",
                        "connections 0");
    }

    @Test
    void curlGetsALargeAnswerWhole() throws Exception {
        assertThat(curl("-o", "large", url("/large"))).startsWith("exit 0");
        assertThat(Arrays.mismatch(Files.readAllBytes(openssl.file("large")), large())).isEqualTo(-1);
    }

    @Test
    void curlThatAsksForAnotherHostIsToldThatItIsMisdirected() {
        assertThat(curl("-i", "-H", "Host: other.example", url("/"))).contains("HTTP/1.1 421 ", STRICT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void opensslIsToldTheEndByTls(String version) {
        String said = openssl.run("GET / HTTP/1.0\r\n\r\n", "openssl", "s_client", "-connect",
                "127.0.0.1:" + server.port(), version, "-ign_eof");
        assertThat(said).startsWith("exit 0").contains("/ secure true").endsWith("closed\n")
                .doesNotContain("unexpected eof", "errno");
    }

    private String url(String path) {
        return "https://site.example:" + server.port() + path;
    }

    private String curl(String... options) {
        assumeTrue(OpenSsl.isInstalled("curl"), "curl is not installed");
        List<String> command = new ArrayList<>(List.of("curl", "-sSk", "--http1.1", "--resolve",
                "site.example:" + server.port() + ":127.0.0.1"));
        command.addAll(List.of(options));
        return openssl.run("", command.toArray(String[]::new));
    }
}

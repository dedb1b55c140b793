package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.ServeryProcess;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Plain HTTP beside a whole service that speaks TLS: `curl` is led to what it asked for, and a reload opens and closes the
/// port.
class RedirectTest {
    private static final String SELF_SIGNED = "mode = \"self-signed\"";

    @TempDir
    Path folder;
    private Site site = new Site(Path.of(""));

    @BeforeEach
    void site() {
        site = Site.generate(folder.resolve("site"));
    }

    /// @return status, number of redirects and where it ended
    private Said curl(int port, String target, String... words) {
        List<String> command = new ArrayList<>(List.of("--silent", "--show-error", "--max-time", "20", "--location",
                "--insecure", "--output", "/dev/null", "--write-out",
                "%{http_code} %{num_redirects} %{url_effective} %{method}"));
        command.addAll(List.of(words));
        command.add("http://localhost:" + port + target);
        return Program.of("curl", folder).run("", command);
    }

    private static boolean isOpen(int port) {
        try (WireConnection connection = WireConnection.open(port)) {
            return connection.get("localhost:" + port, "/").answer().status() == 301;
        } catch (UncheckedIOException refused) {
            return false;
        }
    }

    @Test
    void curlIsLedToHttpsAndAReloadOpensAndClosesThePort() {
        int redirect = ServeryProcess.freePort();
        Configuration without = Configuration.of(folder, site.root()).tls(SELF_SIGNED).runtime("workers = 2");
        try (Service service = Service.start(without)) {
            int events = service.events().size();
            Configuration plain = service.configuration();
            assertThat(isOpen(redirect)).isFalse();

            service.configure(plain.listener("redirect_port = " + redirect));
            Said opened = service.run("reload");
            assertThat(opened.code()).as(opened.toString()).isZero();
            assertThat(opened.output()).contains("listener.redirect_port");
            String https = "https://localhost:" + service.port();
            assertThat(curl(redirect, "/hello.txt?a=%20b").output())
                    .isEqualTo("200 1 " + https + "/hello.txt?a=%20b GET");
            assertThat(curl(redirect, "/hello.txt", "--data", "x").output()).as("the method stays")
                    .isEqualTo("405 1 " + https + "/hello.txt POST");
            assertThat(service.status()).containsEntry("redirects", List.of("http://127.0.0.1:" + redirect + "/"));
            assertThat(service.run("status").output()).contains("redirect ", "http://127.0.0.1:" + redirect + "/");
            assertThat(service.events("listener.started", events)).singleElement()
                    .satisfies(event -> assertThat(event.text("listener")).isEqualTo("redirect"));
            assertThat(service.metrics().sum("servery_requests_total", "code=\"301\"")).isPositive();

            service.configure(plain);
            assertThat(service.run("reload").code()).isZero();
            service.settled(2);
            service.await("the end of the port", () -> !service.events("listener.stopped", events).isEmpty());
            assertThat(isOpen(redirect)).isFalse();
            assertThat(service.events("listener.stopped", events)).singleElement()
                    .satisfies(event -> assertThat(event.text("listener")).isEqualTo("redirect"));
        }
    }

    @Test
    void portThatIsTakenKeepsWhatServes() throws IOException {
        try (Service service = Service.start(Configuration.of(folder, site.root()).tls(SELF_SIGNED));
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            service.configure(service.configuration().listener("redirect_port = " + taken.getLocalPort()));
            Said said = service.run("reload");
            assertThat(said.code()).isNotZero();
            assertThat(said.errors()).contains("listener.redirect_port: cannot listen on 127.0.0.1 port "
                    + taken.getLocalPort());
            assertThat(service.ready()).isTrue();
        }
    }

    /// One process, without a file.
    @Test
    void folderThatIsServedOverTlsRedirectsToo() throws Exception {
        int port = ServeryProcess.freePort();
        int redirect = ServeryProcess.freePort();
        Path errors = folder.resolve("errors.log");
        Process process = new ProcessBuilder(ServeryProcess.java(), "-jar", ServeryProcess.JAR.toString(), "serve",
                site.root().toString(), "--port", Integer.toString(port), "--set", "tls.mode=self-signed", "--set",
                "listener.redirect_port=" + redirect).redirectOutput(folder.resolve("output.log").toFile())
                .redirectError(errors.toFile()).start();
        try {
            process.getOutputStream().close();
            Awaitility.await("a redirect").atMost(Service.PATIENCE).pollInterval(Duration.ofMillis(50))
                    .until(() -> !process.isAlive() || isOpen(redirect));
            assertThat(curl(redirect, "/hello.txt").output())
                    .isEqualTo("200 1 https://localhost:" + port + "/hello.txt GET");
            assertThat(Files.readString(errors)).contains("http://127.0.0.1:" + redirect + "/");
            process.destroy();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}

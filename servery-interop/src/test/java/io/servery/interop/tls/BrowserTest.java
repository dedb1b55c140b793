package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.servery.interop.Site;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Service;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A page over TLS in a browser, which tells in its log of the network what was agreed on.
class BrowserTest {
    private static final String HOST = "site.example";
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int TIMEOUT_SECONDS = 120;

    @TempDir
    Path folder;

    private static Path browser() {
        Path browser = BROWSERS.stream()
                .flatMap(name -> Stream.of("/usr/bin", "/usr/local/bin", "/snap/bin").map(bin -> Path.of(bin, name)))
                .filter(Files::isExecutable).findFirst().orElse(null);
        assumeThat(browser).as("there is no Chromium here").isNotNull();
        return browser;
    }

    @Test
    void pageIsShownByTheHybridGroupAndHttp1() throws Exception {
        Path browser = browser();
        Authority authority = Authority.create(folder, "authority");
        Pair pair = authority.issue(Wanted.of("site", HOST));
        Site site = Site.generate(folder.resolve("site"));
        try (Service service = Service.start(Configuration.of(folder, site.root()).tls(pair.manual()))) {
            Path log = folder.resolve("network.json");
            String page = page(browser, pair, "https://" + HOST + ":" + service.port() + "/", log);
            assertThat(page).contains("<title>Front</title>");
            assertThat(Files.readString(log)).contains("\"key_exchange_group\":" + Hello.X25519MLKEM768,
                    "\"next_proto\":\"http/1.1\"", "\"version\":\"TLS 1.3\"");
        }
    }

    /// @param pair whose key is trusted, and no other
    private String page(Path browser, Pair pair, String url, Path log) throws Exception {
        byte[] key = pair.certificates().getFirst().getPublicKey().getEncoded();
        String trusted = Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(key));
        Path dom = folder.resolve("dom.html");
        Process process = new ProcessBuilder(browser.toString(), "--headless", "--no-sandbox", "--disable-gpu",
                "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                "--disable-sync", "--user-data-dir=" + folder.resolve("profile"),
                "--host-resolver-rules=MAP " + HOST + " 127.0.0.1",
                "--ignore-certificate-errors-spki-list=" + trusted, "--log-net-log=" + log, "--dump-dom", url)
                .redirectOutput(dom.toFile()).redirectError(folder.resolve("console.txt").toFile()).start();
        try {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as("the browser ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(dom);
    }
}

package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Browser;
import io.servery.interop.Site;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Service;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A page over TLS in a browser, which tells in its log of the network what was agreed on.
class BrowserTest {
    private static final String HOST = "site.example";

    @TempDir
    Path folder;

    @Test
    void pageIsShownByTheHybridGroupAndHttp1() throws Exception {
        Browser browser = Browser.in(folder);
        Authority authority = Authority.create(folder, "authority");
        Pair pair = authority.issue(Wanted.of("site", HOST));
        Site site = Site.generate(folder.resolve("site"));
        try (Service service = Service.start(Configuration.of(folder, site.root()).tls(pair.manual()))) {
            Path log = folder.resolve("network.json");
            Browser.Page page = browser.open("https://" + HOST + ":" + service.port() + "/", trusting(pair),
                    "--host-resolver-rules=MAP " + HOST + " 127.0.0.1", "--log-net-log=" + log);
            assertThat(page.dom()).contains("<title>Front</title>");
            assertThat(Files.readString(log)).contains("\"key_exchange_group\":" + Hello.X25519MLKEM768,
                    "\"next_proto\":\"http/1.1\"", "\"version\":\"TLS 1.3\"");
        }
    }

    /// Tells the browser to trust the key of this pair, and no other.
    private static String trusting(Pair pair) throws Exception {
        byte[] key = pair.certificates().getFirst().getPublicKey().getEncoded();
        return "--ignore-certificate-errors-spki-list="
                + Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(key));
    }
}

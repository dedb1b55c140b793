package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Site;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Service;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A drain with connections that are not secure yet.
class DrainTest {
    private static final String HOST = "site.example";
    /// Far beyond what is expected, and far below what the handshake may take.
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    @Test
    void silentPeerDoesNotHoldADrainForTheTimeOfItsHandshake() {
        Authority authority = Authority.create(folder, "authority");
        Pair pair = authority.issue(Wanted.of("site", HOST));
        try (Service service = Service.start(Configuration.of(folder, Site.generate(folder.resolve("site")).root())
                .tls(pair.manual()).runtime("drain_timeout = \"60s\"").resources("handshake_timeout = \"60s\""));
                Records silent = Records.open(service.port())) {
            // It is accepted before one that comes later.
            assertThat(new Peer(service.port(), authority.root(), folder).get(HOST, "/hello.txt").status())
                    .isEqualTo(200);
            service.signal("TERM");

            assertThat(service.exitCode(SOON)).isZero();
            assertThat(silent.ends(SOON)).as("an end").isTrue();
            assertThat(service.events("drain.forced", 0)).isEmpty();
        }
    }
}

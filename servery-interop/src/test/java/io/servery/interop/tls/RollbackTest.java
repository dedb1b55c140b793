package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Site;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// A configuration that is brought back shows the certificates of now.
@Isolated
class RollbackTest {
    private static final String HOST = "site.example";
    private static final int CONNECTIONS = 8;

    @TempDir
    Path folder;

    @Test
    void rollbackBeginsWithTheFilesAsTheyAre() {
        Authority authority = Authority.create(folder, "authority");
        Pair used = authority.issue(Wanted.of("first", HOST)).copy(folder.resolve("used"));
        Pair next = authority.issue(Wanted.of("second", HOST));
        Site site = Site.generate(folder.resolve("site"));
        try (Service service = Service.start(Configuration.of(folder, site.root()).runtime("workers = 2")
                .tls(used.manual()))) {
            Peer peer = new Peer(service.port(), authority.root(), folder);
            assertThat(serials(peer)).containsExactly(used.serial());
            service.configure(service.configuration().listener("backlog = 1000"));
            Said reload = service.run("reload");
            assertThat(reload.code()).as(reload.toString()).isZero();

            used.become(next);
            Said back = service.run("rollback");
            assertThat(back.code()).as(back + service.errorText()).isZero();
            assertThat(serials(peer)).as("at once").containsExactly(next.serial());
        }
    }

    private static List<BigInteger> serials(Peer peer) {
        return Stream.generate(() -> peer.serial(HOST)).limit(CONNECTIONS).distinct().toList();
    }
}

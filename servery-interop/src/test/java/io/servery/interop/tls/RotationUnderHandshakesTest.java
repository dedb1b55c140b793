package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Site;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Service;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Handshake after handshake while certificates change, well and badly, and a worker dies: each sees one whole identity that
/// was put there as such.
///
/// The long form: `-Dservery.tls.rotations=100`.
@Isolated
class RotationUnderHandshakesTest {
    private static final String HOST = "site.example";
    private static final int ROTATIONS = Integer.getInteger("servery.tls.rotations", 6);
    private static final int CLIENTS = 4;
    private static final long PAUSE_NANOS = 5_000_000;
    private static final int CONNECTIONS = 8;
    private static final Duration SEEN = Duration.ofSeconds(5);
    private static final Duration END = Duration.ofSeconds(30);

    @TempDir
    Path folder;
    private final Map<BigInteger, List<X509Certificate>> whole = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong seen = new AtomicLong();
    private final Queue<Failed> failed = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    /// A handshake that had no end.
    private record Failed(long begunNanos, long atNanos, String how) {
        /// Whether it was under way at this time: then it may have been with a worker that died.
        boolean isExplainedBy(long deathNanos) {
            return begunNanos < deathNanos && atNanos > deathNanos;
        }
    }

    private Pair valid(Authority authority, int number) {
        Pair pair = authority.issue(Wanted.of("valid-" + number, HOST));
        whole.put(pair.serial(), pair.certificates());
        return pair;
    }

    /// Valid to whoever reads it, and not with the files beside it.
    private static Pair invalid(Authority authority, Pair used, int number) {
        Pair other = authority.issue(Wanted.of("invalid-" + number, HOST));
        return switch (number % 5) {
            case 0 -> new Pair(other.chain(), used.key());
            case 1 -> new Pair(used.chain(), other.key());
            case 2 -> authority.leaf(Wanted.of("alone-" + number, HOST));
            case 3 -> authority.issue(Wanted.of("expired-" + number, HOST).valid(Duration.ofDays(-3),
                    Duration.ofDays(-1)));
            default -> new Pair(authority.joined("stray-" + number, other.chain(), used.chain()), other.key());
        };
    }

    private void shakeHands(Peer peer) {
        while (!over) {
            long begun = System.nanoTime();
            try {
                List<X509Certificate> shown = peer.shown(HOST);
                if (!shown.equals(whole.get(shown.getFirst().getSerialNumber()))) {
                    wrong.add("no whole identity: " + shown);
                }
                seen.incrementAndGet();
            } catch (UncheckedIOException e) {
                failed.add(new Failed(begun, System.nanoTime(), String.valueOf(e.getMessage())));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Test
    void everyHandshakeSeesOneWholeIdentity() throws Exception {
        Authority authority = Authority.create(folder, "authority");
        Pair used = valid(authority, 0).copy(folder.resolve("used"));
        Site site = Site.generate(folder.resolve("site"));
        List<Thread> clients = new ArrayList<>();
        try (Service service = Service.start(Configuration.of(folder, site.root()).runtime("workers = 2")
                .tls(used.manual()))) {
            Peer peer = new Peer(service.port(), authority.root(), folder);
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Thread.ofPlatform().daemon().start(() -> shakeHands(peer)));
            }
            List<Long> pids = service.workerPids();
            for (int i = 1; i <= ROTATIONS; i++) {
                rotate(authority, used, i, service, peer);
            }
            assertThat(service.workerPids()).isEqualTo(pids);
            long deathNanos = killOne(service, peer, used);
            over = true;
            for (Thread client : clients) {
                assertThat(client.join(END)).isTrue();
            }
            assertThat(wrong).as(service.errorText()).isEmpty();
            assertThat(failed.stream().filter(each -> !each.isExplainedBy(deathNanos)))
                    .as(service.errorText()).isEmpty();
            assertThat(seen.get()).isGreaterThan(ROTATIONS * 10L);
            assertThat(service.generation()).isEqualTo(1);
        } finally {
            over = true;
        }
    }

    /// A bad one, which is told; then a good one, written by renames or in place.
    private void rotate(Authority authority, Pair used, int number, Service service, Peer peer) {
        int before = service.events().size();
        Pair invalid = invalid(authority, used, number);
        used.become(invalid);
        service.await("a rejection", () -> service.events().stream().skip(before)
                .anyMatch(event -> event.name().equals("certificate.rejected")));
        Pair next = valid(authority, number);
        if (number % 2 == 0) {
            used.become(next);
        } else {
            used.overwrite(next);
        }
        awaitShown(service, peer, next);
    }

    private static void awaitShown(Service service, Peer peer, Pair next) {
        service.await("the new certificate", SEEN, () -> {
            for (int i = 0; i < CONNECTIONS; i++) {
                if (!peer.serial(HOST).equals(next.serial())) {
                    return false;
                }
            }
            return true;
        });
    }

    /// Its replacement begins with the identity that is shown now, not with that of the start.
    private static long killOne(Service service, Peer peer, Pair used) {
        OsProcess worker = service.workers().getFirst();
        worker.stop();
        long deathNanos = System.nanoTime();
        worker.signal("KILL");
        service.awaitExit(worker.pid());
        service.settled(2);
        for (int i = 0; i < CONNECTIONS; i++) {
            assertThat(peer.serial(HOST)).isEqualTo(used.serial());
        }
        return deathNanos;
    }
}

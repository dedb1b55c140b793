package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Answer;
import io.servery.interop.Heard;
import io.servery.interop.OsProcess;
import io.servery.interop.Waits;
import io.servery.interop.WireConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The sockets of a worker that is lost, from that moment until whoever waits at one of them is answered by others.
///
/// @param atNanos when it was lost
/// @param waits of the parent and of those who take over: a busy host is no fault of theirs
record Adoption(Service service, long atNanos, Waits waits) {
    /// A second of silence, and what it takes to notice, to tell and to accept.
    static final Duration IN_TIME = Duration.ofMillis(1_500);

    /// So many that the kernel leaves none of the few sockets without one.
    private static final int PEERS = 30;

    /// To be called before a worker is stopped, or as soon as it has been.
    static Adoption awaited(Service service, OsProcess lost) {
        List<OsProcess> others = new ArrayList<>(service.workers());
        others.remove(lost);
        others.add(service.parent());
        return new Adoption(service, System.nanoTime(), Waits.of(others));
    }

    /// Clients at all sockets of the service, those included that nobody reads.
    static List<WireConnection> ask(Service service) {
        List<WireConnection> asking = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            asking.add(service.connect().get("/hello.txt"));
        }
        return asking;
    }

    static void assertAnswered(List<WireConnection> asking) {
        for (WireConnection connection : asking) {
            Heard heard = connection.hear(Service.PATIENCE);
            assertThat(heard).as(WireConnection.describe(heard)).isInstanceOf(Answer.class);
            connection.close();
        }
    }

    void assertInTime() {
        assertAnswered(ask(service));
        Duration took = Duration.ofNanos(System.nanoTime() - atNanos);
        Duration waited = waits.total();
        assertThat(took).as("of which the host gave %s no processor", waited).isLessThan(IN_TIME.plus(waited));
    }
}

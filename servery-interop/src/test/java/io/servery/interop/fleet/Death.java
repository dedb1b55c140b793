package io.servery.interop.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.OsProcess;
import io.servery.interop.Waits;
import io.servery.interop.load.Lost;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// One death of a worker.
///
/// @param pid of the dead
/// @param clientPorts whose connections it had
/// @param stillNanos since when it stood still
/// @param atNanos when it died
/// @param replaced how long its place was empty
/// @param waited how much of that the host gave its parent and the new process no processor for
public record Death(long pid, Set<Integer> clientPorts, long stillNanos, long atNanos, Duration replaced,
        Duration waited) {
    private static final Duration REPLACED_MAX = Duration.ofSeconds(2);
    private static final long ANSWERED_NANOS = Duration.ofSeconds(1).toNanos();

    /// Kills a worker and waits for its replacement. It is stopped first, so that what it has in hand is known exactly when
    /// it dies.
    public static Death cause(Service service, OsProcess worker) {
        int before = service.events().size();
        long stillNanos = System.nanoTime();
        worker.stop();
        Waits parent = Waits.of(List.of(service.parent()));
        Set<Integer> ports = worker.clientPorts(service.port());
        long atNanos = System.nanoTime();
        worker.signal("KILL");
        service.await("a replacement", () -> !service.events("worker.ready", before).isEmpty());
        Event ready = service.events("worker.ready", before).getFirst();
        Duration waited = Waits.ofStart(new OsProcess(Long.parseLong(ready.text("pid")))).plus(parent.total());
        Event exited = service.awaitExit(worker.pid());
        assertThat(exited.text("reason")).isEqualTo("unexpected_exit");
        assertThat(ready.text("worker")).as("the same slot").isEqualTo(exited.text("worker"));
        assertThat(ready.text("generation")).isEqualTo(exited.text("generation"));
        return new Death(worker.pid(), ports, stillNanos, atNanos, Duration.between(exited.at(), ready.at()),
                waited);
    }

    /// Whether its place was taken in the time that is promised, as far as the host let the new process run.
    boolean replacedInTime() {
        return replaced.minus(waited).compareTo(REPLACED_MAX) <= 0;
    }

    public boolean explains(Lost lost) {
        return broke(lost) || held(lost);
    }

    boolean broke(Lost lost) {
        return clientPorts.contains(lost.clientPort()) && lost.openedNanos() < atNanos && lost.atNanos() > atNanos
                && lost.what() != Lost.What.WRONG && lost.what() != Lost.What.REFUSED;
    }

    /// A busy machine takes its time over a stop, in which nobody else reads the sockets of the worker yet.
    private boolean held(Lost lost) {
        long stood = Math.max(0, Math.min(lost.atNanos(), atNanos) - Math.max(lost.openedNanos(), stillNanos));
        return lost.what() == Lost.What.LATE && stood > 0
                && lost.atNanos() - lost.openedNanos() - stood <= ANSWERED_NANOS;
    }
}

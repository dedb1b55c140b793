package io.servery.acme.order;

import io.servery.core.reason.Reason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.shredzone.acme4j.PollableResource;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.exception.AcmeException;

/// Asks again until something is decided: soon at first, then ever more seldom, and not before the authority wants
/// (RFC 8555, section 7.5.1).
final class Polling {
    private static final Duration PAUSE_MIN = Duration.ofMillis(200);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);
    /// The longest that the authority is waited for at once: it may count by a clock that is ahead of ours.
    private static final Duration WAIT_MAX = Duration.ofMinutes(1);

    private final Cancellation cancellation;
    private final Clock clock;

    Polling(Cancellation cancellation, Clock clock) {
        this.cancellation = cancellation;
        this.clock = clock;
    }

    /// Waits for one of some states.
    ///
    /// @param what for people: `the order`
    /// @return one of the states that are waited for
    Status await(PollableResource resource, Set<Status> decided, Instant until, String what)
            throws AcmeException, AttemptException, CancelledException {
        Duration pause = PAUSE_MIN;
        while (true) {
            cancellation.check();
            Optional<Instant> retryAfter = resource.fetch();
            if (decided.contains(resource.getStatus())) {
                return resource.getStatus();
            }
            Instant now = clock.instant();
            Duration wait = retryAfter.map(at -> Duration.between(now, at))
                    .filter(time -> time.compareTo(PAUSE_MIN) > 0)
                    .map(time -> time.compareTo(WAIT_MAX) < 0 ? time : WAIT_MAX).orElse(pause);
            if (now.plus(wait).isAfter(until)) {
                throw new AttemptException(Reason.NETWORK_FAILURE, what + ": found it " + resource.getStatus()
                        + " at the end of its time; expected one of " + decided);
            }
            cancellation.pause(wait);
            Duration twice = pause.plus(pause);
            pause = twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
        }
    }
}

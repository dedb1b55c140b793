package io.servery.acme.renewal;

import io.servery.core.reason.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Something that happened: the only thing that moves the machine.
public sealed interface Event {

    /// When it was noticed.
    Instant at();

    /// The answer to an effect with this number; about another number it is late and changes nothing.
    sealed interface Answer extends Event {
        int number();
    }

    /// The moment of [Renewal#deadline] may have come.
    record TimePassed(Instant at) implements Event {
    }

    /// The command `renew`.
    ///
    /// @param request what [Effect.Reply] will name, exactly once
    /// @param force although nothing is due
    record RenewRequested(Instant at, int request, boolean force) implements Event {
    }

    /// The service ends.
    record StopRequested(Instant at) implements Event {
    }

    /// The authority was consulted.
    ///
    /// @param window absent when it has no opinion, or could not be asked
    /// @param retryAfter how long it wants to be left alone
    record Consulted(Instant at, int number, Optional<Window> window, Optional<Duration> retryAfter)
            implements
                Answer {
    }

    /// A certificate was issued, judged and kept as a candidate.
    record Obtained(Instant at, int number, Lifetime candidate) implements Answer {
    }

    /// An attempt brought nothing.
    ///
    /// @param retryAfter before that the authority wants no further attempt
    record AttemptFailed(Instant at, int number, Reason reason, String detail, Optional<Instant> retryAfter)
            implements
                Answer {
    }

    /// An attempt ended because it was told to, or because the service ends: it has not failed.
    record Cancelled(Instant at, int number) implements Answer {
    }

    /// Every worker has the candidate, and a handshake has seen it.
    record Activated(Instant at, int number) implements Answer {
    }

    /// The candidate could not be taken: what was active is active.
    record ActivationFailed(Instant at, int number, String detail) implements Answer {
    }
}

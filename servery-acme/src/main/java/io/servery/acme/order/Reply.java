package io.servery.acme.order;

import io.servery.acme.renewal.Window;
import io.servery.core.reason.Reason;
import io.servery.core.tls.Identity;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What became of something that an [AcmeClient] was asked for.
public sealed interface Reply {

    /// The authority was asked when to renew.
    ///
    /// @param window absent when it has no opinion, or could not be asked
    record Consulted(int number, Optional<Window> window, Optional<Duration> retryAfter) implements Reply {
    }

    /// A certificate was issued, found to be right, and kept as the candidate.
    record Obtained(int number, Identity identity) implements Reply {
    }

    /// An attempt brought nothing.
    ///
    /// @param detail for people: what was found where; of the words of an authority only printable ASCII, and not more than
    ///        an event has room for
    /// @param retryAfter before that the authority wants no further attempt
    record Failed(int number, Reason reason, String detail, Optional<Instant> retryAfter) implements Reply {
    }

    /// An attempt ended because it was told to. Its order is taken up again by the next.
    record Cancelled(int number) implements Reply {
    }

    /// A file of the state directory was not what had been written, and counts as absent.
    record Damaged(Path keptAs, String why) implements Reply {
    }

    /// The authority could not be told who the account belongs to now; it may be told again. Not the answer to an attempt, which
    /// goes on.
    record AccountNotUpdated(String detail) implements Reply {
    }

    /// The state directory did not take what it was given: after a restart it will be as it was.
    record NotKept(String detail) implements Reply {
    }
}

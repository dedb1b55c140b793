package io.servery.acme.renewal;

import java.time.Instant;

/// What is going on about a certificate.
///
/// *Invariant*: one thing at a time; its number tells its answer from a late one.
public sealed interface Stage {

    /// Nothing: time will tell.
    record Resting() implements Stage {
    }

    /// The authority is asked when to renew.
    record Consulting(int number, Instant until) implements Stage {
    }

    /// An attempt is under way.
    record Ordering(int number, Instant until) implements Stage {
    }

    /// An attempt ended that nobody here had told to: what it needs was taken away. Soon it goes on.
    record Interrupted(Instant until) implements Stage {
    }

    /// The workers are given what was obtained.
    ///
    /// @param unanswered so often it was given to them before, and not all of them answered in time
    record Activating(int number, Lifetime candidate, Instant until, int unanswered) implements Stage {
    }

    /// An attempt was told to end.
    record Stopping(int number, Instant until) implements Stage {
    }

    /// Nothing more will happen.
    record Stopped() implements Stage {
    }
}

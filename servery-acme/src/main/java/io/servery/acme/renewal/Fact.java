package io.servery.acme.renewal;

import io.servery.core.reason.Reason;
import java.time.Instant;

/// Something that operators want to know of.
public sealed interface Fact {

    /// `certificate.renewal_started`.
    record AttemptStarted(int number) implements Fact {
    }

    /// `certificate.renewal_completed`: an attempt that `servery_acme_attempts_total` counts as a success.
    ///
    /// @param reason `issued` or `renewed`
    record AttemptSucceeded(Reason reason, Lifetime certificate) implements Fact {
    }

    /// `certificate.renewal_failed`: an attempt that `servery_acme_attempts_total` counts as a failure.
    record AttemptFailed(Reason reason, String detail, Instant nextAttempt) implements Fact {
    }

    /// Nothing valid is left; said once for a certificate.
    record Expired(Lifetime certificate) implements Fact {
    }
}

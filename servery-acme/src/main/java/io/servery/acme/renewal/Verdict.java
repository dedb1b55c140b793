package io.servery.acme.renewal;

import io.servery.core.reason.Reason;
import java.time.Instant;

/// What became of a request to renew.
public sealed interface Verdict {

    /// A new certificate is active.
    record Renewed(Lifetime certificate) implements Verdict {
    }

    /// Nothing was done: it is not time yet.
    record NotDue(Instant due) implements Verdict {
    }

    /// Nothing was done: the authority wants no attempt before that moment.
    record Blocked(Instant until) implements Verdict {
    }

    /// It was tried, and what was active is active.
    record Failed(Reason reason, String detail, Instant nextAttempt) implements Verdict {
    }

    /// The service is going away.
    record Stopping() implements Verdict {
    }

    /// As many requests wait as may.
    record Busy() implements Verdict {
    }
}

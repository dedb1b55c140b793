package io.servery.acme.renewal;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What the authority suggests, and when it is asked again (RFC 9773, section 4.3).
///
/// @param window of the certificate that is held
/// @param consultFrom when to ask next
record Outlook(Optional<Window> window, Instant consultFrom) {
    private static final Duration PERIOD_MIN = Duration.ofMinutes(1);
    private static final Duration PERIOD_MAX = Duration.ofDays(1);
    /// Where the authority does not say: what section 4.3.3 asks for after an error.
    private static final Duration PERIOD = Duration.ofHours(6);

    /// Nothing is known, so it is asked at once.
    static Outlook unknown(Instant now) {
        return new Outlook(Optional.empty(), now);
    }

    /// @param learned absent, what was known before stays
    Outlook asked(Instant now, Optional<Window> learned, Optional<Duration> retryAfter) {
        Duration period = retryAfter.orElse(PERIOD);
        Duration bounded = period.compareTo(PERIOD_MIN) < 0
                ? PERIOD_MIN
                : period.compareTo(PERIOD_MAX) > 0 ? PERIOD_MAX : period;
        return new Outlook(learned.or(() -> window), now.plus(bounded));
    }
}

package io.servery.acme.renewal;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What must be remembered over a restart, so that one does not order again what was refused a moment ago.
///
/// @param failures in a row, 0 after a success
/// @param failedAt when the last of them was
/// @param blockedUntil before that the authority wants no further attempt
/// @param activatedAt when a certificate was activated last
public record History(int failures, Optional<Instant> failedAt, Optional<Instant> blockedUntil,
        Optional<Instant> activatedAt) {
    /// The longest that an authority is obeyed: longer than any rate limit that one is known to have.
    public static final Duration BLOCK_MAX = Duration.ofDays(7);

    public History {
        if (failures < 0 || failures > 0 != failedAt.isPresent()) {
            throw new IllegalArgumentException("history: found " + failures + " failures, the last at " + failedAt
                    + "; expected a time if there are any");
        }
    }

    public static History none() {
        return new History(0, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /// As it can be believed: nothing in it happened later than now, whatever the clock said when it was written.
    History believedAt(Instant now) {
        return new History(failures, failedAt.map(at -> earlier(at, now)),
                blockedUntil.map(until -> earlier(until, now.plus(BLOCK_MAX))),
                activatedAt.map(at -> earlier(at, now)));
    }

    History failed(Instant at, Optional<Instant> retryAfter) {
        return new History(Math.min(failures, Integer.MAX_VALUE - 1) + 1, Optional.of(at),
                retryAfter.map(until -> earlier(until, at.plus(BLOCK_MAX))), activatedAt);
    }

    static History succeeded(Instant at) {
        return new History(0, Optional.empty(), Optional.empty(), Optional.of(at));
    }

    /// Whether the authority wants no attempt yet.
    boolean blocked(Instant now) {
        return blockedUntil.filter(now::isBefore).isPresent();
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}

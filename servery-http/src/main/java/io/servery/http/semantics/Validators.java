package io.servery.http.semantics;

import org.jspecify.annotations.Nullable;

/// What tells one representation of a resource from another: its entity tag, the time of its last change, or both.
///
/// A resource without a current representation has no `Validators`: it is null where one is asked for.
///
/// @param lastModifiedEpochSecond the time of the last change, a fraction of a second dropped; `UNKNOWN` without one, and
///     for a time that no HTTP date can name
public record Validators(@Nullable EntityTag etag, long lastModifiedEpochSecond) {
    /// In place of a time: when the representation last changed is not known.
    public static final long UNKNOWN = HttpDate.INVALID;

    public Validators {
        if (!HttpDate.representable(lastModifiedEpochSecond)) {
            lastModifiedEpochSecond = UNKNOWN;
        }
    }

    public boolean hasLastModified() {
        return lastModifiedEpochSecond != UNKNOWN;
    }

    /// The time for the Last-Modified field of a response originated now: never later than its Date
    /// (RFC 9110 §8.8.2.1); `UNKNOWN` when there is none.
    public long lastModifiedSent(long nowEpochSecond) {
        return Math.min(lastModifiedEpochSecond, nowEpochSecond);
    }
}

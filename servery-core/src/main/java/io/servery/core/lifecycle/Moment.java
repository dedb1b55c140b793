package io.servery.core.lifecycle;

import java.time.Duration;

/// A point of time on the one clock of whoever steps the machine.
///
/// @param nanos as `System.nanoTime` tells them: only differences mean something
public record Moment(long nanos) implements Comparable<Moment> {

    public Moment plus(Duration duration) {
        return new Moment(nanos + duration.toNanos());
    }

    /// How long after the earlier moment this one is; negative if it is before.
    public Duration since(Moment earlier) {
        return Duration.ofNanos(nanos - earlier.nanos);
    }

    /// Whether a deadline of this moment has come.
    public boolean isReached(Moment now) {
        return now.nanos - nanos >= 0;
    }

    public Moment orEarlier(Moment other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /// By the difference, so that the clock may overflow.
    @Override
    public int compareTo(Moment other) {
        return Long.signum(nanos - other.nanos);
    }
}

package io.servery.netty.identity.acme;

import io.servery.core.metric.AcmeSample;
import io.servery.core.reason.Reason;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;

/// What became of attempts to get a certificate, over all sets of names that there were.
///
/// *Owner*: one thread counts, any asks.
final class Attempts {
    private static final double MILLIS_IN_SECOND = 1000;

    private final Map<Reason, AtomicLong> counts = new EnumMap<>(Reason.class);

    Attempts() {
        AcmeSample.REASONS.forEach(reason -> counts.put(reason, new AtomicLong()));
    }

    void ended(Reason reason) {
        AtomicLong count = counts.get(reason);
        if (count == null) {
            throw new IllegalArgumentException("attempt: found the reason " + reason + "; expected one of "
                    + counts.keySet());
        }
        count.incrementAndGet();
    }

    /// @param next when the next attempt begins at the latest
    AcmeSample sample(Optional<Instant> next) {
        Map<Reason, Long> ended = new EnumMap<>(Reason.class);
        counts.forEach((reason, count) -> ended.put(reason, count.get()));
        return new AcmeSample(ended, next.map(at -> OptionalDouble.of(at.toEpochMilli() / MILLIS_IN_SECOND))
                .orElseGet(OptionalDouble::empty));
    }
}

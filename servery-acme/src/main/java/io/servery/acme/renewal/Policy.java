package io.servery.acme.renewal;

import java.time.Duration;
import java.util.Optional;

/// What a configuration says about when to renew.
///
/// @param renewBefore so long before its end a certificate is renewed; absent, the authority suggests when, and if it does
///        not, a third of the lifetime is left
/// @param seed what looks like chance is drawn from it: another one for each service, so that not all of them come to the
///        authority at the same time, and the same over restarts
public record Policy(Optional<Duration> renewBefore, long seed) {
    public Policy {
        if (renewBefore.filter(time -> time.isNegative() || time.isZero()).isPresent()) {
            throw new IllegalArgumentException(
                    "renew before: found " + renewBefore.get() + "; expected a positive time");
        }
    }

    /// A number from 0, included, to 1 that is always the same for the same purpose.
    double chance(String purpose) {
        long mixed = seed;
        for (int i = 0; i < purpose.length(); i++) {
            mixed = mix(mixed + purpose.charAt(i) + 0x9E3779B97F4A7C15L);
        }
        return (mix(mixed) >>> 11) * 0x1p-53;
    }

    private static long mix(long bits) {
        long mixed = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}

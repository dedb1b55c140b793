package io.servery.acme.renewal;

import io.servery.core.tls.Identity;
import java.time.Duration;
import java.time.Instant;

/// From when until when one certificate is valid.
///
/// @param serial which certificate it is, as its issuer numbers it
/// @param from the first moment
/// @param until the first moment after the last
public record Lifetime(String serial, Instant from, Instant until) {
    public Lifetime {
        if (!until.isAfter(from)) {
            throw new IllegalArgumentException("certificate " + serial + ": found " + from + " to " + until
                    + "; expected an end after the begin");
        }
    }

    /// That of an identity, whose whole chain must be valid.
    public static Lifetime of(Identity identity) {
        return new Lifetime(identity.chain().getFirst().getSerialNumber().toString(16), identity.notBefore(),
                identity.notAfter());
    }

    /// Whether it is valid at that moment.
    public boolean covers(Instant moment) {
        return !moment.isBefore(from) && moment.isBefore(until);
    }

    Duration length() {
        return Duration.between(from, until);
    }
}

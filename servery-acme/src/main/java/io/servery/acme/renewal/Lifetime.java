package io.servery.acme.renewal;

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

    public boolean covers(Instant moment) {
        return !moment.isBefore(from) && moment.isBefore(until);
    }

    Duration length() {
        return Duration.between(from, until);
    }
}

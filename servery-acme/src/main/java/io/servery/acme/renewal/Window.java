package io.servery.acme.renewal;

import java.time.Instant;

/// When the authority suggests to renew a certificate (RFC 9773, section 4.2).
///
/// *Invariant*: it ends after it begins; an answer in which it does not is no window.
public record Window(Instant start, Instant end) {
    public Window {
        if (!end.isAfter(start)) {
            throw new IllegalArgumentException("suggested window: found " + start + " to " + end
                    + "; expected an end after the start");
        }
    }
}

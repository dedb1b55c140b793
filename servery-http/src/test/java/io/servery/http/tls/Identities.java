package io.servery.http.tls;

import io.servery.core.tls.AuthoritiesReading;
import io.servery.core.tls.Identity;
import io.servery.core.tls.SelfSigned;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/// Identities that a test makes without any other program.
final class Identities {
    private Identities() {
    }

    static Identity selfSigned(String... hosts) {
        return SelfSigned.make(List.of(hosts), Instant.now(), SelfSigned.LIFETIME_MAX, new SecureRandom());
    }

    static X509Certificate certificate(String pem) {
        return ((AuthoritiesReading.Accepted) AuthoritiesReading.read("ca", "ca.pem", pem)).certificates().getFirst();
    }
}

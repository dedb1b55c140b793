package io.servery.core.tls;

import java.security.KeyPair;

/// What an authority is asked to sign (RFC 2986): names and a key, signed with that key.
public final class CertificateRequest {
    private CertificateRequest() {
    }

    /// The request in DER.
    ///
    /// @param names at least one, none of them with a wildcard
    /// @param keys on P-256
    public static byte[] of(CertificateNames names, KeyPair keys) {
        if (names.isEmpty() || !names.parents().isEmpty()) {
            throw new IllegalArgumentException("names: found " + names.texts() + "; expected hosts");
        }
        return CertificateWriter.request(keys, DerWriter.sequence(CertificateWriter.alternatives(names.texts())));
    }
}

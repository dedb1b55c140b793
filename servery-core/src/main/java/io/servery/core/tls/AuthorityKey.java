package io.servery.core.tls;

import java.security.cert.X509Certificate;
import java.util.Optional;

/// By which of its keys the issuer of a certificate signed it, as the certificate says (RFC 5280 §4.2.1.1).
public final class AuthorityKey {
    private static final String EXTENSION = "2.5.29.35";
    private static final int KEY_IDENTIFIER = 0x80;

    private AuthorityKey() {
    }

    /// The identifier of the key; empty where the certificate does not say.
    public static Optional<byte[]> identifier(X509Certificate certificate) {
        byte[] encoded = certificate.getExtensionValue(EXTENSION);
        if (encoded == null) {
            return Optional.empty();
        }
        try {
            DerReader value = DerReader.ofExtension(encoded);
            return value.is(KEY_IDENTIFIER) ? Optional.of(value.content(KEY_IDENTIFIER)) : Optional.empty();
        } catch (Unusable malformed) {
            return Optional.empty();
        }
    }
}

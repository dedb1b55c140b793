package io.servery.core.tls;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// The identity that answers a challenge of TLS-ALPN-01 (RFC 8737 §3): self-signed, for one name, with the digest of the key
/// authorization in a critical extension.
public final class AlpnIdentity {
    /// id-pe-acmeIdentifier (RFC 8737 §6.1).
    private static final String ACME_IDENTIFIER = "1.3.6.1.5.5.7.1.31";
    private static final Duration LIFETIME = Duration.ofDays(1);

    private AlpnIdentity() {
    }

    /// A new identity.
    ///
    /// @param host a DNS name or an address
    /// @param keyAuthorization in ASCII
    public static Identity make(String host, String keyAuthorization, Instant now, SecureRandom random) {
        CertificateNames names = CertificateNames.of(List.of(host));
        if (names.isEmpty() || !names.parents().isEmpty()) {
            throw new IllegalArgumentException("host: found \"" + host + "\"; expected a name or an address");
        }
        KeyPair keys = KeyPairs.make(random);
        byte[] extensions = DerWriter.sequence(CertificateWriter.alternatives(names.texts()),
                CertificateWriter.critical(ACME_IDENTIFIER, DerWriter.octets(digest(keyAuthorization))));
        byte[] certificate = CertificateWriter.certificate(keys, new CertificateWriter.Content("acme.invalid",
                BigInteger.valueOf(now.toEpochMilli()), now.minus(LIFETIME), now.plus(LIFETIME), extensions));
        return Identity.of(PemText.write("CERTIFICATE", certificate),
                PemText.write("PRIVATE KEY", keys.getPrivate().getEncoded()));
    }

    private static byte[] digest(String keyAuthorization) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(keyAuthorization.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

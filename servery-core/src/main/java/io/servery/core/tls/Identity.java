package io.servery.core.tls;

import io.servery.core.config.Secret;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A certificate chain and the private key of its first certificate.
///
/// *Invariant*: the key belongs to the certificate, the chain is in order and the certificate names a host. Whether it is
/// valid now is a question of the time: [IdentityReader] asks it once, `notAfter` says when the answer changes.
///
/// *Not here*: what it is called in the configuration.
public final class Identity {
    private final List<X509Certificate> chain;
    private final PrivateKey key;
    private final CertificateNames names;

    Identity(List<X509Certificate> chain, PrivateKey key, CertificateNames names) {
        this.chain = List.copyOf(chain);
        this.key = key;
        this.names = names;
    }

    /// The identity that `certificates` and `key` of another process wrote; its reader judged it.
    ///
    /// @throws IllegalArgumentException when they are not what those methods write
    public static Identity of(String certificates, String key) {
        try {
            List<X509Certificate> chain = CertificateReader.read(PemText.read(certificates));
            return new Identity(chain, PrivateKeyReader.read(PemText.read(key), Optional.<Secret>empty()),
                    CertificateNames.of(chain.getFirst()));
        } catch (Unusable unusable) {
            throw new IllegalArgumentException(unusable.sentence(), unusable);
        } catch (CertificateParsingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /// The certificates, that of the server first.
    public List<X509Certificate> chain() {
        return chain;
    }

    public PrivateKey key() {
        return key;
    }

    /// The hosts that the certificate stands for.
    public CertificateNames names() {
        return names;
    }

    /// Who signed the certificate, as it says.
    public String issuer() {
        return Shown.name(chain.getFirst().getIssuerX500Principal());
    }

    /// From when on the whole chain is valid.
    public Instant notBefore() {
        return ChainJudge.dated(chain).stream().map(certificate -> certificate.getNotBefore().toInstant())
                .max(Instant::compareTo).orElseThrow();
    }

    /// Until when the whole chain is valid.
    public Instant notAfter() {
        return ChainJudge.dated(chain).stream().map(certificate -> certificate.getNotAfter().toInstant())
                .min(Instant::compareTo).orElseThrow();
    }

    /// The chain in PEM.
    public String certificatesPem() {
        return certificatesPem(chain);
    }

    /// Certificates in PEM, one after the other.
    public static String certificatesPem(List<X509Certificate> certificates) {
        return certificates.stream().map(certificate -> {
            try {
                return PemText.write("CERTIFICATE", certificate.getEncoded());
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException(e);
            }
        }).collect(Collectors.joining());
    }

    /// The key in PEM, not encrypted: for a private channel or a private file.
    public String keyPem() {
        return PemText.write("PRIVATE KEY", key.getEncoded());
    }

    /// Identities are equal when they show the same chain with the same key.
    @Override
    public boolean equals(Object other) {
        return other == this || other instanceof Identity that && chain.equals(that.chain)
                && Arrays.equals(key.getEncoded(), that.key.getEncoded());
    }

    @Override
    public int hashCode() {
        return chain.hashCode();
    }

    @Override
    public String toString() {
        return "Identity[" + names + ", until " + notAfter() + "]";
    }
}

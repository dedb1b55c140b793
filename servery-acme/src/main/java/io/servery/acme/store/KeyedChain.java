package io.servery.acme.store;

import io.servery.acme.renewal.Lifetime;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/// A certificate with its chain and its key: one thing, kept, handed over and replaced as one.
///
/// @param chain the certificate, then each issuer after the one it issued
public record KeyedChain(List<X509Certificate> chain, PrivateKey key) {
    public KeyedChain {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("chain: found none; expected a certificate");
        }
    }

    public X509Certificate certificate() {
        return chain.getFirst();
    }

    public Lifetime lifetime() {
        return new Lifetime(certificate().getSerialNumber().toString(16), certificate().getNotBefore().toInstant(),
                certificate().getNotAfter().toInstant());
    }

    /// The chain as PEM, in its order.
    public String chainPem() {
        return Pem.of(chain);
    }

    /// The key as PEM, PKCS#8 without a password.
    public String keyPem() {
        return Pem.of(key);
    }

    /// Never the key.
    @Override
    public String toString() {
        return "KeyedChain[" + certificate().getSubjectX500Principal() + ", serial "
                + certificate().getSerialNumber().toString(16) + ", " + chain.size() + " certificates]";
    }

    static final RecordFile.Codec<KeyedChain> CODEC = new RecordFile.Codec<>() {
        @Override
        public String encode(KeyedChain value) {
            return value.chainPem() + value.keyPem();
        }

        @Override
        public KeyedChain decode(String body) throws DamageException {
            return new KeyedChain(Pem.chain(body), Pem.privateKey(body));
        }
    };
}

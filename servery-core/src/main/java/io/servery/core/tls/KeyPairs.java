package io.servery.core.tls;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;
import java.util.Optional;

/// Pairs of keys on P-256, which every client and every authority takes: made, and as text.
public final class KeyPairs {
    private static final String OPEN = "PUBLIC KEY";
    private static final String SECRET = "PRIVATE KEY";
    private static final String ALGORITHM = "EC";

    private KeyPairs() {
    }

    /// A new pair. It takes less than a millisecond.
    public static KeyPair make(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has P-256", e);
        }
    }

    /// Both keys in PEM, the secret one not encrypted: for a private file.
    public static String pem(KeyPair keys) {
        return PemText.write(SECRET, keys.getPrivate().getEncoded())
                + PemText.write(OPEN, keys.getPublic().getEncoded());
    }

    /// What `pem` wrote. What stands before the first block is passed over.
    ///
    /// @throws IllegalArgumentException where it is something else
    public static KeyPair of(String pem) {
        try {
            List<PemBlock> blocks = PemText.read(pem);
            byte[] open = blocks.stream().filter(block -> block.label().equals(OPEN)).findFirst()
                    .orElseThrow(() -> new Unusable(Unusable.NO_LINE, "no " + OPEN, "one")).content();
            PublicKey key = KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(open));
            KeyPair keys = new KeyPair(key, PrivateKeyReader.read(blocks, Optional.empty()));
            if (!KeyKind.EC.belong(keys.getPrivate(), keys.getPublic())) {
                throw new Unusable(Unusable.NO_LINE, "two keys that do not belong together", "a pair");
            }
            return keys;
        } catch (Unusable unusable) {
            throw new IllegalArgumentException(unusable.sentence(), unusable);
        } catch (GeneralSecurityException unreadable) {
            throw new IllegalArgumentException("found a public key that cannot be read; expected one on P-256",
                    unreadable);
        }
    }
}

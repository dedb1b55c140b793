package io.servery.acme.order;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;

/// New keys: P-256, which every authority and every client takes.
final class Keys {
    private Keys() {
    }

    static KeyPair make() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError("every Java platform has P-256", impossible);
        }
    }
}

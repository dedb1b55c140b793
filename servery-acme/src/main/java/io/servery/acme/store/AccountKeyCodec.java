package io.servery.acme.store;

import java.security.KeyPair;

/// The key of an account, as text.
final class AccountKeyCodec implements RecordFile.Codec<KeyPair> {

    @Override
    public String encode(KeyPair key) {
        return Pem.of(key);
    }

    @Override
    public KeyPair decode(String body) throws DamageException {
        return Pem.keyPair(body);
    }
}

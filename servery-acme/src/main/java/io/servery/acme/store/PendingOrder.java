package io.servery.acme.store;

import io.servery.core.tls.KeyPairs;
import java.net.URI;
import java.security.KeyPair;

/// An order that the authority knows and that has not brought its certificate yet: after a restart it is taken up again.
///
/// @param location its URL at the authority
/// @param key of the certificate that it asks for
public record PendingOrder(URI location, KeyPair key) {

    /// Never the key.
    @Override
    public String toString() {
        return "PendingOrder[" + location + "]";
    }

    static final RecordFile.Codec<PendingOrder> CODEC = new RecordFile.Codec<>() {
        @Override
        public String encode(PendingOrder value) {
            return "location " + value.location + "\n" + KeyPairs.pem(value.key);
        }

        @Override
        public PendingOrder decode(String body) throws DamageException {
            try {
                return new PendingOrder(URI.create(Fields.of(body).required("location")), KeyPairs.of(body));
            } catch (IllegalArgumentException unreadable) {
                throw new DamageException(
                        "location and key: found " + unreadable.getMessage() + "; expected a URL and a key");
            }
        }
    };
}

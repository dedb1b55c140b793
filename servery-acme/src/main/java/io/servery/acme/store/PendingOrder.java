package io.servery.acme.store;

import io.servery.core.tls.KeyPairs;
import java.net.URI;
import java.security.KeyPair;
import java.util.Optional;

/// An order that the authority knows and that has not brought its certificate yet: after a restart it is taken up again.
///
/// @param location its URL at the authority
/// @param profile that it was asked for in
/// @param failures attempts with it that ended without a word of the authority about it
/// @param key of the certificate that it asks for
public record PendingOrder(URI location, Optional<String> profile, int failures, KeyPair key) {

    /// One that was placed just now.
    public static PendingOrder placed(URI location, Optional<String> profile, KeyPair key) {
        return new PendingOrder(location, profile, 0, key);
    }

    /// After one more attempt with it that came to nothing.
    public PendingOrder failed() {
        return new PendingOrder(location, profile, failures + 1, key);
    }

    /// Never the key.
    @Override
    public String toString() {
        return "PendingOrder[" + location + "]";
    }

    static final RecordFile.Codec<PendingOrder> CODEC = new RecordFile.Codec<>() {
        @Override
        public String encode(PendingOrder value) {
            return "location " + value.location + "\nfailures " + value.failures + "\n"
                    + value.profile.map(name -> "profile " + name + "\n").orElse("") + KeyPairs.pem(value.key);
        }

        @Override
        public PendingOrder decode(String body) throws DamageException {
            Fields fields = Fields.of(body);
            try {
                // Builds before did not count them.
                int failures = fields.text("failures").isEmpty() ? 0 : fields.number("failures");
                return new PendingOrder(URI.create(fields.required("location")), fields.text("profile"), failures,
                        KeyPairs.of(body));
            } catch (IllegalArgumentException unreadable) {
                throw new DamageException(
                        "location and key: found " + unreadable.getMessage() + "; expected a URL and a key");
            }
        }
    };
}

package io.servery.acme.store;

import io.servery.core.tls.KeyPairs;
import java.security.KeyPair;
import java.util.Optional;

/// An account at an authority, and what the authority is known to have been told of it.
///
/// @param told whether it was told of the account at all since the key was made
/// @param email that it was told last
public record KeptAccount(KeyPair key, boolean told, Optional<String> email) {

    /// One that no authority has heard of.
    public static KeptAccount untold(KeyPair key) {
        return new KeptAccount(key, false, Optional.empty());
    }

    /// Whether the authority knows this address, or that there is none.
    public boolean knows(Optional<String> address) {
        return told && email.equals(address);
    }

    /// Never the key.
    @Override
    public String toString() {
        return "KeptAccount[" + told + ", " + email + "]";
    }

    static final RecordFile.Codec<KeptAccount> CODEC = new RecordFile.Codec<>() {
        @Override
        public String encode(KeptAccount value) {
            return (value.told ? "told\n" : "") + value.email.map(address -> "email " + address + "\n").orElse("")
                    + KeyPairs.pem(value.key);
        }

        @Override
        public KeptAccount decode(String body) throws DamageException {
            Fields fields = Fields.of(body);
            try {
                return new KeptAccount(KeyPairs.of(body), fields.text("told").isPresent(), fields.text("email"));
            } catch (IllegalArgumentException unreadable) {
                throw new DamageException(String.valueOf(unreadable.getMessage()));
            }
        }
    };
}

package io.servery.acme;

import io.servery.core.config.Secret;
import io.servery.core.config.Tls;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/// `[tls.acme]` as tests have it.
public final class Configured {
    private Configured() {
    }

    /// Everything as it is where nothing is written, but for the terms, which are accepted.
    public static Tls.Acme at(URI directory, String... names) {
        return new Tls.Acme(List.of(names), Optional.of("admin@example.com"), directory, Optional.empty(),
                Tls.AcmeChallenge.HTTP_01, Optional.empty(), Optional.empty(), true, Optional.empty());
    }

    public static Tls.Acme by(Tls.AcmeChallenge challenge, Tls.Acme plain) {
        return new Tls.Acme(plain.domains(), plain.email(), plain.directory(), plain.directoryCaFile(), challenge,
                plain.profile(), plain.renewBefore(), true, plain.externalAccount());
    }

    public static Tls.Acme of(Optional<String> email, Tls.Acme plain) {
        return new Tls.Acme(plain.domains(), email, plain.directory(), plain.directoryCaFile(), plain.challenge(),
                plain.profile(), plain.renewBefore(), true, plain.externalAccount());
    }

    public static Tls.Acme inProfile(Optional<String> profile, Tls.Acme plain) {
        return new Tls.Acme(plain.domains(), plain.email(), plain.directory(), plain.directoryCaFile(),
                plain.challenge(), profile, plain.renewBefore(), true, plain.externalAccount());
    }

    public static Tls.Acme bound(String keyId, String hmacKey, Tls.Acme plain) {
        return new Tls.Acme(plain.domains(), plain.email(), plain.directory(), plain.directoryCaFile(),
                plain.challenge(), plain.profile(), plain.renewBefore(), true,
                Optional.of(new Tls.ExternalAccount(keyId,
                        new Secret(hmacKey, new Secret.Reference.InEnvironment("HMAC")))));
    }

    public static Tls.Acme withoutTerms(Tls.Acme plain) {
        return new Tls.Acme(plain.domains(), plain.email(), plain.directory(), plain.directoryCaFile(),
                plain.challenge(), plain.profile(), plain.renewBefore(), false, plain.externalAccount());
    }
}

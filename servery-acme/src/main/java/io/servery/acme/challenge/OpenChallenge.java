package io.servery.acme.challenge;

import io.servery.core.config.Tls;
import io.servery.core.control.Challenges;
import io.servery.core.tls.AlpnIdentity;
import io.servery.core.tls.Identity;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;

/// What an authority wants to see for one name.
///
/// @param keyAuthorization the token of the challenge, a dot and the thumbprint of the account key (RFC 8555, section 8.1)
public record OpenChallenge(Name name, String keyAuthorization) {

    /// What workers answer with.
    ///
    /// @throws IllegalArgumentException if the authority gave a token that is none, or one twice
    public static Challenges answers(Tls.AcmeChallenge kind, List<OpenChallenge> open, Instant now) {
        return switch (kind) {
            case HTTP_01 -> new Challenges(open.stream().map(OpenChallenge::http).toList(), List.of());
            case TLS_ALPN_01 -> new Challenges(List.of(), open.stream().map(one -> one.alpn(now)).toList());
        };
    }

    private Challenges.Http http() {
        int dot = keyAuthorization.indexOf('.');
        return new Challenges.Http(keyAuthorization.substring(0, Math.max(0, dot)), keyAuthorization);
    }

    private Challenges.Alpn alpn(Instant now) {
        Identity identity = AlpnIdentity.make(name.text(), keyAuthorization, now, new SecureRandom());
        return new Challenges.Alpn(name.serverName(), identity.certificatesPem(), identity.keyPem());
    }
}

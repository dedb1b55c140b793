package io.servery.acme.challenge;

import io.servery.core.tls.AlpnIdentity;
import java.security.SecureRandom;
import java.time.Instant;

/// Makes the answer to one challenge.
public final class ChallengeResponses {
    private ChallengeResponses() {
    }

    /// What workers answer with.
    ///
    /// @param keyAuthorization the token of the challenge, a dot and the thumbprint of the account key (RFC 8555, section 8.1)
    /// @throws IllegalArgumentException if the authority gave a token that is none
    public static ChallengeResponse of(ChallengeKind kind, Name name, String keyAuthorization, Instant now) {
        return switch (kind) {
            case HTTP_01 -> new ChallengeResponse.Http01(
                    keyAuthorization.substring(0, Math.max(0, keyAuthorization.indexOf('.'))), keyAuthorization);
            case TLS_ALPN_01 -> new ChallengeResponse.TlsAlpn01(name.serverName(),
                    AlpnIdentity.make(name.text(), keyAuthorization, now, new SecureRandom()));
        };
    }
}

package io.servery.acme.challenge;

import io.servery.core.tls.Identity;
import java.util.regex.Pattern;

/// What every worker answers with for as long as a challenge stands.
public sealed interface ChallengeResponse {

    /// An answer to `GET /.well-known/acme-challenge/TOKEN` on port 80, whatever the host: status 200, content type
    /// `application/octet-stream`, and the key authorization as its content (RFC 8555, section 8.3).
    ///
    /// @param token of the path: base64url, so it is a file name without a dot
    /// @param keyAuthorization ASCII
    record Http01(String token, String keyAuthorization) implements ChallengeResponse {
        /// What the path begins with.
        public static final String PATH = "/.well-known/acme-challenge/";

        private static final int TOKEN_CHARS_MAX = 256;
        private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{1," + TOKEN_CHARS_MAX + "}");

        public Http01 {
            if (!TOKEN.matcher(token).matches()) {
                throw new IllegalArgumentException("token: found " + token.length() + " characters; expected 1 to "
                        + TOKEN_CHARS_MAX + " of base64url");
            }
            if (!keyAuthorization.startsWith(token + ".")) {
                throw new IllegalArgumentException("key authorization: found one of another token; expected one of "
                        + token);
            }
        }
    }

    /// A handshake on port 443 whose only protocol is `acme-tls/1`, for this server name: this certificate, this protocol, and
    /// the connection is closed after it (RFC 8737, section 3).
    ///
    /// @param serverName as it comes in SNI: the name, in lower case, or the reverse name of an IP address (RFC 8738, section 6)
    record TlsAlpn01(String serverName, Identity identity) implements ChallengeResponse {
        /// The protocol (RFC 8737, section 6.2).
        public static final String PROTOCOL = "acme-tls/1";
    }
}

package io.servery.core.control;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Everything that a certificate authority may ask for while it validates: the whole set that stands, never a part of one.
///
/// @param http answers over plain HTTP; no token twice
/// @param alpn answers to handshakes; no server name twice
public record Challenges(List<Http> http, List<Alpn> alpn) {
    /// Nothing is answered.
    public static final Challenges NONE = new Challenges(List.of(), List.of());

    public Challenges {
        http = List.copyOf(http);
        alpn = List.copyOf(alpn);
        Bounds.require("challenges", http.size() + alpn.size(), 0, Bounds.CHALLENGES_MAX);
        Bounds.require("distinct tokens", distinct(http.stream().map(Http::token)), http.size(), http.size());
        Bounds.require("distinct server names", distinct(alpn.stream().map(Alpn::serverName)), alpn.size(),
                alpn.size());
        Bounds.require("bytes of all challenges", bytes(alpn), 0, Bounds.IDENTIFY_BYTES_MAX);
    }

    public boolean isEmpty() {
        return http.isEmpty() && alpn.isEmpty();
    }

    /// What they take in a frame, at least; the others are small.
    static long bytes(List<Alpn> alpn) {
        return alpn.stream().mapToLong(one -> (long) one.certificate().length() + one.key().length()).sum();
    }

    static int distinct(Stream<String> texts) {
        Set<String> seen = new HashSet<>();
        texts.forEach(seen::add);
        return seen.size();
    }

    /// HTTP-01 (RFC 8555 §8.3): what `/.well-known/acme-challenge/TOKEN` answers.
    ///
    /// @param token of the base64url alphabet, so that it stands for itself in a path
    /// @param keyAuthorization the token, a dot and the thumbprint of the account's key (§8.1)
    public record Http(String token, String keyAuthorization) {
        public Http {
            Bounds.require("token", token.length(), 1, Bounds.CHALLENGE_TOKEN_BYTES_MAX);
            Bounds.require("key authorization", keyAuthorization.length(), 1, Bounds.KEY_AUTHORIZATION_BYTES_MAX);
            if (!isToken(token) || !isOf(token, keyAuthorization)) {
                throw new IllegalArgumentException("control: token, key authorization: found other characters; expected"
                        + " base64url, and base64url after the token and a dot");
            }
        }

        static boolean isOf(String token, String keyAuthorization) {
            return keyAuthorization.startsWith(token + '.')
                    && isToken(keyAuthorization.substring(token.length() + 1));
        }

        /// Whether this is at least one character of base64url (RFC 4648 §5), without padding.
        static boolean isToken(String text) {
            return !text.isEmpty() && text.chars().allMatch(c -> c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
                    || c >= '0' && c <= '9' || c == '-' || c == '_');
        }
    }

    /// TLS-ALPN-01 (RFC 8737 §3): the certificate for a handshake that asks for this name and offers `acme-tls/1` alone.
    ///
    /// @param serverName as it comes in SNI: a DNS name in lower case; of an address its reverse name (RFC 8738 §6)
    /// @param certificate in PEM
    /// @param key in PEM, not encrypted
    public record Alpn(String serverName, String certificate, String key) {
        public Alpn {
            Bounds.requireText("server name", serverName, Bounds.NAME_BYTES_MAX);
            Bounds.requireText("certificates", certificate, Bounds.CHALLENGE_CERTIFICATE_BYTES_MAX);
            Bounds.requireText("key", key, Bounds.PRIVATE_KEY_BYTES_MAX);
        }

        @Override
        public String toString() {
            return "Alpn[serverName=" + serverName + ", key=<redacted>]";
        }
    }
}

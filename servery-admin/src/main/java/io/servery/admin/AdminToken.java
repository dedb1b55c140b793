package io.servery.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The secret that a caller of a protected admin listener presents; kept as its digest, so that it cannot be printed
/// and a comparison takes the same time whatever the length of what was presented.
public final class AdminToken {
    private final byte[] digest;

    private AdminToken(byte[] digest) {
        this.digest = digest;
    }

    /// The token with this text.
    ///
    /// @throws IllegalArgumentException when it could not travel in a field: empty, or other than visible ASCII
    public static AdminToken of(String secret) {
        if (secret.isEmpty() || !secret.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(
                    "metrics.token: found an empty text or a character that is not visible ASCII; expected visible ASCII");
        }
        return new AdminToken(sha256(secret));
    }

    boolean matches(String presented) {
        return MessageDigest.isEqual(digest, sha256(presented));
    }

    @Override
    public String toString() {
        return "<redacted>";
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

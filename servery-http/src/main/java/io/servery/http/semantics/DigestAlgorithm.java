package io.servery.http.semantics;

import java.util.Base64;

/// The hash algorithms of digest fields that are served: those of the registry without known weakness (RFC 9530 §5).
///
/// Between equals the first is chosen.
public enum DigestAlgorithm {
    SHA_256("sha-256"),
    SHA_512("sha-512");

    private static final DigestAlgorithm[] ALL = values();

    private final String key;

    DigestAlgorithm(String key) {
        this.key = key;
    }

    /// The key of the registry.
    public String key() {
        return key;
    }

    /// The value of a Repr-Digest or Content-Digest field with this digest alone: a Dictionary of one Byte Sequence
    /// (RFC 9530 §2 and §3, RFC 9651 §4.1.2 and §4.1.8).
    public String field(byte[] digest) {
        return key + "=:" + Base64.getEncoder().encodeToString(digest) + ':';
    }

    /// How many algorithms there are: one more than the greatest ordinal.
    public static int total() {
        return ALL.length;
    }

    /// The algorithm with this ordinal.
    public static DigestAlgorithm at(int ordinal) {
        return ALL[ordinal];
    }
}

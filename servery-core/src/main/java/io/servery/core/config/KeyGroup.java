package io.servery.core.config;

/// The groups in which keys are agreed (RFC 8446 §4.2.7).
public enum KeyGroup implements Choice {
    /// X25519 with ML-KEM-768, which stays secret when one of the two is broken.
    X25519_MLKEM768("X25519MLKEM768"),
    X25519("X25519"),
    P_256("P-256"),
    P_384("P-384"),
    P_521("P-521");

    private final String word;

    KeyGroup(String word) {
        this.word = word;
    }

    /// How the configuration and BoringSSL write it.
    @Override
    public String word() {
        return word;
    }
}

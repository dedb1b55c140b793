package io.servery.acme.challenge;

/// How control of a name is proved.
public enum ChallengeKind {
    HTTP_01("http-01"),
    TLS_ALPN_01("tls-alpn-01");

    private final String word;

    ChallengeKind(String word) {
        this.word = word;
    }

    /// The word of RFC 8555 and RFC 8737, and of the configuration.
    public String word() {
        return word;
    }
}

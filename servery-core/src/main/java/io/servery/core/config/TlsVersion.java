package io.servery.core.config;

/// The versions of TLS that are spoken.
public enum TlsVersion implements Choice {
    /// RFC 5246, with authenticated ciphers and ephemeral keys alone.
    TLS_1_2("1.2", "TLSv1.2"),
    /// RFC 8446.
    TLS_1_3("1.3", "TLSv1.3");

    private final String word;
    private final String protocol;

    TlsVersion(String word, String protocol) {
        this.word = word;
        this.protocol = protocol;
    }

    /// How the configuration and the metrics write it.
    @Override
    public String word() {
        return word;
    }

    /// How Java's TLS writes it.
    public String protocol() {
        return protocol;
    }
}

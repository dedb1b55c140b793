package io.servery.core.metric;

/// The version of TLS that a handshake led to, or of one that failed the newest that its client offered of these: the label
/// `version`.
public enum HandshakeVersion implements MetricLabel {
    /// It failed, and the client offered neither, or nothing that could be read.
    NONE("none"),
    TLS_1_2("1.2"),
    TLS_1_3("1.3");

    private final String label;

    HandshakeVersion(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }
}

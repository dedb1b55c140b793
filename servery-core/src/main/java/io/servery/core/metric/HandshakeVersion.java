package io.servery.core.metric;

/// The version of TLS that a handshake led to: the label `version`.
public enum HandshakeVersion implements MetricLabel {
    /// It failed, before or after one was agreed on.
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

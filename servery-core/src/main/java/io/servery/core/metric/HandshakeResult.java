package io.servery.core.metric;

/// How a handshake ended: the label `result` of `servery_tls_handshakes_total`.
public enum HandshakeResult implements MetricLabel {
    SUCCESS,
    FAILURE
}

package io.servery.core.metric;

/// What carried a request or a connection: the label `transport`.
public enum Transport implements MetricLabel {
    H1,
    H2,
    H3,
    WEBSOCKET,
    TFTP
}

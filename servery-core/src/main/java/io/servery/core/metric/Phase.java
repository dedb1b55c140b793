package io.servery.core.metric;

/// Which deadline passed: the label `phase`.
public enum Phase implements MetricLabel {
    HANDSHAKE,
    HEAD,
    BODY,
    WRITE,
    KEEPALIVE,
    DRAIN
}

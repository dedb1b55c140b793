package io.servery.core.metric;

/// Whether a handshake went on with a session of before: the label `resumed`.
public enum Resumed implements MetricLabel {
    YES,
    NO;

    public static Resumed of(boolean resumed) {
        return resumed ? YES : NO;
    }
}

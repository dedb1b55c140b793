package io.servery.core.metric;

/// What a method asks for: `safe` reads (RFC 9110 §9.2.1), `write` changes state, `other` is everything else, known or not.
public enum MethodClass implements MetricLabel {
    SAFE,
    WRITE,
    OTHER
}

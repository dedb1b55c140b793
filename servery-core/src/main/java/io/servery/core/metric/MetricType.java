package io.servery.core.metric;

/// How a metric behaves: a counter only rises, a gauge goes both ways, a histogram and a summary count and add up.
public enum MetricType implements MetricLabel {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    SUMMARY
}

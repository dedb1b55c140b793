package io.servery.core.metric;

/// Where a log record was bound for: the label `sink`.
public enum LogSink implements MetricLabel {
    ACCESS,
    EVENT
}

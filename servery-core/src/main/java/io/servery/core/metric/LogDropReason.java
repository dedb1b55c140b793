package io.servery.core.metric;

/// Why a log record was dropped: its queue was full, it was one too many of its kind, or it could not be written.
public enum LogDropReason implements MetricLabel {
    QUEUE_CAPACITY,
    RATE_LIMIT,
    WRITE_FAILURE
}

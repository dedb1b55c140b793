package io.servery.core.metric;

/// A bounded queue of a worker: the label `queue`.
public enum QueueName implements MetricLabel {
    FILESYSTEM,
    COMPUTE,
    STREAM,
    APPLICATION,
    ACCESS_LOG
}

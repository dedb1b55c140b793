package io.servery.core.metric;

/// Whose process is measured: the label `role`.
public enum ProcessRole implements MetricLabel {
    PARENT,
    WORKER
}

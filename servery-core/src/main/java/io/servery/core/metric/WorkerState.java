package io.servery.core.metric;

/// What a slot of the fleet is to whoever watches it: the label `state`.
public enum WorkerState implements MetricLabel {
    STARTING,
    READY,
    DRAINING,
    /// Given up.
    FAILED
}

package io.servery.core.metric;

/// What became of a reload or rollback: the label `result` of reloads.
public enum ReloadResult implements MetricLabel {
    SUCCESS,
    FAILURE,
    ROLLED_BACK
}

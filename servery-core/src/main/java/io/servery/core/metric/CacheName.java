package io.servery.core.metric;

/// A bounded cache of a worker: the label `cache`.
public enum CacheName implements MetricLabel {
    FILE,
    COMPRESSION,
    DIGEST
}

package io.servery.core.metric;

/// What came of one cache operation: the label `result` of `servery_cache_operations_total`.
public enum CacheResult implements MetricLabel {
    HIT,
    MISS,
    EVICTED,
    REJECTED
}

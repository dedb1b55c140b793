package io.servery.core.metric;

/// What kind of work answered a request: the label `work_class`.
public enum WorkClass implements MetricLabel {
    STATIC_SMALL,
    STATIC_STREAM,
    APPLICATION,
    PROXY,
    UPLOAD,
    LISTING,
    ARCHIVE,
    WEBSOCKET
}

package io.servery.core.metric;

import java.util.List;

/// The versions of what runs: the labels of `servery_build_info`.
public record BuildInfo(String version, String java, String netty) {
    public MetricFamily family() {
        return new MetricFamily(MetricName.SERVERY_BUILD_INFO,
                List.of(new MetricSeries.Value(List.of(version, java, netty), 1)));
    }
}

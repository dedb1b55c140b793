package io.servery.core.metric;

import java.util.List;

/// All series of one metric, ready to be exposed: each with a value for every label of the metric, in its order.
public record MetricFamily(MetricName metric, List<MetricSeries> series) {
    public MetricFamily {
        series = List.copyOf(series);
        for (MetricSeries one : series) {
            if (one.labelValues().size() != metric.labels().size()) {
                throw new IllegalArgumentException("metric: " + metric.exposedName() + ": found labels "
                        + one.labelValues() + "; expected values for " + metric.labels());
            }
        }
    }
}

package io.servery.core.metric;

import java.util.List;

/// One series of a metric: the values of its labels, and what was measured.
public sealed interface MetricSeries {
    List<String> labelValues();

    /// A counter or a gauge.
    record Value(List<String> labelValues, double value) implements MetricSeries {
        public Value {
            labelValues = List.copyOf(labelValues);
        }
    }

    /// A histogram: how many fell into each bucket (not cumulative) and their sum. The bounds are inclusive; the one
    /// bucket more than there are bounds is unbounded.
    record Histogram(List<String> labelValues, List<Double> bounds, List<Long> bucketCounts, double sum)
            implements
                MetricSeries {
        public Histogram {
            labelValues = List.copyOf(labelValues);
            bounds = List.copyOf(bounds);
            bucketCounts = List.copyOf(bucketCounts);
        }
    }

    /// A summary without quantiles: how many and their sum.
    record Summary(List<String> labelValues, long count, double sum) implements MetricSeries {
        public Summary {
            labelValues = List.copyOf(labelValues);
        }
    }
}

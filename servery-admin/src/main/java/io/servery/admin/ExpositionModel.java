package io.servery.admin;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import io.servery.core.metric.MetricFamily;
import io.servery.core.metric.MetricName;
import io.servery.core.metric.MetricSeries;
import java.util.List;

/// Our families as the exposition library's snapshots.
final class ExpositionModel {
    private static final String TOTAL = "_total";
    private static final String INFO = "_info";

    private ExpositionModel() {
    }

    static MetricSnapshots of(List<MetricFamily> families) {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        families.forEach(family -> all.metricSnapshot(snapshot(family)));
        return all.build();
    }

    private static MetricSnapshot snapshot(MetricFamily family) {
        return switch (family.metric().type()) {
            case COUNTER -> counter(family);
            case GAUGE -> family.metric().exposedName().endsWith(INFO) ? info(family) : gauge(family);
            case HISTOGRAM -> histogram(family);
            case SUMMARY -> summary(family);
        };
    }

    /// Named without `_total`, which the formats add each in its way.
    private static MetricSnapshot counter(MetricFamily family) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name(stem(family.metric(), TOTAL))
                .help(family.metric().help());
        for (MetricSeries one : family.series()) {
            counter.dataPoint(
                    CounterDataPointSnapshot.builder().labels(labels(family, one)).value(value(one)).build());
        }
        return counter.build();
    }

    private static MetricSnapshot gauge(MetricFamily family) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(family.metric().exposedName())
                .help(family.metric().help());
        for (MetricSeries one : family.series()) {
            gauge.dataPoint(GaugeDataPointSnapshot.builder().labels(labels(family, one)).value(value(one)).build());
        }
        return gauge.build();
    }

    /// A gauge in Prometheus text, an info in OpenMetrics; always 1.
    private static MetricSnapshot info(MetricFamily family) {
        InfoSnapshot.Builder info = InfoSnapshot.builder().name(stem(family.metric(), INFO))
                .help(family.metric().help());
        for (MetricSeries one : family.series()) {
            info.dataPoint(InfoDataPointSnapshot.builder().labels(labels(family, one)).build());
        }
        return info.build();
    }

    private static MetricSnapshot histogram(MetricFamily family) {
        HistogramSnapshot.Builder histogram = HistogramSnapshot.builder().name(family.metric().exposedName())
                .help(family.metric().help());
        for (MetricSeries one : family.series()) {
            if (!(one instanceof MetricSeries.Histogram(var _, var bounds, var counts, var sum))) {
                throw mismatch(family, one);
            }
            ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
            for (int i = 0; i < counts.size(); i++) {
                buckets.bucket(i < bounds.size() ? bounds.get(i) : Double.POSITIVE_INFINITY, counts.get(i));
            }
            histogram.dataPoint(HistogramDataPointSnapshot.builder()
                    .labels(labels(family, one))
                    .classicHistogramBuckets(buckets.build())
                    .sum(sum)
                    .build());
        }
        return histogram.build();
    }

    private static MetricSnapshot summary(MetricFamily family) {
        SummarySnapshot.Builder summary = SummarySnapshot.builder().name(family.metric().exposedName())
                .help(family.metric().help());
        for (MetricSeries one : family.series()) {
            if (!(one instanceof MetricSeries.Summary(var _, var count, var sum))) {
                throw mismatch(family, one);
            }
            summary.dataPoint(
                    SummaryDataPointSnapshot.builder().labels(labels(family, one)).count(count).sum(sum).build());
        }
        return summary.build();
    }

    private static double value(MetricSeries series) {
        return switch (series) {
            case MetricSeries.Value(var _, var value) -> value;
            case MetricSeries.Histogram _,MetricSeries.Summary _ ->
                throw new IllegalArgumentException("metric: found a distribution; expected one value");
        };
    }

    private static Labels labels(MetricFamily family, MetricSeries one) {
        return Labels.of(family.metric().labels(), one.labelValues());
    }

    private static String stem(MetricName metric, String suffix) {
        String name = metric.exposedName();
        return name.substring(0, name.length() - suffix.length());
    }

    private static IllegalArgumentException mismatch(MetricFamily family, MetricSeries one) {
        return new IllegalArgumentException(
                "metric: " + family.metric().exposedName() + ": found " + one + "; expected its type");
    }
}

package io.servery.core.metric;

import io.servery.core.reason.Reason;
import java.util.Arrays;
import java.util.List;

/// The series of the fleet, which the parent alone has: each exists from the start.
public final class FleetFamilies {
    private FleetFamilies() {
    }

    public static List<MetricFamily> of(FleetSample sample) {
        return List.of(
                new MetricFamily(MetricName.SERVERY_WORKERS, Arrays.stream(WorkerState.values())
                        .map(state -> value(state.label(), sample.workers().getOrDefault(state, 0L))).toList()),
                single(MetricName.SERVERY_GENERATION, sample.generation()),
                new MetricFamily(MetricName.SERVERY_WORKER_RESTARTS_TOTAL, Arrays.stream(Reason.values())
                        .filter(reason -> reason.group() == Reason.Group.WORKER)
                        .map(reason -> value(reason.code(), sample.restarts().getOrDefault(reason, 0L))).toList()),
                new MetricFamily(MetricName.SERVERY_RELOAD_TOTAL, Arrays.stream(ReloadResult.values())
                        .map(result -> value(result.label(), sample.reloads().getOrDefault(result, 0L))).toList()),
                single(MetricName.SERVERY_CONFIG_LAST_RELOAD_SUCCESSFUL, sample.lastReloadSuccessful() ? 1 : 0),
                single(MetricName.SERVERY_CONFIG_LAST_RELOAD_SUCCESS_TIMESTAMP_SECONDS,
                        sample.lastSuccessSeconds().orElse(0)));
    }

    private static MetricFamily single(MetricName metric, double value) {
        return new MetricFamily(metric, List.of(new MetricSeries.Value(List.of(), value)));
    }

    private static MetricSeries value(String label, double value) {
        return new MetricSeries.Value(List.of(label), value);
    }
}

package io.servery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FleetFamiliesTest {
    private static Map<MetricName, List<MetricSeries>> of(FleetSample sample) {
        return FleetFamilies.of(sample).stream().collect(Collectors.toMap(MetricFamily::metric, MetricFamily::series));
    }

    private static MetricSeries value(String label, double value) {
        return new MetricSeries.Value(List.of(label), value);
    }

    @Test
    void everySeriesExistsFromTheStart() {
        Map<MetricName, List<MetricSeries>> families = of(
                new FleetSample(Map.of(), 0, Map.of(), Map.of(), true, OptionalDouble.empty()));

        assertThat(families.get(MetricName.SERVERY_WORKERS)).containsExactly(value("starting", 0), value("ready", 0),
                value("draining", 0), value("failed", 0));
        assertThat(families.get(MetricName.SERVERY_RELOAD_TOTAL)).containsExactly(value("success", 0),
                value("failure", 0), value("rolled_back", 0));
        assertThat(families.get(MetricName.SERVERY_WORKER_RESTARTS_TOTAL)).containsExactly(value("clean_exit", 0),
                value("unexpected_exit", 0), value("startup_failure", 0), value("health_failure", 0),
                value("recycle_age", 0), value("recycle_requests", 0), value("forced_termination", 0),
                value("crash_loop", 0));
    }

    @Test
    void whatWasCountedIsShown() {
        Map<MetricName, List<MetricSeries>> families = of(
                new FleetSample(Map.of(WorkerState.READY, 2L), 7, Map.of(Reason.RECYCLE_AGE, 3L),
                        Map.of(ReloadResult.ROLLED_BACK, 1L), false, OptionalDouble.of(1e9)));

        assertThat(families.get(MetricName.SERVERY_WORKERS)).contains(value("ready", 2));
        assertThat(families.get(MetricName.SERVERY_GENERATION))
                .containsExactly(new MetricSeries.Value(List.of(), 7));
        assertThat(families.get(MetricName.SERVERY_WORKER_RESTARTS_TOTAL)).contains(value("recycle_age", 3));
        assertThat(families.get(MetricName.SERVERY_RELOAD_TOTAL)).contains(value("rolled_back", 1));
        assertThat(families.get(MetricName.SERVERY_CONFIG_LAST_RELOAD_SUCCESSFUL))
                .containsExactly(new MetricSeries.Value(List.of(), 0));
        assertThat(families.get(MetricName.SERVERY_CONFIG_LAST_RELOAD_SUCCESS_TIMESTAMP_SECONDS))
                .containsExactly(new MetricSeries.Value(List.of(), 1e9));
    }
}

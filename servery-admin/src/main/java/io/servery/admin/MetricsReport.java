package io.servery.admin;

import io.servery.core.metric.BuildInfo;
import io.servery.core.metric.MetricFamily;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.ProcessFamilies;
import io.servery.core.metric.ProcessSample;
import java.util.ArrayList;
import java.util.List;

/// Everything that `/metrics` shows: what was counted, by which build, in which processes.
public record MetricsReport(MetricSnapshot snapshot, BuildInfo build, List<ProcessSample> processes) {
    public MetricsReport {
        processes = List.copyOf(processes);
    }

    List<MetricFamily> families() {
        List<MetricFamily> families = new ArrayList<>(snapshot.families());
        families.add(build.family());
        families.addAll(ProcessFamilies.of(processes));
        return families;
    }
}

package io.servery.admin;

import io.servery.core.metric.BuildInfo;
import io.servery.core.metric.FleetFamilies;
import io.servery.core.metric.FleetSample;
import io.servery.core.metric.MetricFamily;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.ProcessFamilies;
import io.servery.core.metric.ProcessSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Everything that `/metrics` shows: what was counted, by which build, in which processes, and of which fleet.
///
/// @param fleet empty where one process serves without a parent
public record MetricsReport(MetricSnapshot snapshot, BuildInfo build, List<ProcessSample> processes,
        Optional<FleetSample> fleet) {
    public MetricsReport {
        processes = List.copyOf(processes);
    }

    /// Of a process that serves without a parent.
    public MetricsReport(MetricSnapshot snapshot, BuildInfo build, List<ProcessSample> processes) {
        this(snapshot, build, processes, Optional.empty());
    }

    List<MetricFamily> families() {
        List<MetricFamily> families = new ArrayList<>(snapshot.families());
        families.add(build.family());
        fleet.ifPresent(sample -> families.addAll(FleetFamilies.of(sample)));
        families.addAll(ProcessFamilies.of(processes));
        return families;
    }
}

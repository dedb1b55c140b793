package io.servery.supervisor.loop;

import io.servery.core.metric.FleetSample;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.ProcessSample;
import java.util.List;

/// What the fleet has counted, at one moment.
///
/// @param total over all workers that there were
/// @param processes of the workers that there are
public record FleetReport(MetricSnapshot total, List<ProcessSample> processes, FleetSample fleet) {
    public FleetReport {
        processes = List.copyOf(processes);
    }
}

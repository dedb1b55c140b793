package io.servery.admin;

import io.servery.core.metric.AcmeSample;
import io.servery.core.metric.BuildInfo;
import io.servery.core.metric.FleetFamilies;
import io.servery.core.metric.FleetSample;
import io.servery.core.metric.MetricFamily;
import io.servery.core.metric.MetricName;
import io.servery.core.metric.MetricSeries;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.ProcessFamilies;
import io.servery.core.metric.ProcessSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Everything that `/metrics` shows: what was counted, by which build, in which processes, and of which fleet.
///
/// @param fleet empty where one process serves without a parent
/// @param certificateExpiry when the first certificate that is shown ends, in seconds since the Unix epoch; empty without TLS
/// @param acme attempts to get one from an authority; empty where one process serves without a parent
public record MetricsReport(MetricSnapshot snapshot, BuildInfo build, List<ProcessSample> processes,
        Optional<FleetSample> fleet, OptionalLong certificateExpiry, Optional<AcmeSample> acme)
        implements
            MetricsGathering {
    public MetricsReport {
        processes = List.copyOf(processes);
    }

    /// Of a process that serves without a parent.
    public MetricsReport(MetricSnapshot snapshot, BuildInfo build, List<ProcessSample> processes,
            OptionalLong certificateExpiry) {
        this(snapshot, build, processes, Optional.empty(), certificateExpiry, Optional.empty());
    }

    /// Of one that shows no certificate.
    public MetricsReport(MetricSnapshot snapshot, BuildInfo build, List<ProcessSample> processes) {
        this(snapshot, build, processes, OptionalLong.empty());
    }

    List<MetricFamily> families() {
        List<MetricFamily> families = new ArrayList<>(snapshot.families());
        families.add(build.family());
        fleet.ifPresent(sample -> families.addAll(FleetFamilies.of(sample)));
        certificateExpiry.ifPresent(seconds -> families.add(
                new MetricFamily(MetricName.SERVERY_CERTIFICATE_EXPIRY_TIMESTAMP_SECONDS,
                        List.of(new MetricSeries.Value(List.of(), seconds)))));
        acme.ifPresent(sample -> families.addAll(sample.families()));
        families.addAll(ProcessFamilies.of(processes));
        return families;
    }
}

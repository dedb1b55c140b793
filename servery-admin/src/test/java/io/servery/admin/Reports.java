package io.servery.admin;

import io.servery.core.metric.AcmeSample;
import io.servery.core.metric.BuildInfo;
import io.servery.core.metric.FleetSample;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.ProcessRole;
import io.servery.core.metric.ProcessSample;
import io.servery.core.metric.ProcessSample.BufferPool;
import io.servery.core.metric.ProcessSample.Collector;
import io.servery.core.metric.ProcessSample.Jvm;
import io.servery.core.metric.ProcessSample.MemoryArea;
import io.servery.core.metric.ProcessSample.OperatingSystem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// Reports of a worker of files over HTTP/1 and TLS, for tests.
final class Reports {
    static final MetricScope SCOPE = MetricScope.http1FilesTls();

    private Reports() {
    }

    static MetricsReport ofNewWorker() {
        return of(new MetricRegistry(SCOPE).snapshot());
    }

    static MetricsReport of(MetricSnapshot snapshot) {
        OperatingSystem system = new OperatingSystem(OptionalDouble.of(1.5), OptionalDouble.of(1.7e9),
                OptionalLong.of(10), OptionalLong.of(1024), OptionalLong.of(1L << 33), OptionalLong.of(1L << 26));
        Jvm jvm = new Jvm(List.of(new MemoryArea("heap", 1, 2, 3), new MemoryArea("nonheap", 4, 5, -1)),
                List.of(new BufferPool("mapped - 'non-volatile memory'", 4, 5)),
                List.of(new Collector("Copy", 6, .7)), 8, OptionalLong.of(9));
        return new MetricsReport(snapshot, new BuildInfo("0.1.0", "25.0.1+8", "4.2.20.Final"),
                List.of(new ProcessSample(ProcessRole.WORKER, 0, system, jvm)),
                Optional.of(new FleetSample(Map.of(), 0, Map.of(), Map.of(), false, OptionalDouble.empty())),
                OptionalLong.of(1_800_000_000), Optional.of(new AcmeSample(Map.of(), OptionalDouble.empty())));
    }
}

package io.servery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.metric.ProcessSample.BufferPool;
import io.servery.core.metric.ProcessSample.Collector;
import io.servery.core.metric.ProcessSample.Jvm;
import io.servery.core.metric.ProcessSample.MemoryArea;
import io.servery.core.metric.ProcessSample.OperatingSystem;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProcessFamiliesTest {
    private static final OperatingSystem SYSTEM = new OperatingSystem(OptionalDouble.of(1.5), OptionalDouble.of(1e9),
            OptionalLong.of(10), OptionalLong.of(1024), OptionalLong.of(1 << 30), OptionalLong.of(1 << 20));
    private static final Jvm JVM = new Jvm(List.of(new MemoryArea("heap", 1, 2, 3)),
            List.of(new BufferPool("direct", 4, 5)), List.of(new Collector("Copy", 6, .7)), 8, OptionalLong.of(9));

    @Test
    void everyProcessHasItsSeriesByRoleAndSlot() {
        List<MetricFamily> families = ProcessFamilies.of(List.of(new ProcessSample(ProcessRole.WORKER, 0, SYSTEM, JVM),
                new ProcessSample(ProcessRole.WORKER, 1, SYSTEM, JVM)));

        assertThat(families).extracting(MetricFamily::metric)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(MetricName.values())
                        .filter(metric -> !metric.exposedName().startsWith("servery_"))
                        .toList());
        assertThat(families).allSatisfy(family -> assertThat(family.series())
                .extracting(series -> series.labelValues().subList(0, 2))
                .containsExactly(List.of("worker", "0"), List.of("worker", "1")));
    }

    @Test
    void whatTheHostDoesNotTellHasNoSeries() {
        OperatingSystem silent = new OperatingSystem(OptionalDouble.empty(), OptionalDouble.empty(),
                OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
        Jvm jvm = new Jvm(List.of(), List.of(), List.of(), 8, OptionalLong.empty());

        assertThat(ProcessFamilies.of(List.of(new ProcessSample(ProcessRole.PARENT, 0, silent, jvm))))
                .extracting(MetricFamily::metric)
                .containsExactly(MetricName.JVM_THREADS_CURRENT);
    }
}

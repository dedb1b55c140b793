package io.servery.core.metric;

import io.servery.core.metric.ProcessSample.Jvm;
import io.servery.core.metric.ProcessSample.OperatingSystem;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// The `process_*` and `jvm_*` series of a service's processes, each told apart by its role and slot.
public final class ProcessFamilies {
    private final Map<MetricName, List<MetricSeries>> series = new EnumMap<>(MetricName.class);

    private ProcessFamilies() {
    }

    public static List<MetricFamily> of(List<ProcessSample> samples) {
        ProcessFamilies families = new ProcessFamilies();
        for (ProcessSample sample : samples) {
            families.addSystem(labels(sample), sample.system());
            families.addJvm(labels(sample), sample.jvm());
        }
        return families.series.entrySet().stream().map(one -> new MetricFamily(one.getKey(), one.getValue())).toList();
    }

    private void addSystem(List<String> labels, OperatingSystem system) {
        add(MetricName.PROCESS_CPU_SECONDS_TOTAL, labels, system.cpuSeconds());
        add(MetricName.PROCESS_START_TIME_SECONDS, labels, system.startTimeSeconds());
        add(MetricName.PROCESS_OPEN_FDS, labels, system.openFds());
        add(MetricName.PROCESS_MAX_FDS, labels, system.maxFds());
        add(MetricName.PROCESS_VIRTUAL_MEMORY_BYTES, labels, system.virtualBytes());
        add(MetricName.PROCESS_RESIDENT_MEMORY_BYTES, labels, system.residentBytes());
    }

    private void addJvm(List<String> labels, Jvm jvm) {
        for (ProcessSample.MemoryArea area : jvm.memory()) {
            List<String> all = with(labels, area.area());
            add(MetricName.JVM_MEMORY_USED_BYTES, all, area.usedBytes());
            add(MetricName.JVM_MEMORY_COMMITTED_BYTES, all, area.committedBytes());
            add(MetricName.JVM_MEMORY_MAX_BYTES, all, area.maxBytes());
        }
        for (ProcessSample.BufferPool pool : jvm.bufferPools()) {
            add(MetricName.JVM_BUFFER_POOL_USED_BYTES, with(labels, pool.pool()), pool.usedBytes());
            add(MetricName.JVM_BUFFER_POOL_USED_BUFFERS, with(labels, pool.pool()), pool.buffers());
        }
        for (ProcessSample.Collector one : jvm.collectors()) {
            add(MetricName.JVM_GC_COLLECTION_SECONDS,
                    new MetricSeries.Summary(with(labels, one.collector()), one.collections(), one.seconds()));
        }
        add(MetricName.JVM_THREADS_CURRENT, labels, jvm.threads());
        add(MetricName.JVM_NETTY_DIRECT_MEMORY_BYTES, labels, jvm.nettyDirectBytes());
    }

    private void add(MetricName metric, List<String> labels, OptionalDouble value) {
        value.ifPresent(present -> add(metric, new MetricSeries.Value(labels, present)));
    }

    private void add(MetricName metric, List<String> labels, OptionalLong value) {
        value.ifPresent(present -> add(metric, labels, present));
    }

    private void add(MetricName metric, List<String> labels, long value) {
        add(metric, new MetricSeries.Value(labels, value));
    }

    private void add(MetricName metric, MetricSeries one) {
        series.computeIfAbsent(metric, _ -> new ArrayList<>()).add(one);
    }

    private static List<String> labels(ProcessSample sample) {
        return List.of(sample.role().label(), Integer.toString(sample.slot()));
    }

    private static List<String> with(List<String> labels, String last) {
        return List.of(labels.get(0), labels.get(1), last);
    }
}

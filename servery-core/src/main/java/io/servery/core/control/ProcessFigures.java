package io.servery.core.control;

import io.servery.core.metric.ProcessRole;
import io.servery.core.metric.ProcessSample;
import io.servery.core.metric.ProcessSample.BufferPool;
import io.servery.core.metric.ProcessSample.Collector;
import io.servery.core.metric.ProcessSample.Jvm;
import io.servery.core.metric.ProcessSample.MemoryArea;
import io.servery.core.metric.ProcessSample.OperatingSystem;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/// A [ProcessSample] on its way to the parent, in whole numbers; which role and slot it has the parent knows.
///
/// *Invariant*: within [Bounds], and names are there once.
///
/// @param threads of the JVM; 0 where nothing was sampled
/// @param readings of the operating system and the JVM that the host tells, ascending
public record ProcessFigures(int threads, List<Reading> readings, List<Area> areas, List<Pool> pools,
        List<Collected> collectors) {
    /// Nothing was sampled.
    public static final ProcessFigures NONE = new ProcessFigures(0, List.of(), List.of(), List.of(), List.of());

    static final int KIND_MAX = Kind.values().length - 1;
    private static final double MICROS = 1e6;
    private static final double MILLIS = 1e3;

    public ProcessFigures {
        readings = List.copyOf(readings);
        areas = List.copyOf(areas);
        pools = List.copyOf(pools);
        collectors = List.copyOf(collectors);
        Bounds.require("threads", threads, 0, Integer.MAX_VALUE);
        for (int i = 1; i < readings.size(); i++) {
            Bounds.require("reading", readings.get(i).kind(), readings.get(i - 1).kind() + 1L, KIND_MAX);
        }
        requireNames("areas", areas, Area::name);
        requireNames("pools", pools, Pool::name);
        requireNames("collectors", collectors, Collected::name);
    }

    /// What a reading is of; the order is that of the wire.
    enum Kind {
        CPU_MICROS,
        START_MILLIS,
        OPEN_FDS,
        MAX_FDS,
        VIRTUAL_BYTES,
        RESIDENT_BYTES,
        NETTY_DIRECT_BYTES
    }

    /// One number.
    record Reading(int kind, long value) {
        Reading {
            Bounds.require("kind", kind, 0, KIND_MAX);
            Bounds.require("value", value, 0, Long.MAX_VALUE);
        }
    }

    /// @param maxBytes -1 without a limit
    record Area(String name, long usedBytes, long committedBytes, long maxBytes) {
        Area {
            Bounds.requireText("name", name, Bounds.FIGURE_NAME_BYTES_MAX);
        }
    }

    record Pool(String name, long usedBytes, long buffers) {
        Pool {
            Bounds.requireText("name", name, Bounds.FIGURE_NAME_BYTES_MAX);
        }
    }

    record Collected(String name, long count, long micros) {
        Collected {
            Bounds.requireText("name", name, Bounds.FIGURE_NAME_BYTES_MAX);
        }
    }

    private static <T> void requireNames(String what, List<T> values, Function<T, String> name) {
        Set<String> names = new HashSet<>();
        values.forEach(value -> names.add(name.apply(value)));
        Bounds.require(what, values.size(), 0, Bounds.FIGURES_MAX);
        Bounds.require("distinct " + what, names.size(), values.size(), values.size());
    }

    /// The figures of a sample. What is beyond the bounds is left out: they are far above what a JVM has.
    public static ProcessFigures of(ProcessSample sample) {
        OperatingSystem system = sample.system();
        Jvm jvm = sample.jvm();
        Map<Kind, Long> known = new EnumMap<>(Kind.class);
        system.cpuSeconds().ifPresent(seconds -> known.put(Kind.CPU_MICROS, Math.round(seconds * MICROS)));
        system.startTimeSeconds().ifPresent(seconds -> known.put(Kind.START_MILLIS, Math.round(seconds * MILLIS)));
        system.openFds().ifPresent(count -> known.put(Kind.OPEN_FDS, count));
        system.maxFds().ifPresent(count -> known.put(Kind.MAX_FDS, count));
        system.virtualBytes().ifPresent(bytes -> known.put(Kind.VIRTUAL_BYTES, bytes));
        system.residentBytes().ifPresent(bytes -> known.put(Kind.RESIDENT_BYTES, bytes));
        jvm.nettyDirectBytes().ifPresent(bytes -> known.put(Kind.NETTY_DIRECT_BYTES, bytes));
        known.values().removeIf(value -> value < 0);
        List<Reading> readings = new ArrayList<>();
        known.forEach((kind, value) -> readings.add(new Reading(List.of(Kind.values()).indexOf(kind), value)));
        return new ProcessFigures(jvm.threads(), readings,
                named(jvm.memory(), area -> new Area(name(area.area()), area.usedBytes(), area.committedBytes(),
                        area.maxBytes()), Area::name),
                named(jvm.bufferPools(), pool -> new Pool(name(pool.pool()), pool.usedBytes(), pool.buffers()),
                        Pool::name),
                named(jvm.collectors(), one -> new Collected(name(one.collector()), one.collections(),
                        Math.round(one.seconds() * MICROS)), Collected::name));
    }

    private static String name(String name) {
        return Bounds.cut(name, Bounds.FIGURE_NAME_BYTES_MAX);
    }

    private static <A, B> List<B> named(List<A> values, Function<A, B> figure, Function<B, String> name) {
        Set<String> names = new HashSet<>();
        return values.stream().map(figure).filter(one -> names.add(name.apply(one))).limit(Bounds.FIGURES_MAX).toList();
    }

    /// The sample of a worker, unless nothing was sampled.
    public Optional<ProcessSample> sample(int slot) {
        if (equals(NONE)) {
            return Optional.empty();
        }
        OperatingSystem system = new OperatingSystem(seconds(Kind.CPU_MICROS, MICROS),
                seconds(Kind.START_MILLIS, MILLIS),
                reading(Kind.OPEN_FDS), reading(Kind.MAX_FDS), reading(Kind.VIRTUAL_BYTES),
                reading(Kind.RESIDENT_BYTES));
        Jvm jvm = new Jvm(
                areas.stream()
                        .map(one -> new MemoryArea(one.name(), one.usedBytes(), one.committedBytes(), one.maxBytes()))
                        .toList(),
                pools.stream().map(one -> new BufferPool(one.name(), one.usedBytes(), one.buffers())).toList(),
                collectors.stream().map(one -> new Collector(one.name(), one.count(), one.micros() / MICROS)).toList(),
                threads, reading(Kind.NETTY_DIRECT_BYTES));
        return Optional.of(new ProcessSample(ProcessRole.WORKER, slot, system, jvm));
    }

    private OptionalDouble seconds(Kind kind, double unit) {
        OptionalLong value = reading(kind);
        return value.isPresent() ? OptionalDouble.of(value.getAsLong() / unit) : OptionalDouble.empty();
    }

    private OptionalLong reading(Kind kind) {
        int index = List.of(Kind.values()).indexOf(kind);
        return readings.stream().filter(one -> one.kind() == index).mapToLong(Reading::value).findFirst();
    }
}

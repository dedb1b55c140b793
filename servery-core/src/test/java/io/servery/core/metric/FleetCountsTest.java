package io.servery.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.metric.ProcessSample.Jvm;
import io.servery.core.metric.ProcessSample.OperatingSystem;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/// What the workers of a fleet have counted together.
class FleetCountsTest {
    private static final MetricScope SCOPE = MetricScope.http1Files();
    private static final int CONNECTIONS = Slots.connections(Transport.H1);
    private static final int ACTIVE = Slots.connectionsActive(Transport.H1);
    private static final int HIGH_WATER = Slots.queueHighWater(QueueName.COMPUTE);
    private static final int CAPACITY = Slots.queueCapacity(QueueName.COMPUTE);

    private static MetricSnapshot snapshot(Map<Integer, Long> values) {
        long[] slots = new long[MetricSnapshot.SERIES];
        values.forEach((slot, value) -> slots[slot] = value);
        return MetricSnapshot.of(SCOPE, slots);
    }

    private static MetricSnapshot snapshot(long connections, long active) {
        return snapshot(Map.of(CONNECTIONS, connections, ACTIVE, active));
    }

    private static Optional<ProcessSample> process(int slot, int threads) {
        OptionalLong none = OptionalLong.empty();
        return Optional.of(new ProcessSample(ProcessRole.WORKER, slot,
                new OperatingSystem(OptionalDouble.empty(), OptionalDouble.empty(), none, none, none, none),
                new Jvm(List.of(), List.of(), List.of(), threads, none)));
    }

    private static FleetCounts<String> two() {
        return FleetCounts.<String>none(SCOPE).started("a").started("b")
                .reported("a", snapshot(10, 3), process(0, 7)).reported("b", snapshot(5, 1), process(1, 8));
    }

    @Test
    void everySeriesIsThereBeforeTheFirstWorker() {
        assertThat(FleetCounts.none(SCOPE).total()).isEqualTo(MetricSnapshot.empty(SCOPE));
        assertThat(FleetCounts.none(SCOPE).processes()).isEmpty();
    }

    @Test
    void latestSnapshotOfEachIsAddedUp() {
        MetricSnapshot total = two().reported("a", snapshot(12, 2), Optional.empty()).total();

        assertThat(total.connections(Transport.H1)).isEqualTo(17);
        assertThat(total.connectionsActive(Transport.H1)).isEqualTo(3);
    }

    @Test
    void countersOfAWorkerThatEndedStayAndItsGaugesGo() {
        FleetCounts<String> counts = two().ended("a");

        assertThat(counts.total().connections(Transport.H1)).isEqualTo(15);
        assertThat(counts.total().connectionsActive(Transport.H1)).isEqualTo(1);
        assertThat(counts.ended("a").total()).isEqualTo(counts.total());
    }

    @Test
    void lateSnapshotOfAWorkerThatEndedIsIgnored() {
        FleetCounts<String> counts = two().ended("a");

        assertThat(counts.reported("a", snapshot(99, 99), process(0, 99)).total()).isEqualTo(counts.total());
        assertThat(counts.reported("a", snapshot(99, 99), process(0, 99)).processes()).hasSize(1);
    }

    @Test
    void workerThatTakesBackWhatItCountedIsNotBelieved() {
        MetricSnapshot total = two().reported("a", snapshot(1, 0), Optional.empty()).total();

        assertThat(total.connections(Transport.H1)).isEqualTo(15);
        assertThat(total.connectionsActive(Transport.H1)).isEqualTo(1);
    }

    @Test
    void highWaterIsAddedUpAsTheCapacityBesideItIs() {
        MetricSnapshot each = snapshot(Map.of(HIGH_WATER, 30L, CAPACITY, 64L));
        MetricSnapshot total = two().reported("a", each, Optional.empty()).reported("b", each, Optional.empty())
                .total();

        assertThat(total.queueHighWater(QueueName.COMPUTE)).isEqualTo(60);
        assertThat(total.queueCapacity(QueueName.COMPUTE)).isEqualTo(128);
    }

    @Test
    void processesAreThoseOfLivingWorkersOneASlot() {
        assertThat(two().processes()).extracting(one -> one.jvm().threads()).containsExactly(7, 8);
        FleetCounts<String> replacing = two().started("c");
        assertThat(replacing.processes()).extracting(one -> one.jvm().threads()).containsExactly(7, 8);
        FleetCounts<String> replaced = replacing.reported("c", snapshot(0, 0), process(0, 9));
        assertThat(replaced.processes()).extracting(one -> one.jvm().threads()).containsExactly(9, 8);
        assertThat(replaced.reported("c", snapshot(0, 0), Optional.empty()).processes()).hasSize(2);
        assertThat(replaced.ended("c").processes()).extracting(one -> one.jvm().threads()).containsExactly(7, 8);
        assertThat(ProcessFamilies.of(replaced.processes())).isNotEmpty();
    }

    /// Something that happens to one of five workers.
    ///
    /// @param kind 0 it starts, 1 to 3 it reports, 4 it ends
    private record Happening(int kind, int worker, long counted, long gauge) {
    }

    @Provide
    Arbitrary<List<Happening>> lives() {
        Arbitrary<Long> value = Arbitraries.longs().between(0, 1_000);
        return Combinators.combine(Arbitraries.integers().between(0, 4), Arbitraries.integers().between(0, 4), value,
                value).as(Happening::new).list().ofMaxSize(60);
    }

    @Property(tries = 500)
    void noCounterEverFallsAndGaugesAreThoseOfTheLiving(@ForAll("lives") List<Happening> lives) {
        FleetCounts<Integer> counts = FleetCounts.none(SCOPE);
        Set<Integer> living = new HashSet<>();
        Set<Integer> ended = new HashSet<>();
        Map<Integer, Long> counted = new HashMap<>();
        Map<Integer, Long> gauges = new HashMap<>();
        for (Happening one : lives) {
            long before = counts.total().connections(Transport.H1);
            switch (one.kind()) {
                case 0 -> {
                    if (!ended.contains(one.worker())) {
                        counts = counts.started(one.worker());
                        living.add(one.worker());
                    }
                }
                case 4 -> {
                    counts = counts.ended(one.worker());
                    if (living.remove(one.worker())) {
                        ended.add(one.worker());
                    }
                    gauges.remove(one.worker());
                }
                default -> {
                    counts = counts.reported(one.worker(), snapshot(one.counted(), one.gauge()), Optional.empty());
                    if (living.contains(one.worker())) {
                        counted.merge(one.worker(), one.counted(), Math::max);
                        gauges.put(one.worker(), one.gauge());
                    }
                }
            }
            MetricSnapshot total = counts.total();
            assertThat(total.connections(Transport.H1)).isGreaterThanOrEqualTo(before)
                    .isEqualTo(counted.values().stream().mapToLong(Long::longValue).sum());
            assertThat(total.connectionsActive(Transport.H1))
                    .isEqualTo(gauges.values().stream().mapToLong(Long::longValue).sum());
        }
    }
}

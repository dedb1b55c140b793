package io.servery.core.metric;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What the workers of a service have counted together: the latest snapshot of each that lives, and what those that
/// ended had counted.
///
/// Gauges are those of the workers that live, added up: capacities, depths, connections, bytes. The high water of a
/// queue is added up too: beside the capacity of all workers the highest of one would look like room that is not there.
///
/// *Invariant*: no counter ever falls, whatever a worker reports and in whatever order workers begin, report and end.
///
/// @param <W> identifies a worker, and never another one
public final class FleetCounts<W> {
    private final MetricSnapshot ended;
    private final Map<W, Reported> living;

    /// @param process empty until it was reported
    private record Reported(MetricSnapshot snapshot, Optional<ProcessSample> process) {
    }

    private FleetCounts(MetricSnapshot ended, Map<W, Reported> living) {
        this.ended = ended;
        this.living = living;
    }

    /// No worker yet.
    ///
    /// @param scope what the service can count, exposed from the start
    public static <W> FleetCounts<W> none(MetricScope scope) {
        return new FleetCounts<>(MetricSnapshot.empty(scope), Map.of());
    }

    /// With a worker that begins; one that is there already goes on.
    public FleetCounts<W> started(W worker) {
        Map<W, Reported> next = new LinkedHashMap<>(living);
        next.putIfAbsent(worker, new Reported(MetricSnapshot.empty(ended.scope()), Optional.empty()));
        return new FleetCounts<>(ended, Collections.unmodifiableMap(next));
    }

    /// With the latest that a worker reported; of one that is not there, because it has ended, it is ignored.
    ///
    /// @param process empty where the worker told nothing of it: then what it told before holds
    public FleetCounts<W> reported(W worker, MetricSnapshot snapshot, Optional<ProcessSample> process) {
        Reported before = living.get(worker);
        if (before == null) {
            return this;
        }
        Map<W, Reported> next = new LinkedHashMap<>(living);
        next.put(worker, new Reported(snapshot.after(before.snapshot()), process.or(before::process)));
        return new FleetCounts<>(ended, Collections.unmodifiableMap(next));
    }

    /// Without a worker that ended: what it had counted stays, its gauges and its process go.
    public FleetCounts<W> ended(W worker) {
        Reported last = living.get(worker);
        if (last == null) {
            return this;
        }
        Map<W, Reported> next = new LinkedHashMap<>(living);
        next.remove(worker);
        return new FleetCounts<>(ended.plus(last.snapshot().retained()), Collections.unmodifiableMap(next));
    }

    /// Everything together.
    public MetricSnapshot total() {
        return living.values().stream().map(Reported::snapshot).reduce(ended, MetricSnapshot::plus);
    }

    /// The processes of the workers, one a slot: while one replaces another, that which began later.
    public List<ProcessSample> processes() {
        Map<Integer, ProcessSample> bySlot = new TreeMap<>();
        living.values().forEach(one -> one.process().ifPresent(process -> bySlot.put(process.slot(), process)));
        return new ArrayList<>(bySlot.values());
    }
}

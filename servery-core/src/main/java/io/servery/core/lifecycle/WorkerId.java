package io.servery.core.lifecycle;

import java.util.Comparator;

/// One worker process, never another one: what an event is about, and what an effect is for.
///
/// @param generation which it belongs to, from 1
/// @param slot its place in the tree, from 0
/// @param incarnation which process of that slot in that generation it is, from 1
public record WorkerId(int generation, int slot, int incarnation) implements Comparable<WorkerId> {
    private static final Comparator<WorkerId> ORDER = Comparator.comparingInt(WorkerId::generation)
            .thenComparingInt(WorkerId::slot).thenComparingInt(WorkerId::incarnation);

    @Override
    public int compareTo(WorkerId other) {
        return ORDER.compare(this, other);
    }
}

package io.servery.core.config;

import io.servery.core.fault.Fault;
import io.servery.core.fault.Place;
import java.util.ArrayList;
import java.util.List;

/// The faults found so far. Past a bound they are counted only: a hostile file has room for a million.
final class Faults {
    private static final int KEPT_MAX = 500;

    private final List<Fault> kept = new ArrayList<>();
    private int count;

    void add(Where where, String what) {
        if (count++ < KEPT_MAX) {
            kept.add(Fault.configuration(where.place(), what));
        }
    }

    void add(Where where, String what, String hint) {
        if (count++ < KEPT_MAX) {
            kept.add(Fault.configuration(where.place(), what, hint));
        }
    }

    /// The words of the first fault; empty when there is none.
    String first() {
        return kept.isEmpty() ? "" : kept.getFirst().what();
    }

    int count() {
        return count;
    }

    /// Whether a further fault would only be counted: nobody will read its hint.
    boolean full() {
        return count >= KEPT_MAX;
    }

    /// What was kept, sorted by place, and a last one that tells how many were not.
    List<Fault> sorted(String name) {
        List<Fault> sorted = new ArrayList<>(kept);
        sorted.sort(Fault.BY_PLACE);
        if (count > kept.size()) {
            sorted.add(
                    Fault.configuration(new Place.Named(name), (count - kept.size()) + " more errors are not shown"));
        }
        return List.copyOf(sorted);
    }
}

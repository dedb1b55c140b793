package io.servery.core.lifecycle;

import io.servery.core.control.Order;
import java.util.ArrayList;
import java.util.List;

/// One step while it is made: its time, and its effects so far. It ends with the step and is in no state.
final class Turn {
    private final Moment now;
    private final List<Effect> effects = new ArrayList<>();
    private final List<Effect> last = new ArrayList<>();
    private int survivors;

    Turn(Moment now) {
        this.now = now;
    }

    Moment now() {
        return now;
    }

    boolean reached(Moment deadline) {
        return deadline.isReached(now);
    }

    void add(Effect effect) {
        effects.add(effect);
    }

    /// For what has to come after all else of this step: whoever is to drain has been told first what to release.
    void addLast(Effect effect) {
        last.add(effect);
    }

    /// A process outlived KILL: nobody waits for it any longer.
    void survived(WorkerId worker) {
        survivors++;
        note(new Fact.WorkerSurvived(worker));
    }

    int survivors() {
        return survivors;
    }

    void note(Fact fact) {
        add(new Effect.Note(fact));
    }

    void send(WorkerId worker, Order order) {
        add(new Effect.Send(worker, order));
    }

    List<Effect> effects() {
        List<Effect> all = new ArrayList<>(effects);
        all.addAll(last);
        return all;
    }
}

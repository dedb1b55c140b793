package io.servery.core.lifecycle;

import io.servery.core.lifecycle.Fleet.Ending;
import io.servery.core.lifecycle.Fleet.Running;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The earliest of all moments at which time alone moves a state. Plain loops: an idle parent asks for it all the time.
final class Deadlines {
    private @Nullable Moment earliest;

    private Deadlines() {
    }

    static Optional<Moment> of(Running running) {
        Deadlines all = new Deadlines();
        if (running.front() instanceof Front.Open(Generation.Serving serving, _)) {
            all.addAll(serving, running.isSteady());
        }
        switch (running.reload().stage()) {
            case Reload.Idle _ -> {
            }
            case Reload.Loading(_, Moment until) -> all.add(until);
            case Reload.Bringing(_, Generation.Candidate candidate) -> all.addWorkers(candidate);
        }
        all.addAll(running.tree());
        return Optional.ofNullable(all.earliest);
    }

    static Optional<Moment> of(Ending ending) {
        if (ending.isOver()) {
            return Optional.of(ending.until());
        }
        Deadlines all = new Deadlines();
        all.addAll(ending.tree());
        return Optional.ofNullable(all.earliest);
    }

    private void addAll(Tree tree) {
        tree.retired().forEach(this::addWorkers);
        tree.shards().deadline().ifPresent(this::add);
    }

    private void addAll(Generation.Serving serving, boolean steady) {
        for (Slot slot : serving.slots()) {
            switch (slot.occupancy()) {
                case Slot.Filled(Worker worker, _) -> add(serving, worker);
                case Slot.Overlapping(Worker old, Worker replacement, _) -> {
                    add(serving, old);
                    add(serving, replacement);
                }
                case Slot.Waiting(Moment until, _) -> add(until);
                case Slot.Looping _,Slot.GivenUp _ -> {
                }
            }
        }
        serving.leaving().forEach(worker -> add(serving, worker));
        if (steady) {
            ServingMachine.dueRecycling(serving).map(ServingMachine.DueSlot::at).ifPresent(this::add);
        }
    }

    private void addWorkers(Generation generation) {
        generation.workers().forEach(worker -> add(generation, worker));
    }

    private void add(Generation generation, Worker worker) {
        worker.deadline(generation.plan().timing()).ifPresent(this::add);
    }

    private void add(Moment moment) {
        earliest = earliest == null ? moment : earliest.orEarlier(moment);
    }
}

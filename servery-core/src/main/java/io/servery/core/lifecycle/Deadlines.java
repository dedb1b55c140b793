package io.servery.core.lifecycle;

import io.servery.core.lifecycle.Fleet.Ending;
import io.servery.core.lifecycle.Fleet.Running;
import java.util.Optional;
import java.util.stream.Stream;

/// The earliest of all moments at which time alone moves a state.
final class Deadlines {
    private Deadlines() {
    }

    static Optional<Moment> of(Running running) {
        Stream<Moment> slots = running.front() instanceof Front.Open open
                ? of(open.serving(), running.isSteady())
                : Stream.empty();
        Stream<Moment> loading = running.reload().stage() instanceof Reload.Loading(_, Moment until)
                ? Stream.of(until)
                : Stream.empty();
        return earliest(Stream.concat(Stream.concat(slots, loading), of(running, running.tree())));
    }

    static Optional<Moment> of(Ending ending) {
        return ending.isOver() ? Optional.of(ending.until()) : earliest(of(ending, ending.tree()));
    }

    private static Stream<Moment> of(Fleet fleet, Tree tree) {
        Stream<Moment> workers = fleet.generations().flatMap(generation -> generation.workers()
                .flatMap(worker -> worker.deadline(generation.plan().timing()).stream()));
        return Stream.concat(workers, tree.shards().deadline().stream());
    }

    private static Stream<Moment> of(Generation.Serving serving, boolean steady) {
        Stream<Moment> waiting = serving.slots().stream().flatMap(slot -> slot.occupancy() instanceof Slot.Waiting one
                ? Stream.of(one.until())
                : Stream.empty());
        Stream<Moment> recycling = steady
                ? ServingMachine.dueRecycling(serving).map(ServingMachine.DueSlot::at).stream()
                : Stream.empty();
        return Stream.concat(waiting, recycling);
    }

    private static Optional<Moment> earliest(Stream<Moment> moments) {
        return moments.reduce(Moment::orEarlier);
    }
}

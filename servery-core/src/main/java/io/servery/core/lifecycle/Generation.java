package io.servery.core.lifecycle;

import io.servery.core.control.Report;
import io.servery.core.lifecycle.Worker.Committed;
import io.servery.core.lifecycle.Worker.InService;
import io.servery.core.lifecycle.Worker.Leaving;
import io.servery.core.lifecycle.Worker.Unready;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The workers of one configuration, from their spawning to the last exit.
///
///     spawn all ─► Preparing ──all prepared: commit──► Committing ──all ready──► Serving ──another serves, drain, stop──┐
///                      │                                   │                                                          ▼
///                      └────── one of them failed ─────────┴──────────────────────────────────────────────────────► Retired ─► gone
///
/// *Invariant*: nothing but a generation that serves has shards adopted.
public sealed interface Generation {
    int number();

    Plan plan();

    /// Every process that there is of it.
    Stream<Worker> workers();

    /// On its way: nothing of it serves.
    sealed interface Candidate extends Generation {
    }

    /// Waits for all of its workers, one a slot, to be prepared.
    record Preparing(int number, Plan plan, List<Worker> bySlot) implements Candidate {
        public Preparing {
            bySlot = List.copyOf(bySlot);
            require(bySlot.size() == plan.workers(), "one worker a slot", bySlot);
            require(bySlot.stream().allMatch(Unready.class::isInstance), "workers that are not ready", bySlot);
        }

        @Override
        public Stream<Worker> workers() {
            return bySlot.stream();
        }
    }

    /// All were prepared: waits for all to be ready.
    record Committing(int number, Plan plan, List<Worker> bySlot) implements Candidate {
        public Committing {
            bySlot = List.copyOf(bySlot);
            require(bySlot.size() == plan.workers(), "one worker a slot", bySlot);
            require(bySlot.stream().allMatch(one -> one instanceof Committed || one instanceof InService),
                    "workers that are committed", bySlot);
        }

        @Override
        public Stream<Worker> workers() {
            return bySlot.stream();
        }
    }

    /// All were ready at once: from then on it serves, whatever happens to single workers.
    ///
    /// @param since when it began to serve
    /// @param leaving workers that were replaced and drain
    /// @param exits that were not asked for, within the window of the restart policy: the latest, one more than the limit
    record Serving(int number, Plan plan, Moment since, List<Slot> slots, List<Worker> leaving, List<Exit> exits)
            implements
                Generation {
        public Serving {
            slots = List.copyOf(slots);
            leaving = List.copyOf(leaving);
            exits = List.copyOf(exits);
            require(slots.size() == plan.workers(), "one slot a worker", slots);
            require(leaving.isEmpty() || leaving.stream().allMatch(Leaving.class::isInstance), "workers that leave",
                    leaving);
        }

        @Override
        public Stream<Worker> workers() {
            return Stream.concat(slots.stream().flatMap(slot -> switch (slot.occupancy()) {
                case Slot.Filled(Worker worker, _) -> Stream.of(worker);
                case Slot.Overlapping(Worker old, Worker replacement, _) -> Stream.of(old, replacement);
                case Slot.Waiting _,Slot.Looping _,Slot.GivenUp _ -> Stream.<Worker>of();
            }), leaving.stream());
        }

        /// By slot, who may read shards.
        public List<Optional<WorkerId>> holders() {
            return slots.stream().map(Slot::holder).toList();
        }

        public boolean hasQuorum() {
            return slots.stream().filter(slot -> slot.holder().isPresent()).count() >= plan.minimumWorkers();
        }

        /// Whether it can have a quorum again without help.
        boolean canHaveQuorum() {
            return slots.stream().filter(slot -> !(slot.occupancy() instanceof Slot.GivenUp)).count() >= plan
                    .minimumWorkers();
        }

        Serving withPlan(Plan next) {
            return new Serving(number, next, since, slots, leaving, exits);
        }

        /// Whether a worker that is well says by this that it is, and nothing else.
        boolean saysAgain(WorkerId worker, Report.Heartbeat beat) {
            return worker.generation() == number && worker.slot() < slots.size()
                    && slots.get(worker.slot()).occupancy() instanceof Slot.Filled(Worker.Ready ready, _)
                    && ready.id().equals(worker) && ready.pulse().knows(beat.loop()) && ready.pulse().repeats(beat);
        }

        /// The same, with that heartbeat later.
        Serving heardAgain(WorkerId worker, Report.Heartbeat beat, Moment now) {
            Slot slot = slots.get(worker.slot());
            if (!(slot.occupancy() instanceof Slot.Filled(Worker.Ready ready, Optional<Moment> recycleFrom))) {
                throw new IllegalStateException("slot: found " + slot + "; expected a worker that is ready");
            }
            return withSlot(slot.with(new Slot.Filled(
                    new Worker.Ready(worker, ready.since(), ready.pulse().heard(beat, now)), recycleFrom)));
        }

        Serving withSlot(Slot slot) {
            List<Slot> next = new ArrayList<>(slots);
            next.set(slot.number(), slot);
            return new Serving(number, plan, since, next, leaving, exits);
        }

        /// Without the exits of one slot, which have had their consequence.
        Serving forgiven(int slot) {
            return new Serving(number, plan, since, slots, leaving,
                    exits.stream().filter(exit -> exit.slot() != slot).toList());
        }
    }

    /// An exit that was not asked for.
    record Exit(Moment at, int slot) {
    }

    /// Its workers leave; when the last has, it is forgotten.
    ///
    /// @param failure why it never served, if it did not
    record Retired(int number, Plan plan, List<Worker> leaving, Optional<Cause> failure) implements Generation {
        public Retired {
            leaving = List.copyOf(leaving);
            require(leaving.stream().allMatch(Leaving.class::isInstance), "workers that leave", leaving);
        }

        @Override
        public Stream<Worker> workers() {
            return leaving.stream();
        }

        boolean isGone() {
            return leaving.isEmpty();
        }
    }

    private static void require(boolean condition, String expected, List<?> found) {
        if (!condition) {
            throw new IllegalArgumentException("generation: found " + found + "; expected " + expected);
        }
    }
}

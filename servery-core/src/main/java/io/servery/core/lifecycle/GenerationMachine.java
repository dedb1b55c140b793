package io.servery.core.lifecycle;

import io.servery.core.lifecycle.Event.MovesWorker;
import io.servery.core.lifecycle.Generation.Candidate;
import io.servery.core.lifecycle.Generation.Committing;
import io.servery.core.lifecycle.Generation.Preparing;
import io.servery.core.lifecycle.Generation.Retired;
import io.servery.core.lifecycle.Generation.Serving;
import io.servery.core.lifecycle.Worker.Gone;
import io.servery.core.lifecycle.Worker.InService;
import io.servery.core.lifecycle.Worker.Leaving;
import io.servery.core.lifecycle.Worker.Prepared;
import io.servery.core.lifecycle.Worker.Ready;
import io.servery.core.lifecycle.Worker.Unready;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Moves the workers of a generation together where they stand or fall together: on the way up, and on the way out. What
/// happens while it serves is `ServingMachine`.
final class GenerationMachine {
    private final Plan plan;
    private final Turn turn;
    private final WorkerMachine workers;

    GenerationMachine(Plan plan, Turn turn) {
        this.plan = plan;
        this.turn = turn;
        this.workers = new WorkerMachine(plan, turn);
    }

    Preparing begun(int number) {
        return new Preparing(number, plan, IntStream.range(0, plan.workers())
                .mapToObj(slot -> workers.spawn(new WorkerId(number, slot, 1))).toList());
    }

    /// A candidate after an event: still one, or serving, or retired because one of its workers failed.
    Generation step(Candidate candidate, MovesWorker event) {
        return switch (candidate) {
            case Preparing preparing -> prepared(preparing, moved(preparing.bySlot(), event));
            case Committing committing -> committed(committing, moved(committing.bySlot(), event));
        };
    }

    Retired step(Retired retired, MovesWorker event) {
        return new Retired(retired.number(), plan, present(moved(retired.leaving(), event)), retired.failure());
    }

    /// Has all of one that serves leave: those that may have work by a drain.
    Retired retired(Serving serving, Cause why) {
        return retired(serving, worker -> workers.dismiss(worker, why));
    }

    /// The same for one whose place another has taken.
    Retired relieved(Serving serving, Cause why) {
        return retired(serving, worker -> workers.relieve(worker, why));
    }

    private Retired retired(Serving serving, UnaryOperator<Worker> leave) {
        turn.note(new Fact.GenerationDraining(serving.number()));
        return new Retired(serving.number(), plan, serving.workers().map(leave).toList(), Optional.empty());
    }

    /// Has all of a candidate leave at once: nothing of it has taken work, so nothing has to finish.
    Retired discarded(Candidate candidate, Cause failure) {
        return discarded(candidate, candidate.workers().toList(), failure);
    }

    Retired forced(Retired retired) {
        return new Retired(retired.number(), plan, retired.leaving().stream().map(workers::force).toList(),
                retired.failure());
    }

    private Generation prepared(Preparing before, List<Worker> bySlot) {
        Optional<Cause> failure = failure(bySlot);
        if (failure.isPresent()) {
            return discarded(before, bySlot, failure.get());
        }
        if (bySlot.stream().allMatch(Prepared.class::isInstance)) {
            return new Committing(before.number(), plan, bySlot.stream().map(Prepared.class::cast)
                    .map(workers::commit).toList());
        }
        return new Preparing(before.number(), plan, bySlot);
    }

    private Generation committed(Committing before, List<Worker> bySlot) {
        Optional<Cause> failure = failure(bySlot);
        if (failure.isPresent()) {
            return discarded(before, bySlot, failure.get());
        }
        if (bySlot.stream().allMatch(Ready.class::isInstance)) {
            List<Slot> slots = bySlot.stream().map(worker -> new Slot(worker.id().slot(), 1, 0,
                    new Slot.Filled(worker, Optional.empty()))).toList();
            turn.note(new Fact.GenerationServed(before.number()));
            return new Serving(before.number(), plan, turn.now(), slots, List.of(), List.of());
        }
        return new Committing(before.number(), plan, bySlot);
    }

    private Retired discarded(Generation before, List<Worker> bySlot, Cause failure) {
        Cause why = new Cause(failure.reason(), "its generation was discarded: " + failure.text());
        List<Worker> leaving = present(bySlot).stream().map(worker -> switch (worker) {
            case Unready one -> workers.dismiss(one, why);
            case InService one -> workers.terminate(one, why);
            case Leaving one -> one;
            case Gone one -> throw new IllegalStateException("generation: found " + one + " among the present");
        }).toList();
        return new Retired(before.number(), plan, leaving, Optional.of(failure));
    }

    private List<Worker> moved(List<Worker> all, MovesWorker event) {
        return all.stream().map(worker -> event.concerns(worker.id()) ? workers.step(worker, event) : worker).toList();
    }

    private static List<Worker> present(List<Worker> all) {
        return all.stream().filter(worker -> !(worker instanceof Gone)).toList();
    }

    private static Optional<Cause> failure(List<Worker> all) {
        return all.stream().flatMap(worker -> switch (worker) {
            case Unready _,InService _ -> Stream.<Cause>empty();
            case Leaving leaving -> Stream.of(leaving.why());
            case Gone gone -> Stream.of(gone.cause());
        }).findFirst();
    }
}

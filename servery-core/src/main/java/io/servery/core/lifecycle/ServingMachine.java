package io.servery.core.lifecycle;

import io.servery.core.lifecycle.Event.MovesWorker;
import io.servery.core.lifecycle.Event.TimePassed;
import io.servery.core.lifecycle.Generation.Exit;
import io.servery.core.lifecycle.Generation.Serving;
import io.servery.core.lifecycle.Plan.RestartPolicy;
import io.servery.core.lifecycle.Slot.Filled;
import io.servery.core.lifecycle.Slot.GivenUp;
import io.servery.core.lifecycle.Slot.Looping;
import io.servery.core.lifecycle.Slot.Occupancy;
import io.servery.core.lifecycle.Slot.Overlapping;
import io.servery.core.lifecycle.Slot.Waiting;
import io.servery.core.lifecycle.Worker.Gone;
import io.servery.core.lifecycle.Worker.InService;
import io.servery.core.lifecycle.Worker.Prepared;
import io.servery.core.lifecycle.Worker.Ready;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Keeps the slots of a generation that serves filled: restarts, back-off, recycling. One step of one generation.
///
/// A worker that is started here commits as soon as it is prepared: its generation serves already.
final class ServingMachine {
    private final Serving before;
    private final RestartPolicy policy;
    private final Turn turn;
    private final WorkerMachine workers;
    private final List<Worker> leaving = new ArrayList<>();
    private final List<Exit> exits = new ArrayList<>();

    private ServingMachine(Serving before, Turn turn) {
        this.before = before;
        this.policy = before.plan().restarts();
        this.turn = turn;
        this.workers = new WorkerMachine(before.plan(), turn);
        before.exits().stream().filter(exit -> turn.now().since(exit.at()).compareTo(policy.window()) < 0)
                .forEach(exits::add);
    }

    static Serving step(Serving before, MovesWorker event, Turn turn) {
        return new ServingMachine(before, turn).stepped(event);
    }

    /// Starts the replacement of the worker that is due the longest, if one is. One at a time, and the one before is gone:
    /// there is never more than one process above the number of slots.
    static Serving recycled(Serving before, Turn turn) {
        return dueRecycling(before).filter(due -> turn.reached(due.at()))
                .map(due -> new ServingMachine(before, turn).replaced(due.slot(), due.reason())).orElse(before);
    }

    /// When and which worker is to be replaced next, though it is well.
    static Optional<DueSlot> dueRecycling(Serving serving) {
        if (!serving.plan().recycling().isOn() || !serving.leaving().isEmpty()
                || serving.slots().stream().anyMatch(slot -> slot.occupancy() instanceof Overlapping)) {
            return Optional.empty();
        }
        return serving.slots().stream()
                .flatMap(slot -> slot.due(serving.plan().recycling()).stream()
                        .map(due -> new DueSlot(slot, due.at(), due.reason())))
                .min(Comparator.comparing(DueSlot::at));
    }

    /// A slot whose worker is to be replaced, from when on, and why.
    record DueSlot(Slot slot, Moment at, Reason reason) {
    }

    private Serving stepped(MovesWorker event) {
        before.leaving().stream().map(worker -> moved(worker, event)).filter(worker -> !(worker instanceof Gone))
                .forEach(leaving::add);
        List<Slot> slots = before.slots().stream().map(slot -> step(slot, event)).toList();
        return new Serving(before.number(), before.plan(), before.since(), slots, leaving, exits);
    }

    private Slot step(Slot slot, MovesWorker event) {
        return switch (slot.occupancy()) {
            case Filled filled -> filled(slot, filled, event);
            case Overlapping overlapping -> overlapping(slot, overlapping, event);
            case Waiting waiting -> waiting(slot, waiting, event);
            case GivenUp _ -> slot;
            case Looping looping -> throw new IllegalStateException("slot: found " + looping + " between two steps");
        };
    }

    private Slot filled(Slot slot, Filled filled, MovesWorker event) {
        Worker next = moved(filled.worker(), event);
        Slot counted = slot.withRow(row(slot, filled.worker(), next));
        return next instanceof Gone gone
                ? ended(counted, gone.cause())
                : counted.with(new Filled(next, filled.recycleFrom()));
    }

    private Slot overlapping(Slot slot, Overlapping overlapping, MovesWorker event) {
        Worker old = moved(overlapping.old(), event);
        Worker replacement = moved(overlapping.replacement(), event);
        Slot counted = slot.withRow(row(slot, overlapping.old(), old));
        if (old instanceof Gone gone) {
            return replacement instanceof Gone
                    ? ended(counted, gone.cause())
                    : overtaken(counted, replacement);
        }
        if (replacement instanceof Gone) {
            Moment again = turn.now().plus(policy.backoffMax());
            return counted.with(new Filled(old, Optional.of(again)));
        }
        if (replacement instanceof Ready) {
            leaving.add(workers.relieve(old, new Cause(overlapping.why(), "the worker was replaced by a new one")));
            return counted.with(new Filled(replacement, Optional.empty()));
        }
        return counted.with(new Overlapping(old, replacement, overlapping.why()));
    }

    private Slot waiting(Slot slot, Waiting waiting, MovesWorker event) {
        return event instanceof TimePassed && turn.reached(waiting.until())
                ? restarted(slot, waiting.cause().ofWorker())
                : slot;
    }

    /// An exit that was not asked for.
    private Slot ended(Slot slot, Cause cause) {
        Slot counted = exited(slot);
        if (exits.size() > policy.limit()) {
            return counted.with(new Looping(cause));
        }
        Duration delay = policy.delay(counted.row());
        return delay.isZero()
                ? restarted(counted, cause.ofWorker())
                : counted.with(new Waiting(turn.now().plus(delay), cause));
    }

    /// The old worker ended while its replacement was on its way: that is the restart.
    private Slot overtaken(Slot slot, Worker replacement) {
        return exited(slot).with(new Filled(replacement, Optional.empty()));
    }

    private Slot exited(Slot slot) {
        exits.add(new Exit(turn.now(), slot.number()));
        if (exits.size() > policy.limit() + 1) {
            exits.removeFirst();
        }
        return slot.withRow(slot.row() + 1);
    }

    private Slot restarted(Slot slot, Reason reason) {
        return slot.started(new Filled(spawned(slot, reason), Optional.empty()));
    }

    private Serving replaced(Slot slot, Reason reason) {
        if (!(slot.occupancy() instanceof Filled(Worker old, _))) {
            throw new IllegalStateException("slot: found " + slot + "; expected one worker to replace");
        }
        Occupancy overlapping = new Overlapping(old, spawned(slot, reason), reason);
        return before.withSlot(slot.started(overlapping));
    }

    private Worker spawned(Slot slot, Reason reason) {
        WorkerId id = slot.nextId(before.number());
        Worker worker = workers.spawn(id);
        turn.note(new Fact.WorkerRestarted(id, reason));
        return worker;
    }

    private Worker moved(Worker worker, MovesWorker event) {
        if (!event.concerns(worker.id())) {
            return worker;
        }
        Worker next = workers.step(worker, event);
        return next instanceof Prepared prepared ? workers.commit(prepared) : next;
    }

    /// How many exits there were in a row, now that a worker may have left service.
    private int row(Slot slot, Worker before, Worker after) {
        boolean left = before instanceof InService && !(after instanceof InService);
        boolean steady = before instanceof InService one
                && turn.now().since(one.since()).compareTo(policy.steady()) >= 0;
        return left && steady ? 0 : slot.row();
    }
}

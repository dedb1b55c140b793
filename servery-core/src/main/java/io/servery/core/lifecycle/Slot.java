package io.servery.core.lifecycle;

import io.servery.core.lifecycle.Worker.Gone;
import io.servery.core.lifecycle.Worker.Ready;
import io.servery.core.reason.Reason;
import java.util.Optional;

/// The place of one worker in a generation that serves.
///
///     Filled ──ended──► Waiting ──the wait is over: another process──► Filled    (the first of a row does not wait)
///       │  ▲
///       │  └─── the replacement is ready, or failed, or the old one ended ───┐
///       ├── due ──► Overlapping (the old worker and its replacement) ────────┘
///       └── ended once too often ──► Looping ──► GivenUp, or Waiting while the service is rolled back
///
/// @param incarnations how many processes it has had
/// @param row how many of them ended in a row without one that was ready for ten seconds
public record Slot(int number, int incarnations, int row, Occupancy occupancy) {

    /// Who is there.
    public sealed interface Occupancy {
    }

    /// One worker, in whatever state.
    ///
    /// @param recycleFrom before that no replacement is tried again
    public record Filled(Worker worker, Optional<Moment> recycleFrom) implements Occupancy {
        public Filled {
            requireLiving(worker);
        }
    }

    /// A worker that is well, and the one that is to replace it.
    public record Overlapping(Worker old, Worker replacement, Reason why) implements Occupancy {
        public Overlapping {
            requireLiving(old);
            requireLiving(replacement);
        }
    }

    /// Nobody until then.
    public record Waiting(Moment until, Cause cause) implements Occupancy {
    }

    /// Nobody: this exit was one too many. Only within a step: the service decides at once.
    public record Looping(Cause cause) implements Occupancy {
    }

    /// Nobody, for as long as this generation serves.
    public record GivenUp(Cause cause) implements Occupancy {
    }

    /// The worker of this slot that may read shards.
    public Optional<WorkerId> holder() {
        return switch (occupancy) {
            case Filled(Ready worker, _) -> Optional.of(worker.id());
            case Overlapping(Ready old, _, _) -> Optional.of(old.id());
            case Filled _,Overlapping _,Waiting _,Looping _,GivenUp _ -> Optional.empty();
        };
    }

    WorkerId nextId(int generation) {
        return new WorkerId(generation, number, incarnations + 1);
    }

    Slot with(Occupancy next) {
        return new Slot(number, incarnations, row, next);
    }

    Slot withRow(int next) {
        return new Slot(number, incarnations, next, occupancy);
    }

    /// With one more process than it had.
    Slot started(Occupancy next) {
        return new Slot(number, incarnations + 1, row, next);
    }

    /// Why a worker that is well should be replaced, and from when on.
    Optional<Due> due(Plan.Recycling policy) {
        if (!(occupancy instanceof Filled(Ready worker, Optional<Moment> recycleFrom))) {
            return Optional.empty();
        }
        Optional<Due> due = Optional.empty();
        if (policy.requestsMax() > 0 && worker.pulse().requests() >= policy.requestsMax()) {
            due = Optional.of(new Due(worker.since(), Reason.RECYCLE_REQUESTS));
        } else if (policy.ageMax().isPositive()) {
            due = Optional.of(new Due(worker.since().plus(policy.age(worker.id())), Reason.RECYCLE_AGE));
        }
        return due.map(one -> one.notBefore(recycleFrom));
    }

    /// When a replacement is due, and why.
    record Due(Moment at, Reason reason) {
        Due notBefore(Optional<Moment> earliest) {
            return earliest.filter(moment -> moment.compareTo(at) > 0).map(moment -> new Due(moment, reason))
                    .orElse(this);
        }
    }

    private static void requireLiving(Worker worker) {
        if (worker instanceof Gone) {
            throw new IllegalArgumentException("slot: found " + worker + "; expected a worker that is there");
        }
    }
}

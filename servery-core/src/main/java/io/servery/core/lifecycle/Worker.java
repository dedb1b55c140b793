package io.servery.core.lifecycle;

import java.util.Optional;

/// One worker process as its parent sees it.
///
///     spawn ─► Starting ─Hello─► Preparing ─Prepared─► Prepared ─commit─► Committed ─Ready─► Ready ◄─heard─ Silent
///                 │                  │                    │                   │                │ └─silence──►│
///                 └──── failed, channel closed, late ─────┴───────────────────┘        failed  │ drain       │ hang
///                                    │         ┌───────────────────────────────────────────────┤             │
///                                    ▼         ▼                                               ▼             │
///                                  Terminating (TERM) ◄──────────── end of the drain ─────── Draining        │
///                                    │ force timeout                                                         │
///                                    ▼                                                                       │
///                                  Killed (KILL) ◄───────────────────────────────────────────────────────────┘
///                                    │ force timeout: a survivor
///                                    ▼
///                                  Gone ◄── the process was reaped, in whatever state
///
/// A worker takes connections in no state but `Ready`, `Silent` and, to empty its queues, `Draining`.
public sealed interface Worker {
    WorkerId id();

    /// It is on its way to be ready, until when it has to be.
    sealed interface Unready extends Worker {
        Moment until();
    }

    /// It is ready, or was until it fell silent.
    sealed interface InService extends Worker {
        /// When it became ready.
        Moment since();

        Pulse pulse();
    }

    /// It has to leave.
    sealed interface Leaving extends Worker {
        Moment until();

        Cause why();
    }

    /// Spawned; nothing heard of it.
    record Starting(WorkerId id, Moment until) implements Unready {
    }

    /// It has its listeners and its configuration.
    record Preparing(WorkerId id, Moment until) implements Unready {
    }

    /// It could serve, and waits for those beside it: the deadline is theirs.
    record Prepared(WorkerId id, Moment until) implements Unready {
    }

    /// It was told to commit.
    record Committed(WorkerId id, Moment until) implements Unready {
    }

    record Ready(WorkerId id, Moment since, Pulse pulse) implements InService {
    }

    /// An event loop was not heard of for a second.
    record Silent(WorkerId id, Moment since, Pulse pulse) implements InService {
    }

    /// It was told to drain.
    record Draining(WorkerId id, Moment until, Cause why) implements Leaving {
    }

    /// TERM was sent to its group.
    record Terminating(WorkerId id, Moment until, Cause why) implements Leaving {
    }

    /// KILL was sent to its group.
    record Killed(WorkerId id, Moment until, Cause why) implements Leaving {
    }

    /// Reaped, or given up as a survivor. Its owner forgets it: it is in no state of the machine.
    record Gone(WorkerId id, Cause cause) implements Worker {
    }

    /// When time alone will move it.
    default Optional<Moment> deadline(Plan.Timing timing) {
        return switch (this) {
            case Starting one -> Optional.of(one.until());
            case Preparing one -> Optional.of(one.until());
            case Prepared _ -> Optional.empty();
            case Committed one -> Optional.of(one.until());
            case Ready one -> Optional.of(one.pulse().oldest().plus(timing.silence()));
            case Silent one -> Optional.of(one.pulse().oldest().plus(timing.hang()));
            case Leaving one -> Optional.of(one.until());
            case Gone _ -> Optional.empty();
        };
    }
}

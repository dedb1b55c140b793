package io.servery.core.lifecycle;

import io.servery.core.control.Report;

/// Something that happened: the only thing that moves the machine.
///
/// Events are delivered in the order in which they happened as far as can be told, and time last: [TimePassed] comes after
/// everything that could be read by then, or heartbeats that wait in a channel count as missed.
public sealed interface Event {

    /// When it was noticed; never before the event before it.
    Moment at();

    /// What can move a worker: something of its own, or time.
    sealed interface MovesWorker extends Event {
        /// Whether it may concern the worker with this identity.
        default boolean concerns(WorkerId id) {
            return switch (this) {
                case OfWorker one -> one.worker().equals(id);
                case TimePassed _ -> true;
            };
        }
    }

    /// Something that happened to one worker. About a worker that is gone it is late, and changes nothing.
    sealed interface OfWorker extends MovesWorker {
        WorkerId worker();
    }

    /// A report came over the control channel. A `Hello` counts as come when its token, its build and the pid of its sender
    /// were found to be right; one that is not is [ChannelClosed].
    record Reported(Moment at, WorkerId worker, Report report) implements OfWorker {
    }

    /// The control channel ended, or carried what is no report.
    ///
    /// @param how in words that follow `the worker`: `closed its control channel`
    record ChannelClosed(Moment at, WorkerId worker, String how) implements OfWorker {
    }

    /// The process was reaped.
    record Exited(Moment at, WorkerId worker, ExitStatus status) implements OfWorker {
    }

    /// The process could not be started.
    record SpawnFailed(Moment at, WorkerId worker, String cause) implements OfWorker {
    }

    /// A deadline of [Fleet#deadline] may have come.
    record TimePassed(Moment at) implements MovesWorker {
    }

    /// HUP, or the command `reload`.
    record ReloadRequested(Moment at) implements Event {
    }

    /// The command `rollback`.
    record RollbackRequested(Moment at) implements Event {
    }

    /// The answer to [Effect.Load] or [Effect.Restore]: valid, and every shard of it is bound.
    record ConfigurationAccepted(Moment at, int reload, Plan plan, Change change) implements Event {
    }

    /// The answer to [Effect.Load] or [Effect.Restore]: what served serves on. What was bound for it is closed again.
    record ConfigurationRefused(Moment at, int reload, Cause cause) implements Event {
    }

    /// The command `drain`: take nothing more, finish, stay.
    record DrainRequested(Moment at) implements Event {
    }

    /// The command `stop`; again it says nothing new.
    record StopRequested(Moment at) implements Event {
    }

    /// TERM or INT: the second one, or the first after another stop, forces.
    record StopSignalled(Moment at) implements Event {
    }

    /// By what an accepted configuration differs from what serves.
    enum Change {
        /// By hot keys and nothing else, and by at least one: it is pushed.
        HOT,
        /// By others, or not at all: it takes a new generation.
        GENERATION
    }
}

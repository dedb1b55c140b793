package io.servery.core.lifecycle;

import io.servery.core.reason.Reason;

/// Something that operators want to know of.
public sealed interface Fact {

    record WorkerStarted(WorkerId worker) implements Fact {
    }

    record WorkerReady(WorkerId worker) implements Fact {
    }

    /// An event loop stood still for a second: its shards are lent.
    record WorkerSilent(WorkerId worker) implements Fact {
    }

    /// All event loops of a silent worker turn again.
    record WorkerHeard(WorkerId worker) implements Fact {
    }

    record WorkerExited(WorkerId worker, Cause cause) implements Fact {
    }

    /// A process outlived KILL: it is not waited for any longer, and the exit code will say so.
    record WorkerSurvived(WorkerId worker) implements Fact {
    }

    /// Another worker was started in a slot, and why: what `servery_worker_restarts_total` counts.
    record WorkerRestarted(WorkerId replacement, Reason reason) implements Fact {
    }

    record SlotGivenUp(int slot, Cause cause) implements Fact {
    }

    /// Too many workers of a generation ended within the window.
    record CrashLooped(int generation, Cause cause) implements Fact {
    }

    record ReloadStarted(int reload, Reload.Kind kind) implements Fact {
    }

    record GenerationServed(int generation) implements Fact {
    }

    record GenerationDraining(int generation) implements Fact {
    }

    record GenerationGone(int generation) implements Fact {
    }
}

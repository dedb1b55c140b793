package io.servery.core.lifecycle;

import io.servery.core.reason.Reason;

/// Why a worker, a reload or the service ended: the word for programs and a sentence for people.
public record Cause(Reason reason, String text) {

    /// The reason as the metrics of workers have it: they know no reasons of reloads.
    public Reason ofWorker() {
        return reason.group() == Reason.Group.WORKER ? reason : Reason.STARTUP_FAILURE;
    }
}

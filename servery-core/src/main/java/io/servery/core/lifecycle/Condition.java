package io.servery.core.lifecycle;

import io.servery.core.reason.Reason;
import java.util.List;

/// What the service is, in the words of its operators. All but [#STOPPED] are live; [#READY] alone is ready, as far as
/// workers and listeners go: whoever publishes it adds what else must be there, such as certificates.
public enum Condition {
    /// The first generation is on its way.
    STARTING,
    /// As many workers as must be are ready.
    READY,
    /// Fewer are, and others are on their way.
    RECOVERING,
    /// It takes nothing more; what was accepted finishes.
    DRAINING,
    /// It takes nothing until a reload or a stop.
    WITHDRAWN,
    /// It cannot recover by itself, and is live to say why.
    FAILED,
    STOPPED;

    /// What the service is when something about its certificates is amiss: without any it has not started yet, and without a
    /// valid one it has to recover.
    ///
    /// @param amiss empty where all is well
    public Condition given(List<Cause> amiss) {
        if (this != READY || amiss.isEmpty()) {
            return this;
        }
        return amiss.getFirst().reason() == Reason.CERTIFICATE_MISSING ? STARTING : RECOVERING;
    }
}

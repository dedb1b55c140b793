package io.servery.core.lifecycle;

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
    STOPPED
}

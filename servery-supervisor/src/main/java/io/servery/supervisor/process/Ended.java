package io.servery.supervisor.process;

import io.servery.core.lifecycle.ExitStatus;

/// A process that ended and is reaped: its pid is nobody's any more.
public record Ended(ChildProcess child, ExitStatus status) {
}

package io.servery.supervisor.host;

import io.servery.core.fault.ExitCode;

/// What the host gave, or why it did not.
public sealed interface Outcome<T> {

    record Given<T>(T value) implements Outcome<T> {
    }

    /// The service cannot start so.
    ///
    /// @param message where, what was found, what was expected
    record Refused<T>(String message, ExitCode exitCode) implements Outcome<T> {
    }
}

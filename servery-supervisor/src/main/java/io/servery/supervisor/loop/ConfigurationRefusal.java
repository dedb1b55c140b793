package io.servery.supervisor.loop;

import io.servery.core.fault.ExitCode;

/// A configuration that is valid and cannot be carried out: an address that cannot be bound, say.
public final class ConfigurationRefusal extends Exception {
    private static final long serialVersionUID = 1;

    private final ExitCode code;

    /// @param message where, what was found, what to do
    public ConfigurationRefusal(String message, ExitCode code) {
        super(message);
        this.code = code;
    }

    public ExitCode code() {
        return code;
    }
}

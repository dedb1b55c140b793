package io.servery.core.operator;

import java.util.Locale;

/// What an operator asks for. The words are those of the command line, and of the wire.
public enum OperatorCommand {
    /// How the service is.
    STATUS,
    /// The same in one line, and the exit code 0 only when it is ready.
    READY,
    RELOAD,
    ROLLBACK,
    DRAIN,
    STOP,
    /// A new certificate of the authority, if it is time.
    RENEW,
    /// The same though it is not: `renew --force`.
    FORCE_RENEWAL;

    /// As it is written.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether programs may ask for it as JSON.
    public boolean hasJson() {
        return switch (this) {
            case STATUS, READY -> true;
            case RELOAD, ROLLBACK, DRAIN, STOP, RENEW, FORCE_RENEWAL -> false;
        };
    }
}

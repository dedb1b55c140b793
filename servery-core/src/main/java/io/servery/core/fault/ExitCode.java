package io.servery.core.fault;

/// The exit codes of the command line (those of `sysexits.h` where they fit): scripts and service managers rely on them.
public enum ExitCode {
    /// Done.
    OK(0),
    /// Failed at run time.
    FAILED(1),
    /// The command line itself was wrong, or no JDK 25 could be found.
    USAGE(2),
    /// A listen address could not be bound, or there is no running parent to speak to.
    UNAVAILABLE(69),
    /// A bug in Servery.
    SOFTWARE(70),
    /// Temporary: another parent holds the runtime directory.
    TEMPORARY(75),
    /// Permission denied.
    PERMISSION(77),
    /// The configuration, or what it names, is wrong.
    CONFIGURATION(78);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}

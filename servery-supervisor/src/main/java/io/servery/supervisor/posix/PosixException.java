package io.servery.supervisor.posix;

import java.io.IOException;

/// A function of the C library failed.
public final class PosixException extends IOException {
    private static final long serialVersionUID = 1;

    private final int errno;

    PosixException(String function, int errno) {
        super(function + ": " + Errno.text(errno));
        this.errno = errno;
    }

    private PosixException(String subject, PosixException cause) {
        super(subject + ": " + cause.getMessage(), cause);
        this.errno = cause.errno;
    }

    /// The same failure with what it is about in front: a path, a program.
    public PosixException about(String subject) {
        return new PosixException(subject, this);
    }

    /// The number, as [Errno] names some of them.
    public int errno() {
        return errno;
    }

    public boolean is(int expected) {
        return errno == expected;
    }
}

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

    /// The number, as [Errno] names some of them.
    public int errno() {
        return errno;
    }

    public boolean is(int expected) {
        return errno == expected;
    }
}

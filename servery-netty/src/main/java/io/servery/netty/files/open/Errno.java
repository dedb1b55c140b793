package io.servery.netty.files.open;

import io.servery.http.exchange.Refusal;

/// The error numbers of Linux that opening a file can meet, and what a client is told of each.
final class Errno {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EIO = 5;
    static final int ENXIO = 6;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int ENODEV = 19;
    static final int EXDEV = 18;
    static final int ENOTDIR = 20;
    static final int EINVAL = 22;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int ENAMETOOLONG = 36;
    static final int ENOSYS = 38;
    static final int ELOOP = 40;

    private Errno() {
    }

    /// The row of the refusal table. What is not there, what lies outside and what is no regular file look the same to a
    /// client: the difference is none of its business.
    static Refusal refusal(int errno) {
        return switch (errno) {
            case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP, EXDEV, ENXIO, ENODEV -> Refusal.NOT_FOUND;
            case EACCES, EPERM -> Refusal.FORBIDDEN;
            case EMFILE, ENFILE -> Refusal.DESCRIPTORS_EXHAUSTED;
            default -> Refusal.STORAGE_FAILED;
        };
    }
}

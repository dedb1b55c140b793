package io.servery.supervisor.posix;

import java.lang.foreign.MemorySegment;

/// Numbers of errno on Linux, those that decide something here.
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EAGAIN = 11;
    public static final int EACCES = 13;
    public static final int EEXIST = 17;
    public static final int EPIPE = 32;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ECONNRESET = 104;
    public static final int ECONNREFUSED = 111;
    public static final int ECHILD = 10;

    private static final long TEXT_BYTES_MAX = 256;
    private static final Posix STRERROR = new LibraryFunction("strerror");

    private Errno() {
    }

    /// What the C library says of a number.
    static String text(int errno) {
        synchronized (Errno.class) { // strerror(3) may use one buffer for all threads
            MemorySegment text = MemorySegment.ofAddress(STRERROR.callUnchecked(errno))
                    .reinterpret(TEXT_BYTES_MAX);
            return text.getString(0) + " (errno " + errno + ")";
        }
    }
}

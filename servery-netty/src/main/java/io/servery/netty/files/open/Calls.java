package io.servery.netty.files.open;

import io.servery.supervisor.posix.SystemCall;
import org.jspecify.annotations.Nullable;

/// The system calls of this package, and the one seam where tests make them fail.
///
/// Paths are bytes without a terminator. A negative result is an error number with its sign turned, as the kernel gives it.
interface Calls {
    int AT_FDCWD = -100;

    /// Those of the running kernel, the fastest way.
    static Calls ofKernel() {
        return SystemCall.isAvailable() ? new KernelCalls() : new LinuxCalls();
    }

    /// `openat2(2)`.
    int openat2(int directory, byte[] path, int flags, int resolve);

    /// `openat(2)`; never with O_CREAT.
    int openat(int directory, byte[] path, int flags);

    /// `statx(2)` of the name in the directory, which is not followed if it is a link; of the descriptor itself when the
    /// name is empty.
    int stat(int directory, byte[] name, Attributes into);

    /// `readlink(2)`: where the link points, or null when that cannot be read.
    byte @Nullable [] readlink(byte[] path);

    /// `getdents64(2)`: how many bytes of entries were put into the array, 0 at the end.
    int getdents(int directory, byte[] into);

    /// `preadv2(2)` of one byte with RWF_NOWAIT: 1, 0 at the end of the file, EAGAIN where the byte is on the disk alone, and
    /// other errors where the file system does not tell.
    int peek(int descriptor, long position);

    /// `memfd_create(2)`: an empty file in memory, which no directory names.
    int memfd(byte[] name, int flags);

    /// `write(2)`: how many of the bytes were written.
    int write(int descriptor, byte[] bytes, int from, int count);

    /// `fcntl(2)` with F_ADD_SEALS.
    int seal(int descriptor, int seals);

    /// `close(2)`; what it says is of no use: the descriptor is gone in any case.
    void close(int descriptor);
}

package io.servery.netty.files.open;

/// Flags of `open(2)` and `openat2(2)`; two of them differ by architecture.
final class OpenFlags {
    private static final boolean AARCH64 = System.getProperty("os.arch").equals("aarch64");

    static final int O_NOCTTY = 0x100;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;
    static final int O_PATH = 0x200000;
    static final int O_DIRECTORY = AARCH64 ? 0x4000 : 0x10000;
    static final int O_NOFOLLOW = AARCH64 ? 0x8000 : 0x20000;

    static final int RESOLVE_NO_MAGICLINKS = 0x02;
    static final int RESOLVE_NO_SYMLINKS = 0x04;
    static final int RESOLVE_BENEATH = 0x08;

    /// Reading, without waiting for the other end of a FIFO, without a terminal, not inherited by a process we start.
    static final int READ = O_NONBLOCK | O_CLOEXEC | O_NOCTTY;

    /// A place in the tree: it can be looked at and opened from, and opening it has no effect on a device.
    static final int PLACE = O_PATH | O_CLOEXEC;

    private OpenFlags() {
    }
}

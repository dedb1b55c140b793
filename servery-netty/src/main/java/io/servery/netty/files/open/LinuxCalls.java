package io.servery.netty.files.open;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// The system calls, by the C library of the process (x86_64 and aarch64).
final class LinuxCalls implements Calls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final long ERRNO_OFFSET = Linker.Option.captureStateLayout()
            .byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final boolean AARCH64 = System.getProperty("os.arch").equals("aarch64");
    private static final long SYS_OPENAT2 = 437;
    private static final long SYS_OPENAT = AARCH64 ? 56 : 257;
    private static final long SYS_READLINKAT = AARCH64 ? 78 : 267;
    private static final long SYS_GETDENTS64 = AARCH64 ? 61 : 217;
    private static final long SYS_PREADV2 = AARCH64 ? 286 : 327;
    private static final long SYS_STATX = AARCH64 ? 291 : 332;
    private static final long SYS_MEMFD_CREATE = AARCH64 ? 279 : 319;
    private static final long SYS_WRITE = AARCH64 ? 64 : 1;
    private static final long SYS_FCNTL = AARCH64 ? 25 : 72;
    private static final long SYS_CLOSE = AARCH64 ? 57 : 3;
    private static final long AT_FDCWD = -100;
    private static final long AT_SYMLINK_NOFOLLOW = 0x100;
    private static final long AT_EMPTY_PATH = 0x1000;
    private static final long F_ADD_SEALS = 1033;
    private static final long STATX_BASIC_STATS = 0x7ff;
    private static final long RWF_NOWAIT = 8;
    private static final long IOVEC_BYTES = 16;
    private static final long OPEN_HOW_BYTES = 24;
    private static final long STATX_BYTES = 256;
    private static final int PATH_BYTES_MAX = 4096;
    private static final int WRITTEN_BYTES_MAX = 64 << 10;

    // One shape for all: the linker spends milliseconds of every start on each. Whole numbers and addresses travel alike,
    // and a system call does not look at what follows its own arguments.
    private static final MethodHandle SYSCALL = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("syscall"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG),
            ERRNO,
            Linker.Option.firstVariadicArg(1));

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);
    private static final long EMPTY_PATH = Arena.global().allocate(1).address();

    @Override
    public int openat2(int directory, byte[] path, int flags, int resolve) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment how = arena.allocate(OPEN_HOW_BYTES, 8);
            how.set(JAVA_LONG, 0, flags);
            how.set(JAVA_LONG, 16, resolve);
            MemorySegment errno = errno(arena);
            return result(
                    (long) SYSCALL.invokeExact(errno, SYS_OPENAT2, (long) directory, text(arena, path), how.address(),
                            OPEN_HOW_BYTES, 0L, 0L),
                    errno);
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    @Override
    public int openat(int directory, byte[] path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = errno(arena);
            return result(
                    (long) SYSCALL.invokeExact(errno, SYS_OPENAT, (long) directory, text(arena, path), (long) flags,
                            0L, 0L, 0L),
                    errno);
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    @Override
    public int stat(int directory, byte[] name, Attributes into) {
        if (name.length == 0) {
            return stat(directory, into);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = errno(arena);
            MemorySegment statx = arena.allocate(STATX_BYTES, 8);
            int result = result((long) SYSCALL.invokeExact(errno, SYS_STATX, (long) directory, text(arena, name),
                    AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, statx.address(), 0L), errno);
            if (result >= 0) {
                fill(into, statx);
            }
            return result;
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    /// What a descriptor stands for: asked for every answer that is sent from a file, so it allocates nothing.
    private static int stat(int descriptor, Attributes into) {
        Scratch scratch = SCRATCH.get();
        try {
            int result = result((long) SYSCALL.invokeExact(scratch.errno, SYS_STATX, (long) descriptor, EMPTY_PATH,
                    AT_EMPTY_PATH, STATX_BASIC_STATS, scratch.statxAddress, 0L), scratch.errno);
            if (result >= 0) {
                fill(into, scratch.statx);
            }
            return result;
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    /// Native memory of one thread for one call at a time; the collector frees it with the thread.
    private static final class Scratch {
        private final Arena arena = Arena.ofAuto();
        final MemorySegment errno = errno(arena);
        final MemorySegment statx = arena.allocate(STATX_BYTES, 8);
        final long statxAddress = statx.address();
        /// struct iovec: one byte, of the memory behind it
        final MemorySegment iovec = arena.allocate(IOVEC_BYTES + 1, Long.BYTES);
        final long iovecAddress = iovec.address();

        Scratch() {
            iovec.set(JAVA_LONG, 0, iovecAddress + IOVEC_BYTES);
            iovec.set(JAVA_LONG, Long.BYTES, 1);
        }
    }

    private static void fill(Attributes into, MemorySegment statx) {
        into.mode = Short.toUnsignedInt(statx.get(JAVA_SHORT, 28));
        into.inode = statx.get(JAVA_LONG, 32);
        into.size = statx.get(JAVA_LONG, 40);
        into.changedSecond = statx.get(JAVA_LONG, 96);
        into.changedNanos = statx.get(JAVA_INT, 104);
        into.modifiedSecond = statx.get(JAVA_LONG, 112);
        into.modifiedNanos = statx.get(JAVA_INT, 120);
        into.device = (long) statx.get(JAVA_INT, 136) << 32 | Integer.toUnsignedLong(statx.get(JAVA_INT, 140));
    }

    @Override
    public byte @Nullable [] readlink(byte[] path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = errno(arena);
            MemorySegment target = arena.allocate(PATH_BYTES_MAX);
            int length = result(
                    (long) SYSCALL.invokeExact(errno, SYS_READLINKAT, AT_FDCWD, text(arena, path), target.address(),
                            (long) PATH_BYTES_MAX, 0L, 0L),
                    errno);
            return length < 0 || length == PATH_BYTES_MAX ? null : target.asSlice(0, length).toArray(JAVA_BYTE);
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    @Override
    public int getdents(int directory, byte[] into) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = errno(arena);
            MemorySegment entries = arena.allocate(into.length, 8);
            int length = result(
                    (long) SYSCALL.invokeExact(errno, SYS_GETDENTS64, (long) directory, entries.address(),
                            (long) into.length, 0L, 0L, 0L),
                    errno);
            if (length > 0) {
                MemorySegment.copy(entries, JAVA_BYTE, 0, into, 0, length);
            }
            return length;
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    @Override
    public int peek(int descriptor, long position) {
        Scratch scratch = SCRATCH.get();
        try {
            return result(
                    (long) SYSCALL.invokeExact(scratch.errno, SYS_PREADV2, (long) descriptor, scratch.iovecAddress,
                            1L, position, 0L, RWF_NOWAIT),
                    scratch.errno);
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    @Override
    public int memfd(byte[] name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = errno(arena);
            return result((long) SYSCALL.invokeExact(errno, SYS_MEMFD_CREATE, text(arena, name), (long) flags, 0L, 0L,
                    0L, 0L), errno);
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    @Override
    public int write(int descriptor, byte[] bytes, int from, int count) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = errno(arena);
            int part = Math.min(count, WRITTEN_BYTES_MAX);
            MemorySegment written = arena.allocate(part);
            MemorySegment.copy(bytes, from, written, JAVA_BYTE, 0, part);
            return result((long) SYSCALL.invokeExact(errno, SYS_WRITE, (long) descriptor, written.address(),
                    (long) part, 0L, 0L, 0L), errno);
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    @Override
    public int seal(int descriptor, int seals) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = errno(arena);
            return result((long) SYSCALL.invokeExact(errno, SYS_FCNTL, (long) descriptor, F_ADD_SEALS, (long) seals, 0L,
                    0L, 0L), errno);
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    @Override
    public void close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            long ignored = (long) SYSCALL.invokeExact(errno(arena), SYS_CLOSE, (long) descriptor, 0L, 0L, 0L, 0L, 0L);
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    private static MemorySegment errno(Arena arena) {
        return arena.allocate(Linker.Option.captureStateLayout());
    }

    private static int result(long returned, MemorySegment errno) {
        return returned >= 0 ? (int) returned : -errno.get(JAVA_INT, ERRNO_OFFSET);
    }

    /// The address of the path's bytes, ended by a zero; theirs until the arena closes.
    private static long text(Arena arena, byte[] path) {
        MemorySegment text = arena.allocate(path.length + 1L);
        MemorySegment.copy(path, 0, text, JAVA_BYTE, 0, path.length);
        return text.address();
    }

    // A handle declares Throwable and throws nothing but bugs: the wrong types, a closed arena.
    private static IllegalStateException unexpected(Throwable bug) {
        if (bug instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("system call: " + bug.getMessage(), bug);
    }
}

package io.servery.netty.files.open;

import static java.lang.foreign.ValueLayout.ADDRESS;
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
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The system calls, by the C library of the process (x86_64 and aarch64).
final class LinuxCalls implements Calls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final VarHandle ERRNO_VALUE = Linker.Option.captureStateLayout()
            .varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final long SYS_OPENAT2 = 437;
    private static final long SYS_GETDENTS64 = System.getProperty("os.arch").equals("aarch64") ? 61 : 217;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final long OPEN_HOW_BYTES = 24;
    private static final long STATX_BYTES = 256;
    private static final int PATH_BYTES_MAX = 4096;

    // C passes arguments that follow the named ones in its own way: the linker must know where they begin.
    private static final MethodHandle SYSCALL_OPENAT2 = handle("syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG), 1);
    private static final MethodHandle SYSCALL_GETDENTS = handle("syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG), 1);
    private static final MethodHandle OPENAT = handle("openat",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), 3);
    private static final MethodHandle STATX = handle("statx",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS), 0);
    private static final MethodHandle READLINK = handle("readlink",
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG), 0);
    private static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), 0);

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);
    private static final MemorySegment EMPTY_PATH = Arena.global().allocate(1);

    @Override
    public int openat2(int directory, byte[] path, int flags, int resolve) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment how = arena.allocate(OPEN_HOW_BYTES, 8);
            how.set(JAVA_LONG, 0, flags);
            how.set(JAVA_LONG, 16, resolve);
            MemorySegment errno = errno(arena);
            return result((long) SYSCALL_OPENAT2.invokeExact(errno, SYS_OPENAT2, directory, text(arena, path), how,
                    OPEN_HOW_BYTES), errno);
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    @Override
    public int openat(int directory, byte[] path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = errno(arena);
            return result((int) OPENAT.invokeExact(errno, directory, text(arena, path), flags, 0), errno);
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
            int result = result((int) STATX.invokeExact(errno, directory, text(arena, name), AT_SYMLINK_NOFOLLOW,
                    STATX_BASIC_STATS, statx), errno);
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
            int result = result((int) STATX.invokeExact(scratch.errno, descriptor, EMPTY_PATH, AT_EMPTY_PATH,
                    STATX_BASIC_STATS, scratch.statx), scratch.errno);
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
                    (long) READLINK.invokeExact(errno, text(arena, path), target, (long) PATH_BYTES_MAX), errno);
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
                    (long) SYSCALL_GETDENTS.invokeExact(errno, SYS_GETDENTS64, directory, entries, (long) into.length),
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
    public void close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            int ignored = (int) CLOSE.invokeExact(errno(arena), descriptor);
        } catch (Throwable bug) {
            throw unexpected(bug);
        }
    }

    private static MemorySegment errno(Arena arena) {
        return arena.allocate(Linker.Option.captureStateLayout());
    }

    private static int result(long returned, MemorySegment errno) {
        return returned >= 0 ? (int) returned : -(int) ERRNO_VALUE.get(errno, 0L);
    }

    private static MemorySegment text(Arena arena, byte[] path) {
        MemorySegment text = arena.allocate(path.length + 1L);
        MemorySegment.copy(path, 0, text, JAVA_BYTE, 0, path.length);
        return text;
    }

    private static MethodHandle handle(String name, FunctionDescriptor type, int firstVariadic) {
        MemorySegment symbol = LINKER.defaultLookup().findOrThrow(name);
        return firstVariadic == 0
                ? LINKER.downcallHandle(symbol, type, ERRNO)
                : LINKER.downcallHandle(symbol, type, ERRNO, Linker.Option.firstVariadicArg(firstVariadic));
    }

    // A handle declares Throwable and throws nothing but bugs: the wrong types, a closed arena.
    private static IllegalStateException unexpected(Throwable bug) {
        if (bug instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("system call: " + bug.getMessage(), bug);
    }
}

package io.servery.netty.files.open;

import io.servery.supervisor.posix.SystemCall;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The system calls by the kernel itself, through the JNI (x86_64), where {@link SystemCall} is to be had: the linker of
/// {@link LinuxCalls} takes a good part of a start.
///
/// Each thread has memory of its own for one call at a time; the collector frees it with the thread.
final class KernelCalls implements Calls {
    private static final long SYS_WRITE = 1;
    private static final long SYS_CLOSE = 3;
    private static final long SYS_FCNTL = 72;
    private static final long SYS_GETDENTS64 = 217;
    private static final long SYS_OPENAT = 257;
    private static final long SYS_READLINKAT = 267;
    private static final long SYS_MEMFD_CREATE = 319;
    private static final long SYS_PREADV2 = 327;
    private static final long SYS_STATX = 332;
    private static final long SYS_OPENAT2 = 437;
    private static final long AT_SYMLINK_NOFOLLOW = 0x100;
    private static final long AT_EMPTY_PATH = 0x1000;
    private static final long STATX_BASIC_STATS = 0x7ff;
    private static final long F_ADD_SEALS = 1033;
    private static final int ENAMETOOLONG = 36;

    private static final long RWF_NOWAIT = 8;

    private static final int OPEN_HOW_BYTES = 24;
    private static final int IOVEC_BYTES = 16;
    private static final int STATX_BYTES = 256;
    /// With the zero at its end.
    private static final int PATH_BYTES_MAX = 4096;
    private static final int EMPTY_AT = STATX_BYTES;
    private static final int PATH_AT = EMPTY_AT + 8;
    private static final int RESULT_AT = PATH_AT + PATH_BYTES_MAX;
    private static final int RESULT_BYTES = 32 << 10;

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private static final class Scratch {
        final ByteBuffer memory = ByteBuffer.allocateDirect(RESULT_AT + RESULT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        final long address = SystemCall.addressOf(memory);

        /// The address of the path's bytes, ended by a zero; 0 when it is longer than the kernel takes.
        long path(byte[] path) {
            if (path.length >= PATH_BYTES_MAX) {
                return 0;
            }
            memory.put(PATH_AT, path).put(PATH_AT + path.length, (byte) 0);
            return address + PATH_AT;
        }
    }

    @Override
    public int openat2(int directory, byte[] path, int flags, int resolve) {
        Scratch scratch = SCRATCH.get();
        scratch.memory.putLong(0, flags).putLong(8, 0).putLong(16, resolve);
        long name = scratch.path(path);
        return name == 0
                ? -ENAMETOOLONG
                : (int) SystemCall.of(SYS_OPENAT2, directory, name, scratch.address, OPEN_HOW_BYTES, 0);
    }

    @Override
    public int openat(int directory, byte[] path, int flags) {
        long name = SCRATCH.get().path(path);
        return name == 0 ? -ENAMETOOLONG : (int) SystemCall.of(SYS_OPENAT, directory, name, flags, 0, 0);
    }

    @Override
    public int stat(int directory, byte[] name, Attributes into) {
        Scratch scratch = SCRATCH.get();
        boolean itself = name.length == 0;
        long path = itself ? scratch.address + EMPTY_AT : scratch.path(name);
        if (path == 0) {
            return -ENAMETOOLONG;
        }
        int result = (int) SystemCall.of(SYS_STATX, directory, path, itself ? AT_EMPTY_PATH : AT_SYMLINK_NOFOLLOW,
                STATX_BASIC_STATS, scratch.address);
        if (result >= 0) {
            fill(into, scratch.memory);
        }
        return result;
    }

    private static void fill(Attributes into, ByteBuffer statx) {
        into.mode = Short.toUnsignedInt(statx.getShort(28));
        into.inode = statx.getLong(32);
        into.size = statx.getLong(40);
        into.changedSecond = statx.getLong(96);
        into.changedNanos = statx.getInt(104);
        into.modifiedSecond = statx.getLong(112);
        into.modifiedNanos = statx.getInt(120);
        into.device = (long) statx.getInt(136) << 32 | Integer.toUnsignedLong(statx.getInt(140));
    }

    @Override
    public byte @Nullable [] readlink(byte[] path) {
        Scratch scratch = SCRATCH.get();
        long name = scratch.path(path);
        int length = name == 0
                ? -ENAMETOOLONG
                : (int) SystemCall.of(SYS_READLINKAT, AT_FDCWD, name, scratch.address + RESULT_AT, PATH_BYTES_MAX, 0);
        if (length < 0 || length == PATH_BYTES_MAX) {
            return null;
        }
        byte[] target = new byte[length];
        scratch.memory.get(RESULT_AT, target);
        return target;
    }

    @Override
    public int getdents(int directory, byte[] into) {
        Scratch scratch = SCRATCH.get();
        int length = (int) SystemCall.of(SYS_GETDENTS64, directory, scratch.address + RESULT_AT,
                Math.min(into.length, RESULT_BYTES), 0, 0);
        if (length > 0) {
            scratch.memory.get(RESULT_AT, into, 0, length);
        }
        return length;
    }

    @Override
    public int peek(int descriptor, long position) {
        Scratch scratch = SCRATCH.get();
        // struct iovec: one byte, of the memory behind it
        scratch.memory.putLong(0, scratch.address + IOVEC_BYTES).putLong(8, 1);
        return (int) SystemCall.of(SYS_PREADV2, descriptor, scratch.address, 1, position, 0, RWF_NOWAIT);
    }

    @Override
    public int memfd(byte[] name, int flags) {
        long text = SCRATCH.get().path(name);
        return text == 0 ? -ENAMETOOLONG : (int) SystemCall.of(SYS_MEMFD_CREATE, text, flags, 0, 0, 0);
    }

    @Override
    public int write(int descriptor, byte[] bytes, int from, int count) {
        Scratch scratch = SCRATCH.get();
        int part = Math.min(count, RESULT_BYTES);
        scratch.memory.put(RESULT_AT, bytes, from, part);
        return (int) SystemCall.of(SYS_WRITE, descriptor, scratch.address + RESULT_AT, part, 0, 0);
    }

    @Override
    public int seal(int descriptor, int seals) {
        return (int) SystemCall.of(SYS_FCNTL, descriptor, F_ADD_SEALS, seals, 0, 0);
    }

    @Override
    public void close(int descriptor) {
        SystemCall.of(SYS_CLOSE, descriptor, 0, 0, 0, 0);
    }
}

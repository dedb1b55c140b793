package io.servery.netty.files.open;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// The system calls, some of which fail as they are told to, or after something else has happened.
public final class FaultyCalls implements Calls {
    private final LinuxCalls calls = new LinuxCalls();
    private final Map<String, Integer> failing = new ConcurrentHashMap<>();
    private final Map<String, Runnable> preludes = new ConcurrentHashMap<>();

    /// The flags of every attempt to make a file in memory.
    final List<Integer> memfdFlags = new CopyOnWriteArrayList<>();

    /// Makes every call of that name fail with this error number, or work again with 0.
    public FaultyCalls fail(String call, int errno) {
        if (errno == 0) {
            failing.remove(call);
        } else {
            failing.put(call, errno);
        }
        return this;
    }

    /// As on a kernel that does not know the call.
    public static FaultyCalls withoutOpenat2() {
        return new FaultyCalls().fail("openat2", Errno.ENOSYS);
    }

    /// Has something happen at every call of that name, on the thread that calls.
    public void before(String call, Runnable prelude) {
        preludes.put(call, prelude);
    }

    private int failure(String call) {
        preludes.getOrDefault(call, () -> {
        }).run();
        return -failing.getOrDefault(call, 0);
    }

    @Override
    public int openat2(int directory, byte[] path, int flags, int resolve) {
        int failure = failure("openat2");
        return failure == 0 ? calls.openat2(directory, path, flags, resolve) : failure;
    }

    @Override
    public int openat(int directory, byte[] path, int flags) {
        int failure = failure("openat");
        return failure == 0 ? calls.openat(directory, path, flags) : failure;
    }

    @Override
    public int stat(int directory, byte[] name, Attributes into) {
        int failure = failure("stat");
        return failure == 0 ? calls.stat(directory, name, into) : failure;
    }

    @Override
    public byte @Nullable [] readlink(byte[] path) {
        return failure("readlink") == 0 ? calls.readlink(path) : null;
    }

    @Override
    public int getdents(int directory, byte[] into) {
        int failure = failure("getdents");
        return failure == 0 ? calls.getdents(directory, into) : failure;
    }

    @Override
    public int peek(int descriptor, long position) {
        int failure = failure("peek");
        return failure == 0 ? calls.peek(descriptor, position) : failure;
    }

    @Override
    public int memfd(byte[] name, int flags) {
        int failure = failure("memfd");
        memfdFlags.add(flags);
        return failure == 0 ? calls.memfd(name, flags) : failure;
    }

    @Override
    public int write(int descriptor, byte[] bytes, int from, int count) {
        int failure = failure("write");
        return failure == 0 ? calls.write(descriptor, bytes, from, count) : failure;
    }

    @Override
    public int seal(int descriptor, int seals) {
        int failure = failure("seal");
        return failure == 0 ? calls.seal(descriptor, seals) : failure;
    }

    @Override
    public void close(int descriptor) {
        calls.close(descriptor);
    }
}

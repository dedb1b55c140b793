package io.servery.netty.thread;

import io.servery.supervisor.posix.Posix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.function.Predicate;

/// The processors of this process while it starts beside others that serve: half of those it may use, one at least. On what is
/// left nothing of a start runs, so that whoever serves has where to run at once; the kernel finds such a processor by itself.
///
/// sched_setaffinity(2) on each thread, and so on what each of those starts; on a host with one processor, or where the kernel
/// refuses, all stays as it is.
///
/// *Owner*: the thread that starts the process, then the one that ends the start.
public final class Processors {
    private static final Posix SCHED_SETAFFINITY = Posix.systemCall("sched_setaffinity", 203, 122);
    private static final Posix SCHED_GETAFFINITY = Posix.systemCall("sched_getaffinity", 204, 123);
    /// Room for 8192 processors, the most that Linux is built for.
    private static final int MASK_BYTES = 1024;

    private final byte[] allowed;

    private Processors(byte[] allowed) {
        this.allowed = allowed;
    }

    /// From now on all threads of this process run on half of the processors.
    public static Processors half() {
        byte[] allowed = allowed();
        BitSet kept = BitSet.valueOf(allowed);
        int half = Math.max(1, kept.cardinality() / 2);
        while (kept.cardinality() > half) {
            kept.clear(kept.nextSetBit(0));
        }
        if (!kept.isEmpty()) {
            bind(kept.toByteArray(), _ -> true);
        }
        return new Processors(allowed);
    }

    /// All but the compilers run where they may again: those have work for some seconds yet.
    public void releaseServing() {
        bind(allowed, thread -> !Threads.isCompiler(thread));
    }

    /// All run where they may again.
    public void releaseAll() {
        bind(allowed, _ -> true);
    }

    /// The mask of the calling thread, without a bit where the kernel does not tell.
    private static byte[] allowed() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            byte[] bytes = new byte[MASK_BYTES];
            if (SCHED_GETAFFINITY.tryCall(Threads.CALLING, MASK_BYTES, mask.address()) > 0) {
                mask.asByteBuffer().get(bytes);
            }
            return bytes;
        }
    }

    private static void bind(byte[] mask, Predicate<String> threads) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(MASK_BYTES, Long.BYTES);
            memory.asByteBuffer().put(mask);
            Threads.each(threads, thread -> SCHED_SETAFFINITY.tryCall(thread, MASK_BYTES, memory.address()));
        }
    }
}

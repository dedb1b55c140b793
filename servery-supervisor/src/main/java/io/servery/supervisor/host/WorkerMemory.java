package io.servery.supervisor.host;

import io.servery.core.fault.ExitCode;
import java.util.OptionalLong;

/// How large the heap of a worker may be, and its buffers outside of it, so that the parent and two generations of workers
/// (a reload) fit into the limit.
public record WorkerMemory(long heapBytes, long directBytes) {
    private static final long MEBIBYTE = 1L << 20;
    /// Of a worker beside its heap and its buffers: code, classes, stacks, the C library. PSS after load was 72 to 98 MiB
    /// with some 30 of heap in it (docs/adr/0015).
    private static final long OUTSIDE_BYTES = 64 * MEBIBYTE;
    /// What the program itself keeps.
    private static final long HEAP_BYTES_MIN = 40 * MEBIBYTE;
    private static final long DIRECT_BYTES_MIN = 16 * MEBIBYTE;
    /// Buffers take at most this part of the limit, all workers together, where nobody says how large they may be.
    private static final int DIRECT_PARTS = 4;
    /// While a reload is under way. There may be a third, of an older one that still drains: it has shrunk by then.
    private static final int GENERATIONS = 2;

    /// What there is and what is wanted.
    ///
    /// @param workers how many serve
    /// @param parentBytes what the parent itself takes
    /// @param heapNeedBytes what the configuration may fill
    /// @param heap `runtime.worker_heap`
    /// @param direct `runtime.worker_direct_memory`
    public record Wanted(MemoryLimit limit, int workers, long parentBytes, long heapNeedBytes, OptionalLong heap,
            OptionalLong direct) {
    }

    /// Shares the limit out.
    public static Outcome<WorkerMemory> of(Wanted wanted) {
        int processes = processes(wanted);
        long room = (wanted.limit().bytes() - wanted.parentBytes()) / processes - OUTSIDE_BYTES;
        long heapLeast = wanted.heap().orElse(HEAP_BYTES_MIN);
        long directLeast = wanted.direct().orElse(DIRECT_BYTES_MIN);
        if (heapLeast + directLeast > room) {
            long needed = (heapLeast + directLeast + OUTSIDE_BYTES) * processes + wanted.parentBytes();
            return new Outcome.Refused<>("runtime.workers: found " + wanted.workers() + " (and as many again while a "
                    + "reload replaces them), each with a heap of at least " + mebibytes(heapLeast)
                    + " and buffers of at least "
                    + mebibytes(directLeast) + ", which takes " + mebibytes(needed) + "; expected at most "
                    + mebibytes(wanted.limit().bytes()) + " (" + wanted.limit().source() + ")",
                    ExitCode.CONFIGURATION);
        }
        return new Outcome.Given<>(share(wanted, room, directLeast));
    }

    /// The heap has what it may need before buffers get more than the least.
    private static WorkerMemory share(Wanted wanted, long room, long directLeast) {
        long heapMost = Math.min(Math.max(wanted.heapNeedBytes(), HEAP_BYTES_MIN), room - directLeast);
        long heap = wanted.heap().orElse(whole(heapMost));
        long directMost = Math.min(room - heap, wanted.limit().bytes() / DIRECT_PARTS / processes(wanted));
        long direct = wanted.direct().orElse(Math.max(whole(directMost), DIRECT_BYTES_MIN));
        return new WorkerMemory(heap, direct);
    }

    private static int processes(Wanted wanted) {
        return wanted.workers() * GENERATIONS;
    }

    private static long whole(long bytes) {
        return bytes / MEBIBYTE * MEBIBYTE;
    }

    private static String mebibytes(long bytes) {
        return Math.ceilDiv(bytes, MEBIBYTE) + " MiB";
    }
}

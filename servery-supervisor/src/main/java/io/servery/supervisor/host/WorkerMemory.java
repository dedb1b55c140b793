package io.servery.supervisor.host;

import io.servery.core.fault.ExitCode;
import java.util.OptionalLong;

/// How large the heap of a worker may be, its buffers outside of it, and what it compressed, which is outside too, so that
/// the parent and two generations of workers (a reload) fit into the limit.
public record WorkerMemory(long heapBytes, long directBytes, long formBytes) {
    private static final long MEBIBYTE = 1L << 20;
    /// Of a worker beside its heap and its buffers: code, classes, stacks, the C library. PSS after load was 72 to 98 MiB
    /// with some 30 of heap in it (docs/adr/0015).
    private static final long OUTSIDE_BYTES = 64 * MEBIBYTE;
    /// What the program itself keeps.
    private static final long HEAP_BYTES_MIN = 40 * MEBIBYTE;
    private static final long DIRECT_BYTES_MIN = 16 * MEBIBYTE;
    /// Enough to compress one file after another.
    private static final long FORM_BYTES_MIN = 8 * MEBIBYTE;
    /// Buffers take at most this part of the limit, all workers together, where nobody says how large they may be.
    private static final int DIRECT_PARTS = 4;
    /// While a reload is under way. There may be a third, of an older one that still drains: it has shrunk by then.
    private static final int GENERATIONS = 2;

    /// What there is and what is wanted.
    ///
    /// @param workers how many serve
    /// @param parentBytes what the parent itself takes
    /// @param need what the configuration may fill
    /// @param heap `runtime.worker_heap`
    /// @param direct `runtime.worker_direct_memory`
    public record Wanted(MemoryLimit limit, int workers, long parentBytes, Need need, OptionalLong heap,
            OptionalLong direct) {
    }

    /// What a configuration may fill.
    ///
    /// @param formBytes with compressed forms
    public record Need(long heapBytes, long formBytes) {
    }

    /// The least that a worker has.
    private record Least(long heapBytes, long directBytes, long formBytes) {
        static Least of(Wanted wanted) {
            return new Least(wanted.heap().orElse(HEAP_BYTES_MIN), wanted.direct().orElse(DIRECT_BYTES_MIN),
                    Math.min(wanted.need().formBytes(), FORM_BYTES_MIN));
        }

        long bytes() {
            return heapBytes + directBytes + formBytes;
        }
    }

    /// Shares the limit out.
    public static Outcome<WorkerMemory> of(Wanted wanted) {
        int processes = processes(wanted);
        long room = (wanted.limit().bytes() - wanted.parentBytes()) / processes - OUTSIDE_BYTES;
        Least least = Least.of(wanted);
        if (least.bytes() > room) {
            long needed = (least.bytes() + OUTSIDE_BYTES) * processes + wanted.parentBytes();
            return new Outcome.Refused<>("runtime.workers: found " + wanted.workers() + " (and as many again while a "
                    + "reload replaces them), each with a heap of at least " + mebibytes(least.heapBytes())
                    + ", buffers of at least " + mebibytes(least.directBytes()) + " and compressed forms of at least "
                    + mebibytes(least.formBytes()) + ", which takes " + mebibytes(needed) + "; expected at most "
                    + mebibytes(wanted.limit().bytes()) + " (" + wanted.limit().source() + ")",
                    ExitCode.CONFIGURATION);
        }
        return new Outcome.Given<>(share(wanted, room, least));
    }

    /// The heap and the forms have what they may need before buffers get more than the least; where that is not to be had,
    /// each has its part of it.
    private static WorkerMemory share(Wanted wanted, long room, Least least) {
        long shared = room - least.directBytes();
        long heapNeed = Math.max(wanted.need().heapBytes(), HEAP_BYTES_MIN);
        double needed = (double) heapNeed + wanted.need().formBytes();
        long heapMost = needed <= shared
                ? heapNeed
                : Math.clamp((long) (shared * (heapNeed / needed)), least.heapBytes(), shared - least.formBytes());
        long heap = wanted.heap().orElse(whole(heapMost));
        long forms = Math.min(wanted.need().formBytes(), shared - heap);
        long directMost = Math.min(room - heap - forms, wanted.limit().bytes() / DIRECT_PARTS / processes(wanted));
        long direct = wanted.direct().orElse(Math.max(whole(directMost), DIRECT_BYTES_MIN));
        return new WorkerMemory(heap, direct, forms);
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

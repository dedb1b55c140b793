package io.servery.netty.start;

import io.servery.core.config.Resources;

/// How large a heap a configuration may fill: its caches and lanes to their limits, its connections, and what the program
/// itself keeps. Buffers of sockets are outside of it, and compressed forms of more than 64 KiB (docs/adr/0022).
///
/// Without a limit of its own the heap would grow to a quarter of the machine before the serial collector looks at what is
/// dead in the old generation (docs/adr/0015).
public final class HeapNeed {
    private static final long MEBIBYTE = 1L << 20;
    /// Classes, listings that are kept, tables, the young generation, and room to collect in.
    private static final long PROGRAM_BYTES = 33 * MEBIBYTE;
    /// Of one connection beside the head of its request; an idle one takes less than half of it.
    private static final long CONNECTION_BYTES = 4096;
    /// A file that is read into memory comes with its three codings.
    private static final long FORMS_MAX = 4;
    /// What is compressed has at most so many bytes.
    private static final long COMPRESSED_BYTES_MAX = MEBIBYTE;
    /// What a thread that compresses holds: the plain bytes, room for the result, and a result that an encoder made itself.
    private static final long COMPRESSING_BYTES = 3 * COMPRESSED_BYTES_MAX;
    /// What a thread holds that lists a directory, half of them at a time: its entries, and a page in the making.
    private static final long LISTING_BYTES = 7 * MEBIBYTE;
    private static final long DEFAULT_BYTES = 105 * MEBIBYTE;

    private HeapNeed() {
    }

    /// Enough for what is not configured, with 256 connections: who serves gets no less, if the host has so much.
    public static long defaultBytes() {
        return DEFAULT_BYTES + computing(Runtime.getRuntime().availableProcessors());
    }

    /// In bytes, whole mebibytes.
    public static long bytes(Resources resources) {
        long need = PROGRAM_BYTES + resources.fileCacheBytes() + resources.formHeapBytes()
                + computing(resources.lanes().compute(), resources.smallFileBytes())
                + resources.maxConnections() * (CONNECTION_BYTES + resources.maxHeadBytes())
                + FORMS_MAX * resources.lanes().filesystem().threads() * resources.smallFileBytes();
        return Math.ceilDiv(need, MEBIBYTE) * MEBIBYTE;
    }

    /// Work that waits holds a file that is in memory at most, which the cache may have let go of; the others are open.
    private static long computing(Resources.ComputeLane lane, long smallFileBytes) {
        int threads = lane.threads().orElse(Runtime.getRuntime().availableProcessors());
        long waiting = lane.queue() * Math.min(smallFileBytes, COMPRESSED_BYTES_MAX);
        return computing(threads) + Math.min(waiting, lane.bytes() / 2);
    }

    /// A thread that lists keeps the arrays that it compresses with.
    private static long computing(int threads) {
        return threads * COMPRESSING_BYTES + Math.ceilDiv(threads, 2) * LISTING_BYTES;
    }
}

package io.servery.netty.start;

import io.servery.core.config.Resources;

/// How large a heap a configuration may fill: its caches and lanes to their limits, its connections, and what the program
/// itself keeps. Buffers of sockets are outside the heap.
///
/// Without a limit of its own the heap would grow to a quarter of the machine before the serial collector looks at what is
/// dead in the old generation (docs/adr/0015).
public final class HeapNeed {
    private static final long MEBIBYTE = 1L << 20;
    /// Classes, listings, tables, the young generation, and room to collect in.
    private static final long PROGRAM_BYTES = 40 * MEBIBYTE;
    /// Of one connection beside the head of its request; an idle one takes less than half of it.
    private static final long CONNECTION_BYTES = 4096;
    /// A file that is read into memory comes with its three codings.
    private static final long FORMS_MAX = 4;

    /// Enough for what is not configured, with 256 connections: who serves gets no less, if the host has so much.
    public static final long DEFAULT_BYTES = 160 * MEBIBYTE;

    private HeapNeed() {
    }

    /// In bytes, whole mebibytes.
    public static long bytes(Resources resources) {
        long need = PROGRAM_BYTES + resources.fileCacheBytes() + resources.compressionCacheBytes()
                + resources.lanes().compute().bytes()
                + resources.maxConnections() * (CONNECTION_BYTES + resources.maxHeadBytes())
                + FORMS_MAX * resources.lanes().filesystem().threads() * resources.smallFileBytes();
        return Math.ceilDiv(need, MEBIBYTE) * MEBIBYTE;
    }
}

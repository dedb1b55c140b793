package io.servery.netty.files;

import io.servery.http.semantics.AcceptEncoding;
import org.jspecify.annotations.Nullable;

/// A file in the cache: what answers requests, the identities it was read with, and when that was last looked at.
///
/// *Owner*: read by any thread; the links belong to the cache's lock.
final class CachedFile {
    /// So long after a file's last change another change surely has another time (FAT counts in two seconds).
    private static final long SETTLED_MILLIS = 2_000;
    /// Objects, arrays' headers, strings and the map's node beside the bytes that are counted.
    private static final int OVERHEAD_BYTES = 1_536;

    private final String key;
    private final FileTree tree;
    private final KeptSource source;
    private final Identities identities;
    private final boolean settled;
    private volatile long checkedNanos;
    private volatile boolean used;

    @Nullable
    CachedFile previous;
    @Nullable
    CachedFile next;

    /// @param readAt when the file was looked at, before it was opened
    CachedFile(String key, FileTree tree, KeptSource source, Identities identities, Moment readAt) {
        this.key = key;
        this.tree = tree;
        this.source = source;
        this.identities = identities;
        this.checkedNanos = readAt.nanos();
        this.settled = readAt.epochMillis() - identities.changedMillis() > SETTLED_MILLIS;
    }

    /// One moment on both clocks.
    record Moment(long nanos, long epochMillis) {
        static Moment of(TimeSource time) {
            return new Moment(time.nanos(), time.epochMillis());
        }
    }

    String key() {
        return key;
    }

    FileTree tree() {
        return tree;
    }

    /// What answers one request; null when this can serve no more.
    @Nullable
    FileSource take(AcceptEncoding accepted) {
        return source.take(accepted);
    }

    /// Whether it may be answered without looking at the disk.
    boolean fresh(long nowNanos) {
        return nowNanos - checkedNanos < tree.policy().revalidateNanos();
    }

    /// Whether what was opened is what is in memory. A file that was read right after it had changed is never taken for it:
    /// a second change could have left no trace in its times.
    boolean isStill(Identities opened) {
        return settled && identities.equals(opened);
    }

    /// It was looked at, and is still the file on disk.
    void checked(long nanos) {
        checkedNanos = nanos;
    }

    /// It is looked at before it answers again.
    void suspect(long nowNanos) {
        checkedNanos = nowNanos - tree.policy().revalidateNanos();
    }

    /// It answered a request. Written only when that is news, so that the line stays shared between cores.
    void use() {
        if (!used) {
            used = true;
        }
    }

    /// Whether it answered a request since this was last asked.
    boolean takeUse() {
        boolean was = used;
        used = false;
        return was;
    }

    /// What it counts for in the cache.
    long bytes() {
        return source.bytesHeld() + 2L * key.length() + OVERHEAD_BYTES;
    }

    /// How many descriptors it holds open; none for a file in memory.
    int descriptors() {
        return source.descriptors();
    }

    /// The cache keeps it no longer.
    void letGo() {
        source.letGo();
    }
}

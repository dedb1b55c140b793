package io.servery.netty.files;

import io.servery.core.metric.MetricShard;
import org.jspecify.annotations.Nullable;

/// The files that are answered without a look at the disk while they are fresh: small ones in memory, large ones open.
///
/// *Owner*: any thread. *Invariant*: a path is in one of the two caches at most.
final class KeptFiles {
    /// How many descriptors stay open for files that nobody is being sent at the moment. Every process may have 1024 at
    /// least, and connections need theirs.
    static final int DESCRIPTORS_MAX = 256;

    private final FileCache small;
    private final FileCache large;

    /// @param bytesMax how much memory small files take together; 0 keeps nothing, open files neither
    KeptFiles(long bytesMax, MetricShard metrics) {
        this.small = FileCache.ofBytes(bytesMax, metrics);
        this.large = FileCache.ofDescriptors(bytesMax > 0 ? DESCRIPTORS_MAX : 0, metrics);
    }

    @Nullable
    CachedFile find(String path) {
        CachedFile file = small.find(path);
        return file == null ? large.find(path) : file;
    }

    /// Keeps the file in place of what was kept for its path.
    void keep(CachedFile file) {
        FileCache other = file.descriptors() > 0 ? small : large;
        CachedFile old = other.find(file.key());
        if (old != null) {
            other.forget(old);
        }
        (other == small ? large : small).keep(file);
    }

    FileCache small() {
        return small;
    }

    void forget(CachedFile file) {
        (file.descriptors() > 0 ? large : small).forget(file);
    }

    /// Closes the files that nobody asked for since this was last called: a deleted one takes room on its disk until then.
    /// Blocks.
    void closeIdle() {
        large.forgetUnused();
    }

    void clear() {
        small.clear();
        large.clear();
    }
}

package io.servery.netty.files;

import io.servery.core.metric.CacheName;
import io.servery.core.metric.CacheResult;
import io.servery.core.metric.MetricShard;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Files by path, bounded by their bytes in memory or by the descriptors that they hold; the CLOCK algorithm chooses what
/// goes.
///
/// One for all event loops of a worker: a hit reads a concurrent map and takes no lock, so that loops do not meet here,
/// while one each would hold the same files several times within the same budget. Loading and evicting happen on the
/// lane, behind a lock.
///
/// *Invariant*: the weight of what is held never exceeds the limit, and is exactly the sum of its entries.
final class FileCache {
    private final long weightMax;
    private final ToLongFunction<CachedFile> weigher;
    private final MetricShard metrics;
    private final ConcurrentHashMap<String, CachedFile> byPath = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CachedFile hand;
    private long weight;

    private FileCache(long weightMax, ToLongFunction<CachedFile> weigher, MetricShard metrics) {
        this.weightMax = weightMax;
        this.weigher = weigher;
        this.metrics = metrics;
    }

    /// A cache of files in memory.
    static FileCache ofBytes(long bytesMax, MetricShard metrics) {
        return new FileCache(bytesMax, CachedFile::bytes, metrics);
    }

    /// A cache of open files.
    static FileCache ofDescriptors(int descriptorsMax, MetricShard metrics) {
        return new FileCache(descriptorsMax, CachedFile::descriptors, metrics);
    }

    @Nullable
    CachedFile find(String path) {
        return byPath.get(path);
    }

    /// Keeps the file in place of what was held for its path, and lets others go to make room for it. One that is too large
    /// is let go itself.
    void keep(CachedFile file) {
        long own = weigher.applyAsLong(file);
        lock.lock();
        try {
            CachedFile old = byPath.get(file.key());
            if (old != null) {
                drop(old);
            }
            if (own > weightMax) {
                metrics.cacheOperation(CacheName.FILE, CacheResult.REJECTED);
                file.letGo();
                return;
            }
            while (weight + own > weightMax) {
                evictOne();
            }
            byPath.put(file.key(), file);
            link(file);
            weight += own;
            metrics.cacheBytes(CacheName.FILE, file.bytes());
        } finally {
            lock.unlock();
        }
    }

    /// Lets this file go if it is still held.
    void forget(CachedFile file) {
        lock.lock();
        try {
            if (byPath.get(file.key()) == file) {
                drop(file);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Lets the files go that answered no request since this was last called, or the hand came by.
    void forgetUnused() {
        lock.lock();
        try {
            for (CachedFile file : byPath.values()) {
                if (!file.takeUse()) {
                    drop(file);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Lets every file go.
    void clear() {
        lock.lock();
        try {
            while (hand != null) {
                drop(hand);
            }
        } finally {
            lock.unlock();
        }
    }

    long weight() {
        lock.lock();
        try {
            return weight;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        return byPath.size();
    }

    /// Turns the hand past files that were used since it last came by; the first one that was not goes. After one turn
    /// it takes what it finds: others go on using files while it turns.
    private void evictOne() {
        CachedFile at = hand;
        for (int left = byPath.size(); left > 0 && at != null && at.takeUse(); left--) {
            at = at.next;
        }
        if (at == null) {
            throw new IllegalStateException(
                    "file cache: found nothing to evict; a weight of " + weight + " is counted");
        }
        hand = at;
        drop(at);
        metrics.cacheOperation(CacheName.FILE, CacheResult.EVICTED);
    }

    /// Right behind the hand: the last that it will come to.
    private void link(CachedFile file) {
        CachedFile at = hand;
        if (at == null) {
            file.previous = file;
            file.next = file;
            hand = file;
            return;
        }
        CachedFile last = at.previous == null ? at : at.previous;
        file.previous = last;
        file.next = at;
        last.next = file;
        at.previous = file;
    }

    private void drop(CachedFile file) {
        byPath.remove(file.key());
        weight -= weigher.applyAsLong(file);
        metrics.cacheBytes(CacheName.FILE, -file.bytes());
        CachedFile next = file.next;
        CachedFile previous = file.previous;
        if (next == file || next == null || previous == null) {
            hand = null;
        } else {
            previous.next = next;
            next.previous = previous;
            hand = hand == file || hand == null ? next : hand;
        }
        file.next = null;
        file.previous = null;
        file.letGo();
    }
}

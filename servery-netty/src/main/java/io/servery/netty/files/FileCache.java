package io.servery.netty.files;

import io.servery.core.metric.CacheName;
import io.servery.core.metric.CacheResult;
import io.servery.core.metric.MetricShard;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Small files in memory, by path, bounded by bytes; the CLOCK algorithm chooses what goes.
///
/// One for all event loops of a worker: a hit reads a concurrent map and takes no lock, so that loops do not meet here,
/// while one each would hold the same files several times within the same budget. Loading and evicting happen on the
/// lane, behind a lock.
///
/// *Invariant*: the bytes of what is held never exceed the limit, and are exactly the sum of its entries.
final class FileCache {
    private final long bytesMax;
    private final MetricShard metrics;
    private final ConcurrentHashMap<String, CachedFile> byPath = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CachedFile hand;
    private long bytes;

    FileCache(long bytesMax, MetricShard metrics) {
        this.bytesMax = bytesMax;
        this.metrics = metrics;
    }

    @Nullable
    CachedFile find(String path) {
        return byPath.get(path);
    }

    /// Keeps the file in place of what was held for its path, and lets others go to make room for it.
    void keep(CachedFile file) {
        long size = file.bytes();
        lock.lock();
        try {
            CachedFile old = byPath.get(file.key());
            if (old != null) {
                drop(old);
            }
            if (size > bytesMax) {
                metrics.cacheOperation(CacheName.FILE, CacheResult.REJECTED);
                return;
            }
            while (bytes + size > bytesMax) {
                evictOne();
            }
            byPath.put(file.key(), file);
            link(file);
            count(size);
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

    long bytes() {
        lock.lock();
        try {
            return bytes;
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
            throw new IllegalStateException("file cache: found nothing to evict; " + bytes + " bytes are counted");
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
        count(-file.bytes());
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
    }

    private void count(long delta) {
        bytes += delta;
        metrics.cacheBytes(CacheName.FILE, delta);
    }
}

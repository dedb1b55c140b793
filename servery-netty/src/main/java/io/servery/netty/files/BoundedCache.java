package io.servery.netty.files;

import io.servery.core.metric.CacheName;
import io.servery.core.metric.CacheResult;
import io.servery.core.metric.MetricShard;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Values computed from a key that says all of what they depend on, bounded by bytes. What was not used since it was last
/// looked at goes first.
///
/// *Owner*: any thread; finding takes no lock. *Invariant*: the bytes of what is held never exceed the limit.
final class BoundedCache<K, V> {
    private final CacheName name;
    private final long bytesMax;
    private final MetricShard metrics;
    private final Consumer<V> letGo;
    private final ConcurrentHashMap<K, Entry<K, V>> byKey = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Entry<K, V>> inOrder = new ArrayDeque<>();
    private long bytes;

    /// @param sharedShard counts what happens on the threads of a lane
    /// @param letGo told of each value that is kept no longer, under the lock
    BoundedCache(CacheName name, long bytesMax, MetricShard sharedShard, Consumer<V> letGo) {
        this.name = name;
        this.bytesMax = bytesMax;
        this.metrics = sharedShard;
        this.letGo = letGo;
    }

    private static final class Entry<K, V> {
        final K key;
        final V value;
        final long bytes;
        volatile boolean used;

        Entry(K key, V value, long bytes) {
            this.key = key;
            this.value = value;
            this.bytes = bytes;
        }
    }

    @Nullable
    V find(K key) {
        Entry<K, V> entry = byKey.get(key);
        if (entry == null) {
            return null;
        }
        if (!entry.used) {
            entry.used = true;
        }
        return entry.value;
    }

    /// Keeps the value, unless there is one for the key, which is as good, or it is larger than everything may be.
    ///
    /// @return whether it is kept
    boolean keep(K key, V value, long size) {
        lock.lock();
        try {
            if (size > bytesMax) {
                metrics.cacheOperation(name, CacheResult.REJECTED);
                return false;
            }
            if (byKey.containsKey(key)) {
                return false;
            }
            while (bytes + size > bytesMax) {
                evictOne();
            }
            Entry<K, V> entry = new Entry<>(key, value, size);
            byKey.put(key, entry);
            inOrder.addLast(entry);
            count(size);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Lets everything go.
    void clear() {
        lock.lock();
        try {
            byKey.clear();
            count(-bytes);
            while (!inOrder.isEmpty()) {
                letGo.accept(inOrder.removeFirst().value);
            }
        } finally {
            lock.unlock();
        }
    }

    int size() {
        return byKey.size();
    }

    /// Others go on using entries meanwhile: after one turn the next one goes, used or not.
    private void evictOne() {
        Entry<K, V> first = inOrder.removeFirst();
        for (int left = inOrder.size(); left > 0 && first.used; left--) {
            first.used = false;
            inOrder.addLast(first);
            first = inOrder.removeFirst();
        }
        byKey.remove(first.key);
        count(-first.bytes);
        metrics.cacheOperation(name, CacheResult.EVICTED);
        letGo.accept(first.value);
    }

    private void count(long delta) {
        bytes += delta;
        metrics.cacheBytes(name, delta);
    }
}

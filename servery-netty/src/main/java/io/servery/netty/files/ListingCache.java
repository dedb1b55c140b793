package io.servery.netty.files;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The pages of the listings that were asked for last, so that one large directory asked for again and again is read no
/// more often than a file would be looked at; bounded by bytes, the page used longest ago goes.
///
/// A directory that was read again and has not changed keeps the bytes it had: peers that are slow to take them hold one
/// page together, not one each.
///
/// *Owner*: any thread; the filesystem lane finds, the compute lane keeps.
final class ListingCache {
    /// Holds a few pages of the largest size; nearly all are a hundred times smaller.
    static final long BYTES_MAX = 16L * 1024 * 1024;
    private static final int INITIAL_CAPACITY = 16;
    private static final float LOAD_FACTOR = 0.75f;

    /// Which page of which directory.
    record Key(String path, ListingView view) {
    }

    private record Kept(ListingAnswer page, long readNanos) {
    }

    private final LinkedHashMap<Key, Kept> byKey = new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, true);
    private final long bytesMax;
    private long bytes;

    ListingCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /// The page of a directory that was read no longer than this ago.
    synchronized @Nullable ListingAnswer find(Key key, long nowNanos, long freshNanos) {
        Kept kept = byKey.get(key);
        return kept != null && nowNanos - kept.readNanos() < freshNanos ? kept.page() : null;
    }

    /// Keeps a page that was just made.
    ///
    /// @param readNanos before the directory was read
    /// @return the page to answer with: the one before, where nothing has changed
    synchronized ListingAnswer keep(Key key, ListingAnswer made, long readNanos) {
        Kept before = byKey.remove(key);
        if (before != null) {
            bytes -= size(key, before.page());
        }
        ListingAnswer page = before != null && Arrays.equals(before.page().whole().content(), made.whole().content())
                ? before.page()
                : made;
        if (size(key, page) <= bytesMax) {
            byKey.put(key, new Kept(page, readNanos));
            bytes += size(key, page);
            makeRoom();
        }
        return page;
    }

    synchronized long bytes() {
        return bytes;
    }

    private void makeRoom() {
        Iterator<Map.Entry<Key, Kept>> eldest = byKey.entrySet().iterator();
        while (bytes > bytesMax) {
            var entry = eldest.next();
            bytes -= size(entry.getKey(), entry.getValue().page());
            eldest.remove();
        }
    }

    private static long size(Key key, ListingAnswer page) {
        return page.whole().content().length + page.whole().head().http1().length
                + 2L * (key.path().length() + key.view().filter().length());
    }
}

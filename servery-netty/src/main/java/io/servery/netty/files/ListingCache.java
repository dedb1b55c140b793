package io.servery.netty.files;

import io.servery.http.exchange.ResponsePlan;
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
/// *Owner*: the filesystem lane, any of its threads.
final class ListingCache {
    /// Holds a few pages of the largest size; nearly all are a hundred times smaller.
    static final long BYTES_MAX = 16L * 1024 * 1024;
    private static final int INITIAL_CAPACITY = 16;
    private static final float LOAD_FACTOR = 0.75f;

    private record Kept(ResponsePlan.Bytes page, long readNanos) {
    }

    private final LinkedHashMap<String, Kept> byPath = new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, true);
    private final long bytesMax;
    private long bytes;

    ListingCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /// The page of a directory that was read no longer than this ago.
    synchronized ResponsePlan.@Nullable Bytes find(String path, long nowNanos, long freshNanos) {
        Kept kept = byPath.get(path);
        return kept != null && nowNanos - kept.readNanos() < freshNanos ? kept.page() : null;
    }

    /// Keeps a page that was just made.
    ///
    /// @param readNanos before the directory was read
    /// @return the page to answer with: the one before, where nothing has changed
    synchronized ResponsePlan.Bytes keep(String path, ResponsePlan.Bytes made, long readNanos) {
        Kept before = byPath.remove(path);
        if (before != null) {
            bytes -= size(path, before.page());
        }
        ResponsePlan.Bytes page = before != null && Arrays.equals(before.page().content(), made.content())
                ? before.page()
                : made;
        if (size(path, page) <= bytesMax) {
            byPath.put(path, new Kept(page, readNanos));
            bytes += size(path, page);
            makeRoom();
        }
        return page;
    }

    synchronized long bytes() {
        return bytes;
    }

    private void makeRoom() {
        Iterator<Map.Entry<String, Kept>> eldest = byPath.entrySet().iterator();
        while (bytes > bytesMax) {
            var entry = eldest.next();
            bytes -= size(entry.getKey(), entry.getValue().page());
            eldest.remove();
        }
    }

    private static long size(String path, ResponsePlan.Bytes page) {
        return page.content().length + page.head().http1().length + 2L * path.length();
    }
}

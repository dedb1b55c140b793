package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import org.junit.jupiter.api.Test;

class ListingCacheTest {
    private static final long FRESH = 1_000;

    private final ListingCache cache = new ListingCache(2_000);

    private static ResponsePlan.Bytes page(int size, int seed) {
        byte[] content = new byte[size];
        content[0] = (byte) seed;
        return new ResponsePlan.Bytes(ResponseHead.status(200).length(size), content);
    }

    @Test
    void pageIsFoundWhileItIsFresh() {
        ResponsePlan.Bytes page = cache.keep("/a/", page(10, 1), 0);
        assertThat(cache.find("/a/", FRESH - 1, FRESH)).isSameAs(page);
        assertThat(cache.find("/a/", FRESH, FRESH)).isNull();
        assertThat(cache.find("/b/", 0, FRESH)).isNull();
    }

    @Test
    void directoryThatDidNotChangeKeepsItsBytes() {
        ResponsePlan.Bytes first = cache.keep("/a/", page(10, 1), 0);
        assertThat(cache.keep("/a/", page(10, 1), FRESH)).isSameAs(first);
        assertThat(cache.find("/a/", FRESH + 1, FRESH)).isSameAs(first);
        assertThat(cache.keep("/a/", page(10, 2), FRESH)).isNotSameAs(first);
    }

    @Test
    void pageUsedLongestAgoMakesRoom() {
        cache.keep("/a/", page(700, 1), 0);
        cache.keep("/b/", page(700, 2), 0);
        assertThat(cache.find("/a/", 1, FRESH)).isNotNull();
        cache.keep("/c/", page(700, 3), 0);
        assertThat(cache.find("/b/", 1, FRESH)).isNull();
        assertThat(cache.find("/a/", 1, FRESH)).isNotNull();
        assertThat(cache.find("/c/", 1, FRESH)).isNotNull();
        assertThat(cache.bytes()).isBetween(1_400L, 2_000L);
    }

    @Test
    void pageLargerThanAllIsNotKept() {
        ResponsePlan.Bytes page = page(3_000, 1);
        assertThat(cache.keep("/a/", page, 0)).isSameAs(page);
        assertThat(cache.find("/a/", 1, FRESH)).isNull();
        assertThat(cache.bytes()).isZero();
    }
}

package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.Validators;
import org.junit.jupiter.api.Test;

class ListingCacheTest {
    private static final long FRESH = 1_000;

    private final ListingCache cache = new ListingCache(2_000);

    private static ListingCache.Key key(String path) {
        return new ListingCache.Key(path, ListingView.DEFAULT);
    }

    private static ListingAnswer page(int size, int seed) {
        byte[] content = new byte[size];
        content[0] = (byte) seed;
        ResponseHead head = ResponseHead.status(200).length(size);
        return new ListingAnswer(new ResponsePlan.Bytes(head, content), new ResponsePlan.Empty(head),
                new Validators(null, Validators.UNKNOWN));
    }

    @Test
    void pageIsFoundWhileItIsFresh() {
        ListingAnswer page = cache.keep(key("/a/"), page(10, 1), 0);
        assertThat(cache.find(key("/a/"), FRESH - 1, FRESH)).isSameAs(page);
        assertThat(cache.find(key("/a/"), FRESH, FRESH)).isNull();
        assertThat(cache.find(key("/b/"), 0, FRESH)).isNull();
    }

    @Test
    void directoryThatDidNotChangeKeepsItsBytes() {
        ListingAnswer first = cache.keep(key("/a/"), page(10, 1), 0);
        assertThat(cache.keep(key("/a/"), page(10, 1), FRESH)).isSameAs(first);
        assertThat(cache.find(key("/a/"), FRESH + 1, FRESH)).isSameAs(first);
        assertThat(cache.keep(key("/a/"), page(10, 2), FRESH)).isNotSameAs(first);
    }

    @Test
    void pageUsedLongestAgoMakesRoom() {
        cache.keep(key("/a/"), page(700, 1), 0);
        cache.keep(key("/b/"), page(700, 2), 0);
        assertThat(cache.find(key("/a/"), 1, FRESH)).isNotNull();
        cache.keep(key("/c/"), page(700, 3), 0);
        assertThat(cache.find(key("/b/"), 1, FRESH)).isNull();
        assertThat(cache.find(key("/a/"), 1, FRESH)).isNotNull();
        assertThat(cache.find(key("/c/"), 1, FRESH)).isNotNull();
        assertThat(cache.bytes()).isBetween(1_400L, 2_000L);
    }

    @Test
    void pageLargerThanAllIsNotKept() {
        ListingAnswer page = page(3_000, 1);
        assertThat(cache.keep(key("/a/"), page, 0)).isSameAs(page);
        assertThat(cache.find(key("/a/"), 1, FRESH)).isNull();
        assertThat(cache.bytes()).isZero();
    }
}

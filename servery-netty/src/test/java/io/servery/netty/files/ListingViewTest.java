package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.semantics.Html;
import io.servery.netty.files.ListingView.Form;
import io.servery.netty.files.ListingView.Sort;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Parameters of a listing, as docs/listings.md has them.
class ListingViewTest {
    private static ListingView view(String query, String... fields) {
        return ListingView.of(TestRequest.head("GET", "/", fields), query);
    }

    @Test
    void parametersAreRead() {
        assertThat(view("sort=size&order=desc&q=A+b&page=3"))
                .isEqualTo(new ListingView(Form.HTML, Sort.SIZE, true, "A b", 3));
        assertThat(view("page=2", "Accept: application/json"))
                .isEqualTo(new ListingView(Form.JSON, Sort.NAME, false, "", 2));
        assertThat(view(null)).isSameAs(ListingView.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "utm_source=x", "sort=colour", "sort=Size", "sort=", "order=up", "order=DESC", "page=0",
            "page=-1", "page=1.5", "page=", "page=%31x", "page=99999999999", "page=\u0661", "q=%FF", "q=%", "q=", "q",
            "&&="})
    void parameterThatMeansNothingCountsAsAbsent(String query) {
        assertThat(view(query)).isEqualTo(ListingView.DEFAULT);
    }

    @Test
    void filterFindsPartsOfNamesInEitherCase() {
        assertThat(view("q=AbC").wants("xaBcx.txt")).isTrue();
        assertThat(view("q=%C3%84").wants("sp\u00e4t")).isTrue();
        assertThat(view("q=a.c").wants("abc")).isFalse();
        assertThat(view("q=*").wants("abc")).isFalse();
    }

    @Property
    void queryOfAViewAsksForIt(@ForAll Sort sort, @ForAll boolean descending, @ForAll String filter,
            @ForAll @IntRange(min = 1, max = 9_999_999) int page) {
        String text = filter.codePoints().allMatch(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                ? filter
                : "";
        ListingView view = new ListingView(Form.HTML, sort, descending, text, page);
        String query = view.query();
        assertThat(query).matches("(\\?[A-Za-z0-9._~%=&-]+)?");
        assertThat(Html.escape(query)).isEqualTo(query.replace("&", "&amp;"));
        assertThat(view(query.isEmpty() ? null : query.substring(1))).isEqualTo(view);
    }
}

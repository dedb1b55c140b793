package io.servery.netty.files;

import io.servery.http.semantics.FormQuery;
import io.servery.http.semantics.MediaPreference;
import io.servery.http.semantics.PercentEncoding;
import io.servery.http.semantics.RequestFields;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How a request wants a directory listed: parameters of the query, and Accept.
///
/// A parameter that is not known here, or whose value is none that it takes, counts as absent: links gain parameters on
/// their way (campaigns, caches), and a listing that answers them with 400 helps nobody.
///
/// @param filter what names contain, in either case; empty for every name
/// @param page from 1 on; one past the last means the last
record ListingView(Form form, Sort sort, boolean descending, String filter, int page) {
    /// A page sorted by name, and what any request has that is not for a listing.
    static final ListingView DEFAULT = new ListingView(Form.HTML, Sort.NAME, false, "", 1);

    private static final int PAGE_DIGITS_MAX = 7;
    private static final List<String> OFFERED = List.of(Form.HTML.mediaType, Form.JSON.mediaType);

    /// What a listing is written as.
    enum Form {
        HTML("text/html"),
        JSON("application/json");

        private final String mediaType;

        Form(String mediaType) {
            this.mediaType = mediaType;
        }
    }

    /// What entries are sorted by.
    enum Sort {
        NAME("name"),
        SIZE("size"),
        MODIFIED("modified");

        private final String word;

        Sort(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /// The view that a request asks for.
    ///
    /// @param query without its question mark, or null
    static ListingView of(RequestFields fields, @Nullable String query) {
        Form form = MediaPreference.of(fields, OFFERED).equals(Form.JSON.mediaType) ? Form.JSON : Form.HTML;
        if (query == null && form == Form.HTML) {
            return DEFAULT;
        }
        String filter = FormQuery.value(query, "q");
        return new ListingView(form, sort(FormQuery.value(query, "sort")),
                "desc".equals(FormQuery.value(query, "order")), filter == null ? "" : filter,
                page(FormQuery.value(query, "page")));
    }

    ListingView sortedBy(Sort other, boolean downwards) {
        return new ListingView(form, other, downwards, filter, 1);
    }

    ListingView onPage(int other) {
        return new ListingView(form, sort, descending, filter, other);
    }

    /// The same order from the start, of everything.
    ListingView unfiltered() {
        return new ListingView(form, sort, descending, "", 1);
    }

    /// The query that asks for it, with its question mark; empty for the default. Only characters that stand for
    /// themselves in an attribute, but for `&`.
    String query() {
        StringBuilder query = new StringBuilder();
        if (!filter.isEmpty()) {
            query.append("&q=").append(PercentEncoding.pathSegment(filter));
        }
        if (sort != Sort.NAME) {
            query.append("&sort=").append(sort.word);
        }
        if (descending) {
            query.append("&order=desc");
        }
        if (page > 1) {
            query.append("&page=").append(page);
        }
        return query.isEmpty() ? "" : query.replace(0, 1, "?").toString();
    }

    /// Whether the filter lets a name through.
    boolean wants(String name) {
        return filter.isEmpty() || name.toLowerCase(Locale.ROOT).contains(filter.toLowerCase(Locale.ROOT));
    }

    private static Sort sort(@Nullable String word) {
        for (Sort sort : Sort.values()) {
            if (sort.word.equals(word)) {
                return sort;
            }
        }
        return Sort.NAME;
    }

    private static int page(@Nullable String number) {
        boolean digits = number != null && !number.isEmpty() && number.length() <= PAGE_DIGITS_MAX
                && number.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Math.max(1, Integer.parseInt(number)) : 1;
    }
}

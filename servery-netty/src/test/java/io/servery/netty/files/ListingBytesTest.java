package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.netty.files.ListingView.Form;
import io.servery.netty.files.ListingView.Sort;
import io.servery.netty.files.open.DirectoryEntries;
import io.servery.netty.files.open.DirectoryEntry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a listing is charged for is no less than what it takes, for the worst that can be on a disk and in a request.
class ListingBytesTest {
    /// The longest path that Linux opens, of directories as deep as a target may be, and of what is longest when it is escaped.
    private static final String DEEP = "/" + ("&".repeat(63) + "/").repeat(63);
    /// Two octets for each character of the text, as many that a builder has in hand, and two of the text that is made of it.
    private static final int CHARACTER_BYTES = 6;

    private static int characters(String path, ListingView view, String end) {
        List<DirectoryEntry> entries = new ArrayList<>();
        for (int i = 0; i < Listing.ENTRIES_MAX; i++) {
            String name = view.filter() + end.repeat(255).substring(0, 250 - view.filter().length()) + (10_000 + i);
            entries.add(new DirectoryEntry(name, true, i % 2 == 0, Long.MAX_VALUE / 20_000, 1_600_000_000));
        }
        ListedDirectory directory = new ListedDirectory(path, true);
        ListingContents contents = ListingContents.of(new DirectoryEntries(entries, false), view);
        return view.form() == Form.HTML
                ? new ListingPage(directory, contents, view).html().length()
                : new ListingJson(directory, contents).json().length();
    }

    @ParameterizedTest
    @CsvSource({"HTML, '\"'", "HTML, &", "HTML, a", "JSON, '\"'", "JSON, &"})
    void pageInTheMakingFitsIntoTheCharge(Form form, String end) {
        for (String path : List.of("/", "/dir/", DEEP)) {
            ListingView view = new ListingView(form, Sort.MODIFIED, true, end.repeat(200), 25);
            int characters = characters(path, view, end);
            assertThat(characters).isGreaterThan(form == Form.HTML ? 100_000 : 50_000);
            assertThat(Listing.bytesMax(path, view) - Listing.ENTRIES_BYTES_MAX)
                    .as("%s, %d characters", path, characters)
                    .isGreaterThanOrEqualTo((long) CHARACTER_BYTES * characters);
        }
    }

    /// The longest query that a target may have finds nothing, and stands on the page all the same.
    @Test
    void longFilterFitsIntoTheCharge() {
        ListingView view = new ListingView(Form.HTML, Sort.SIZE, true, "\"".repeat(8_000), 1);
        String page = new ListingPage(new ListedDirectory("/dir/", true),
                ListingContents.of(new DirectoryEntries(List.of(), true), view), view).html();
        assertThat(page).hasSizeGreaterThan(8_000 * 12);
        long rows = Listing.bytesMax("/dir/", ListingView.DEFAULT);
        assertThat(Listing.bytesMax("/dir/", view) - rows)
                .isGreaterThanOrEqualTo(CHARACTER_BYTES * (page.length() - 20_000L));
    }

    @Test
    void chargeIsWhatTheHeapOfAThreadIsReckonedWith() {
        assertThat(Listing.bytesMax("/a/path/of/some/length/", ListingView.DEFAULT)).isLessThanOrEqualTo(7L << 20);
    }
}

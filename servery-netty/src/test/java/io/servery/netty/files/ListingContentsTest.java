package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.netty.files.ListingView.Form;
import io.servery.netty.files.ListingView.Sort;
import io.servery.netty.files.open.DirectoryEntries;
import io.servery.netty.files.open.DirectoryEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/// The order of a listing, and how it is cut into pages.
class ListingContentsTest {
    private static DirectoryEntry file(String name, long size, long modified) {
        return new DirectoryEntry(name, true, false, size, modified);
    }

    private static DirectoryEntry folder(String name) {
        return new DirectoryEntry(name, true, true, 0, 7);
    }

    private static List<String> names(ListingContents contents) {
        return contents.entries().stream().map(DirectoryEntry::name).toList();
    }

    private static ListingView view(Sort sort, boolean descending, int page) {
        return new ListingView(Form.HTML, sort, descending, "", page);
    }

    private static ListingContents contents(List<DirectoryEntry> entries, ListingView view) {
        return ListingContents.of(new DirectoryEntries(entries, true), view);
    }

    // Order

    @Test
    void foldersComeFirstInEitherDirection() {
        List<DirectoryEntry> entries = List.of(file("a", 3, 1), folder("z"), file("b", 1, 3), folder("y"),
                file("c", 3, 2));
        assertThat(names(contents(entries, view(Sort.NAME, false, 1)))).containsExactly("y", "z", "a", "b", "c");
        assertThat(names(contents(entries, view(Sort.NAME, true, 1)))).containsExactly("z", "y", "c", "b", "a");
        assertThat(names(contents(entries, view(Sort.SIZE, false, 1)))).containsExactly("y", "z", "b", "a", "c");
        assertThat(names(contents(entries, view(Sort.SIZE, true, 1)))).containsExactly("y", "z", "a", "c", "b");
        assertThat(names(contents(entries, view(Sort.MODIFIED, true, 1)))).containsExactly("y", "z", "b", "c", "a");
    }

    @Test
    void namesAreInTheOrderOfPeople() {
        assertThat(Stream
                .of("part 10", "Part 9", "b", "A", "a", "part 009", "part 9a", "", "1", "01", "999999999999999999999",
                        "\u00e4")
                .sorted(NameOrder.INSTANCE))
                .containsExactly("", "01", "1", "999999999999999999999", "A", "a", "b", "Part 9", "part 009", "part 9a",
                        "part 10", "\u00e4");
    }

    @Property
    void orderOfNamesIsTotal(@ForAll("names") String a, @ForAll("names") String b, @ForAll("names") String c) {
        NameOrder order = NameOrder.INSTANCE;
        assertThat(Integer.signum(order.compare(a, b))).isEqualTo(-Integer.signum(order.compare(b, a)));
        assertThat(order.compare(a, b) == 0).isEqualTo(a.equals(b));
        if (order.compare(a, b) <= 0 && order.compare(b, c) <= 0) {
            assertThat(order.compare(a, c)).isLessThanOrEqualTo(0);
        }
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings().withChars("aAbI019.- \u0130\u0131\u00e4").ofMaxLength(6);
    }

    @Property(tries = 100)
    void orderDoesNotDependOnThatOfTheDirectory(@ForAll Random random, @ForAll Sort sort, @ForAll boolean descending) {
        List<DirectoryEntry> entries = new ArrayList<>(IntStream.range(0, 300)
                .mapToObj(i -> file("f" + i, i % 3, i % 5)).toList());
        List<String> expected = names(contents(entries, view(sort, descending, 1)));
        Collections.shuffle(entries, random);
        assertThat(names(contents(entries, view(sort, descending, 1)))).isEqualTo(expected);
    }

    // Pages

    @Property(tries = 100)
    void pagesTogetherHoldEveryEntryOnce(@ForAll("totals") int total) {
        List<DirectoryEntry> entries = IntStream.range(0, total).mapToObj(i -> file("f" + i, i, i)).toList();
        List<String> all = new ArrayList<>();
        int pages = contents(entries, view(Sort.NAME, false, 1)).pages();
        for (int page = 1; page <= pages; page++) {
            ListingContents contents = contents(entries, view(Sort.NAME, false, page));
            assertThat(contents.page()).isEqualTo(page);
            assertThat(contents.entries()).hasSizeBetween(Math.min(total, 1), ListingContents.PAGE_ENTRIES_MAX);
            all.addAll(names(contents));
        }
        assertThat(all).isEqualTo(entries.stream().map(DirectoryEntry::name).toList());
    }

    @Provide
    Arbitrary<Integer> totals() {
        return Arbitraries.integers().between(0, 1_000).edgeCases(edges -> edges.add(0, 1, 199, 200, 201, 400));
    }

    @Test
    void pagePastTheLastIsTheLast() {
        List<DirectoryEntry> entries = IntStream.range(0, 401).mapToObj(i -> file("f" + i, i, i)).toList();
        ListingContents last = contents(entries, view(Sort.NAME, false, 9_999_999));
        assertThat(last.page()).isEqualTo(3);
        assertThat(names(last)).containsExactly("f400");
        assertThat(contents(List.of(), view(Sort.NAME, false, 5))).isEqualTo(
                new ListingContents(List.of(), 1, 1, 0, 0, 0, true));
    }
}

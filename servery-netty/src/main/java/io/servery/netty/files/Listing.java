package io.servery.netty.files;

import io.servery.http.exchange.Refusal;
import io.servery.http.semantics.FilePath;
import io.servery.netty.files.open.DirectoryEntries;
import io.servery.netty.files.open.OpenedDirectory;
import java.util.concurrent.TimeUnit;

/// Lists directories: reads one, filters while it reads, and renders one page of it.
///
/// A filter chooses before anything is counted, so it also finds what a directory too large to be listed holds.
///
/// *Owner*: the compute lane, any of its threads.
final class Listing {
    /// How many entries are sorted into pages; a listing says when the directory has more.
    static final int ENTRIES_MAX = 10_000;
    /// How many names are read to find them, `.` and `..` among them.
    static final int NAMES_MAX = 200_000;

    /// What the entries take in memory: 10,000 with names of 93 characters.
    static final long ENTRIES_BYTES_MAX = 3L << 20;

    private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(3);
    /// Of the memory that a listing takes for each character of its text: two for it in the builder, as many again that the builder has ready, two for the text made of
    /// that. Before, while the builder grows, and after, when the text becomes octets, it takes no more.
    private static final int CHARACTER_BYTES = 6;
    /// A name, which has 255 octets at most, with an escape of nine characters for each octet, in text and reference together; what stands around it.
    private static final int ROW_CHARACTERS = 9 * 255 + 480;
    /// The longest of a page beside its rows: style, pictures, links to other pages with a filter that may still let a name through.
    private static final int FRAME_CHARACTERS = 64 * 1024;
    /// How often a character of the path, and one of a filter of any length, may stand there in escapes.
    private static final int PATH_ESCAPES = 9;
    private static final int FILTER_ESCAPES = 40;

    private final TimeSource time;

    Listing(TimeSource time) {
        this.time = time;
    }

    /// What listing a directory takes in memory until it is answered, at most: its entries, and one page of them in the making.
    static long bytesMax(String path, ListingView view) {
        long breadcrumbs = path.chars().filter(c -> c == '/').count();
        long characters = FRAME_CHARACTERS + (long) ListingContents.PAGE_ENTRIES_MAX * ROW_CHARACTERS
                + PATH_ESCAPES * (breadcrumbs + 3) * path.length() + (long) FILTER_ESCAPES * view.filter().length();
        return ENTRIES_BYTES_MAX + CHARACTER_BYTES * characters;
    }

    /// The answer of the directory.
    ///
    /// @param path of the directory, with its slash
    Loaded of(FileTree tree, String path, ListingView view, OpenedDirectory directory) {
        FilePolicy policy = tree.policy();
        long start = time.nanos();
        OpenedDirectory.Bounds bounds = new OpenedDirectory.Bounds(ENTRIES_MAX, ENTRIES_BYTES_MAX, NAMES_MAX,
                () -> time.nanos() - start > READ_NANOS);
        return switch (directory.read(
                name -> (policy.showsHidden() || !FilePath.hides(name)) && view.wants(name), bounds)) {
            case OpenedDirectory.Read.Done(DirectoryEntries entries) -> new Loaded.Listing(
                    render(new ListedDirectory(path, policy.showsHidden()), entries, view, policy));
            case OpenedDirectory.Read.Refused(Refusal refusal, int _) -> new Loaded.Refused(refusal);
        };
    }

    private static ListingAnswer render(ListedDirectory directory, DirectoryEntries entries, ListingView view,
            FilePolicy policy) {
        ListingContents contents = ListingContents.of(entries, view);
        return switch (view.form()) {
            case HTML -> ListingAnswer.html(new ListingPage(directory, contents, view).html(), policy);
            case JSON -> ListingAnswer.json(new ListingJson(directory, contents).json(), policy);
        };
    }
}

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
/// *Owner*: the filesystem lane.
final class Listing {
    /// How many entries are sorted into pages; a listing says when the directory has more.
    static final int ENTRIES_MAX = 10_000;
    /// How many names are read to find them, `.` and `..` among them.
    static final int NAMES_MAX = 200_000;

    private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final TimeSource time;

    Listing(TimeSource time) {
        this.time = time;
    }

    /// The answers of the directory, which is closed.
    ///
    /// @param path of the directory, with its slash
    Loaded of(FileTree tree, String path, ListingView view, OpenedDirectory directory) {
        FilePolicy policy = tree.policy();
        long start = time.nanos();
        OpenedDirectory.Bounds bounds = new OpenedDirectory.Bounds(ENTRIES_MAX, NAMES_MAX,
                () -> time.nanos() - start > READ_NANOS);
        try {
            return switch (directory.read(
                    name -> (policy.showsHidden() || !FilePath.hides(name)) && view.wants(name), bounds)) {
                case OpenedDirectory.Read.Done(DirectoryEntries entries) -> new Loaded.Listing(
                        render(new ListedDirectory(path, policy.showsHidden()), entries, view, policy));
                case OpenedDirectory.Read.Refused(Refusal refusal, int _) -> new Loaded.Refused(refusal);
            };
        } finally {
            directory.close();
        }
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

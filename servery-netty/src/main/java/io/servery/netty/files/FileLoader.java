package io.servery.netty.files;

import io.servery.http.exchange.Refusal;
import io.servery.netty.files.CachedFile.Moment;
import io.servery.netty.files.open.OpenedDirectory;
import io.servery.netty.files.open.OpenedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Finds, opens and reads what paths name, and keeps small files in the cache.
///
/// *Owner*: the filesystem lane; everything here blocks.
final class FileLoader {
    /// No path of a target begins like this: below its prefix a tree may lack what another, mounted there, has.
    private static final String ERROR_PAGE_KEY = "error page ";

    private final FileCache cache;
    private final ListingCache listings = new ListingCache(ListingCache.BYTES_MAX);
    private final FileSite.Limits limits;
    private final TimeSource time;
    private final Listing listing;

    FileLoader(FileCache cache, FileSite.Limits limits, TimeSource time) {
        this.cache = cache;
        this.limits = limits;
        this.time = time;
        this.listing = new Listing(time);
    }

    /// What the path names now: from memory while that is fresh, else from disk.
    Loaded load(FileRequest request) {
        return load(request.tree(), request.path(), request.path(), request.view());
    }

    private Loaded load(FileTree tree, String path, String key, ListingView view) {
        Moment now = Moment.of(time);
        CachedFile known = cache.find(key);
        if (known != null && known.fresh(now.nanos())) {
            return new Loaded.File(known.file());
        }
        ListingAnswer listed = listings.find(new ListingCache.Key(path, view), now.nanos(),
                tree.policy().revalidateNanos());
        if (listed != null) {
            return new Loaded.Listing(listed);
        }
        return find(new Sought(tree, path, key, known, now), view);
    }

    private Loaded find(Sought sought, ListingView view) {
        return switch (sought.tree().find(sought.path())) {
            case FileTree.Found.File(OpenedFile file, String found) -> opened(sought, file, found);
            case FileTree.Found.Unslashed _ -> without(sought.known(), new Loaded.Unslashed());
            case FileTree.Found.Listed(OpenedDirectory directory) -> without(sought.known(),
                    listed(sought, view, directory));
            case FileTree.Found.Refused(Refusal refusal) -> without(sought.known(), new Loaded.Refused(refusal));
        };
    }

    /// What a request gets that found nothing: the page of a single page application, the operator's page for the
    /// refusal, or the refusal alone.
    Loaded instead(FileRequest request, Loaded.Refused refused) {
        FileTree tree = request.tree();
        if (refused.refusal() == Refusal.NOT_FOUND && request.navigation() && tree.policy().singlePage()
                && load(tree, tree.prefix(), tree.prefix(), ListingView.DEFAULT) instanceof Loaded.File index) {
            return index;
        }
        return withPage(tree, refused);
    }

    /// The refusal with the operator's page for it, if there is one.
    Loaded withPage(FileTree tree, Loaded.Refused refused) {
        String page = tree.policy().errorPage(refused.refusal().status());
        if (page == null) {
            return refused;
        }
        String path = tree.prefix() + page;
        Loaded loaded = load(tree, path, ERROR_PAGE_KEY + path, ListingView.DEFAULT);
        if (loaded instanceof Loaded.File(FileSource source)) {
            return new Loaded.RefusedWithPage(refused, source);
        }
        return refused;
    }

    private record Sought(FileTree tree, String path, String key, @Nullable CachedFile known, Moment at) {
    }

    private Loaded without(@Nullable CachedFile known, Loaded loaded) {
        if (known != null) {
            cache.forget(known);
        }
        return loaded;
    }

    private Loaded opened(Sought sought, OpenedFile file, String found) {
        CachedFile known = sought.known();
        if (known != null && known.isStill(file.identity())) {
            file.close();
            known.checked(sought.at().nanos());
            return new Loaded.File(known.file());
        }
        if (file.identity().size() > limits.smallFileBytes() || limits.cacheBytes() == 0) {
            return without(known, onDisk(sought, file, found));
        }
        byte[] content = read(file);
        return content == null ? openedAgain(sought, file) : keep(sought, file, found, content);
    }

    /// Once more for a file that changed while it was read; one that does so again is left on disk, where the transport
    /// finds out whether it holds still.
    private Loaded openedAgain(Sought sought, OpenedFile changed) {
        changed.close();
        return switch (sought.tree().find(sought.path())) {
            case FileTree.Found.File(OpenedFile file, String found) -> {
                byte[] content = file.identity().size() > limits.smallFileBytes() ? null : read(file);
                yield content == null
                        ? without(sought.known(), onDisk(sought, file, found))
                        : keep(sought, file, found, content);
            }
            case FileTree.Found.Listed(OpenedDirectory directory) -> {
                directory.close();
                yield without(sought.known(), new Loaded.Refused(Refusal.NOT_FOUND));
            }
            case FileTree.Found.Unslashed _ -> without(sought.known(), new Loaded.Unslashed());
            case FileTree.Found.Refused(Refusal refusal) -> without(sought.known(), new Loaded.Refused(refusal));
        };
    }

    private Loaded onDisk(Sought sought, OpenedFile file, String found) {
        return new Loaded.File(new DiskFile(representation(sought, file, found), file));
    }

    private Loaded keep(Sought sought, OpenedFile file, String found, byte[] content) {
        Representation representation = representation(sought, file, found);
        file.close();
        MemoryFile memory = new MemoryFile(representation, content);
        cache.keep(new CachedFile(sought.key(), sought.tree(), memory, file.identity(), sought.at()));
        return new Loaded.File(memory);
    }

    private Representation representation(Sought sought, OpenedFile file, String found) {
        return Representation.of(file.identity(), found, sought.tree().policy(), time.epochSecond());
    }

    /// All of the file, or null when it is not what it was when it was opened, or cannot be read.
    private static byte @Nullable [] read(OpenedFile file) {
        byte[] content = new byte[Math.toIntExact(file.identity().size())];
        ByteBuffer buffer = ByteBuffer.wrap(content);
        try {
            int count = 0;
            while (buffer.hasRemaining() && count >= 0) {
                count = file.channel().read(buffer, buffer.position());
            }
        } catch (IOException e) {
            return null;
        }
        return !buffer.hasRemaining() && file.unchanged() ? content : null;
    }

    private Loaded listed(Sought sought, ListingView view, OpenedDirectory directory) {
        Loaded loaded = listing.of(sought.tree(), sought.path(), view, directory);
        return loaded instanceof Loaded.Listing(ListingAnswer made)
                ? new Loaded.Listing(
                        listings.keep(new ListingCache.Key(sought.path(), view), made, sought.at().nanos()))
                : loaded;
    }
}

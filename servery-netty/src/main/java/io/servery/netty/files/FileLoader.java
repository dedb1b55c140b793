package io.servery.netty.files;

import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.http.semantics.AcceptEncoding;
import io.servery.http.semantics.ContentCoding;
import io.servery.netty.files.CachedFile.Moment;
import io.servery.netty.files.open.FileIdentity;
import io.servery.netty.files.open.OpenedDirectory;
import io.servery.netty.files.open.OpenedFile;
import io.servery.netty.lane.Lane;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Finds, opens and reads what paths name, and keeps small files in memory and large ones open.
///
/// *Owner*: the filesystem lane; everything here blocks.
final class FileLoader {
    /// No path of a target begins like this: below its prefix a tree may lack what another, mounted there, has.
    private static final String ERROR_PAGE_KEY = "error page ";
    /// Where a navigation would get a page: a shared cache may keep a 404 as it likes (RFC 9110 §15.5.5), and is not to
    /// answer navigations with it (RFC 9111 §4.1).
    private static final Loaded.Refused NOT_FOUND_BY_ACCEPT = new Loaded.Refused(Refusal.NOT_FOUND,
            List.of(new Field("Vary", "Accept")));

    private final KeptFiles kept;
    private final Listings listings;
    private final FileSite.Limits limits;
    private final Lane lane;
    private final TimeSource time;

    /// @param lane waits for the disk where what is sent is not in memory
    FileLoader(KeptFiles kept, Listings listings, FileSite.Limits limits, Lane lane, TimeSource time) {
        this.kept = kept;
        this.listings = listings;
        this.limits = limits;
        this.lane = lane;
        this.time = time;
    }

    /// What the path names now: from memory while that is fresh, else from disk. A directory that is to be listed is no more than opened.
    Loaded load(FileRequest request) {
        return load(request.tree(), request.path(), request.path(), request.wanted());
    }

    /// What the path of a file names now, for one more of those who asked for it. A directory in its place is for who comes next.
    Loaded loadAgain(FileRequest request) {
        Loaded loaded = load(request);
        if (loaded instanceof Loaded.Directory) {
            loaded.unused();
            return new Loaded.Refused(Refusal.NOT_FOUND);
        }
        return loaded;
    }

    private @Nullable FileSource file(FileTree tree, String path, String key, Wanted wanted) {
        Loaded loaded = load(tree, path, key, wanted);
        if (loaded instanceof Loaded.File(FileSource source)) {
            return source;
        }
        loaded.unused();
        return null;
    }

    /// @param wanted the codings that a file too large for memory may be answered with; one in memory comes with all
    private Loaded load(FileTree tree, String path, String key, Wanted wanted) {
        Moment now = Moment.of(time);
        CachedFile known = kept.find(key);
        FileSource fresh = known != null && known.fresh(now.nanos()) ? known.take(wanted.codings()) : null;
        if (fresh != null) {
            return new Loaded.File(fresh);
        }
        ListingAnswer listed = listings.find(tree, path, wanted.view());
        if (listed != null) {
            return new Loaded.Listing(listed);
        }
        return find(new Sought(tree, path, key, wanted.codings(), known, now), wanted.view());
    }

    private Loaded find(Sought sought, ListingView view) {
        return switch (sought.tree().find(sought.path())) {
            case FileTree.Found.File(OpenedFile file, String found) -> opened(sought, file, found);
            case FileTree.Found.Unslashed _ -> without(sought.known(), new Loaded.Unslashed());
            case FileTree.Found.Listed(OpenedDirectory directory) -> without(sought.known(),
                    new Loaded.Directory(sought.tree(), sought.path(), view, directory));
            case FileTree.Found.Refused(Refusal refusal) -> without(sought.known(), new Loaded.Refused(refusal));
        };
    }

    /// What a request gets that found nothing: the page of a single page application, the operator's page for the
    /// refusal, or the refusal alone.
    Loaded instead(FileRequest request, Loaded.Refused refused) {
        FileTree tree = request.tree();
        if (refused.refusal() != Refusal.NOT_FOUND || !tree.policy().pageMayStandFor(request.path())) {
            return withPage(tree, refused);
        }
        FileSource index = request.navigation() ? file(tree, tree.prefix(), tree.prefix(), request.wanted()) : null;
        return index != null ? new Loaded.File(index) : withPage(tree, NOT_FOUND_BY_ACCEPT);
    }

    /// The refusal with the operator's page for it, if there is one.
    Loaded withPage(FileTree tree, Loaded.Refused refused) {
        String page = tree.policy().errorPage(refused.refusal().status());
        if (page == null) {
            return refused;
        }
        String path = tree.prefix() + page;
        FileSource source = file(tree, path, ERROR_PAGE_KEY + path, Wanted.PLAIN);
        return source == null ? refused : new Loaded.RefusedWithPage(refused, source);
    }

    private record Sought(FileTree tree, String path, String key, AcceptEncoding accepted,
            @Nullable CachedFile known, Moment at) {
    }

    private Loaded without(@Nullable CachedFile known, Loaded loaded) {
        if (known != null) {
            kept.forget(known);
        }
        return loaded;
    }

    private Loaded opened(Sought sought, OpenedFile file, String found) {
        if (!fits(file)) {
            return open(sought, file, found);
        }
        Loaded small = inMemory(sought, file, found);
        return small == null ? openedAgain(sought, file) : small;
    }

    /// Once more for a file that changed while it was read; one that does so again is left on disk, where the transport
    /// finds out whether it holds still.
    private Loaded openedAgain(Sought sought, OpenedFile changed) {
        changed.close();
        return switch (sought.tree().find(sought.path())) {
            case FileTree.Found.File(OpenedFile file, String found) -> {
                Loaded small = fits(file) ? inMemory(sought, file, found) : null;
                yield small == null ? open(sought, file, found) : small;
            }
            case FileTree.Found.Listed(OpenedDirectory directory) -> {
                directory.close();
                yield without(sought.known(), new Loaded.Refused(Refusal.NOT_FOUND));
            }
            case FileTree.Found.Unslashed _ -> without(sought.known(), new Loaded.Unslashed());
            case FileTree.Found.Refused(Refusal refusal) -> without(sought.known(), new Loaded.Refused(refusal));
        };
    }

    private boolean fits(OpenedFile file) {
        return file.identity().size() <= limits.smallFileBytes() && limits.cacheBytes() > 0;
    }

    /// The file as one that is kept in memory, and closed; null, and still open, when it changed while it was read.
    private @Nullable Loaded inMemory(Sought sought, OpenedFile file, String found) {
        try (Beside beside = Beside.open(sought.tree(), found, file.identity())) {
            FileSource still = still(sought, new Identities(file.identity(), beside.identities()));
            if (still != null) {
                file.close();
                return new Loaded.File(still);
            }
            if (!beside.within(limits.smallFileBytes())) {
                return open(sought, file, found);
            }
            byte[] content = read(file);
            return content == null ? null : keep(sought, file, found, new Content(content, beside));
        }
    }

    private record Content(byte[] plain, Beside beside) {
    }

    /// What is known already, if it was read from what was opened now.
    private @Nullable FileSource still(Sought sought, Identities opened) {
        CachedFile known = sought.known();
        FileSource still = known != null && known.isStill(opened) ? known.take(sought.accepted()) : null;
        if (known != null && still != null) {
            known.checked(sought.at().nanos());
        }
        return still;
    }

    /// The file as one that is sent from its descriptor, in the form that is liked best.
    private Loaded open(Sought sought, OpenedFile file, String found) {
        Beside beside = Beside.open(sought.tree(), found, file.identity());
        Identities identities = new Identities(file.identity(), beside.identities());
        FileSource still = still(sought, identities);
        if (still != null) {
            beside.close();
            file.close();
            return new Loaded.File(still);
        }
        OpenForms forms = forms(sought, file, beside, found);
        DiskFile source = Objects.requireNonNull(forms.acquire(sought.accepted()));
        if (limits.cacheBytes() > 0) {
            kept.keep(new CachedFile(sought.key(), sought.tree(), forms, identities, sought.at()));
        } else {
            forms.letGo();
        }
        return new Loaded.File(source);
    }

    private OpenForms forms(Sought sought, OpenedFile file, Beside beside, String found) {
        FilePolicy policy = sought.tree().policy();
        Map<ContentCoding, OpenForms.Form> coded = new EnumMap<>(ContentCoding.class);
        beside.files().forEach((coding, opened) -> coded.put(coding, new OpenForms.Form(
                Representation.coded(opened.identity(), coding, found, policy, time.epochSecond()),
                new SharedFile(opened, lane))));
        return new OpenForms(new OpenForms.Form(representation(sought, file, found), new SharedFile(file, lane)),
                coded);
    }

    private Loaded keep(Sought sought, OpenedFile file, String found, Content content) {
        FilePolicy policy = sought.tree().policy();
        Map<ContentCoding, MemoryFile> coded = new EnumMap<>(ContentCoding.class);
        Map<ContentCoding, FileIdentity> identities = new EnumMap<>(ContentCoding.class);
        content.beside().files().forEach((coding, opened) -> {
            byte[] bytes = read(opened);
            if (bytes != null) {
                identities.put(coding, opened.identity());
                coded.put(coding, new MemoryFile(
                        Representation.coded(opened.identity(), coding, found, policy, time.epochSecond()), bytes));
            }
        });
        Representation representation = representation(sought, file, found);
        file.close();
        MemoryFile memory = new MemoryFile(representation, content.plain(), coded);
        kept.keep(new CachedFile(sought.key(), sought.tree(), memory, new Identities(file.identity(), identities),
                sought.at()));
        return new Loaded.File(memory);
    }

    private Representation representation(Sought sought, OpenedFile file, String found) {
        return Representation.of(file.identity(), found, sought.tree().policy(), time.epochSecond());
    }

    /// All of the file, or null when it is not what it was when it was opened, cannot be read, or the JDK has no memory for
    /// its own buffer: then it is sent from its descriptor.
    private static byte @Nullable [] read(OpenedFile file) {
        byte[] content = new byte[Math.toIntExact(file.identity().size())];
        ByteBuffer buffer = ByteBuffer.wrap(content);
        try {
            int count = 0;
            while (buffer.hasRemaining() && count >= 0) {
                count = file.channel().read(buffer, buffer.position());
            }
        } catch (IOException | OutOfMemoryError e) {
            return null;
        }
        return !buffer.hasRemaining() && file.unchanged() ? content : null;
    }
}

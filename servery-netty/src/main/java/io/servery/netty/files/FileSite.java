package io.servery.netty.files;

import io.servery.core.config.Mount;
import io.servery.core.metric.MetricShard;
import io.servery.netty.files.open.AnonymousFiles;
import io.servery.netty.files.open.Root;
import io.servery.netty.lane.Lane;
import io.servery.netty.lane.Work;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All files that one worker serves: the roots by their prefixes, the cache, and the way to the filesystem lane.
///
/// Made once by the worker, before it is ready; each event loop then gets its own [FilesHandler] over it. Closed when no
/// exchange is left, after the lane.
///
/// *Owner*: any thread.
public final class FileSite implements AutoCloseable {
    private final List<FileTree> trees;
    private final KeptFiles kept;
    private final FileLoader loader;
    private final Flights flights;
    private final Compressions compressions;
    private final Digests digests;
    private final Lane lane;
    private final TimeSource time;

    /// The bounds of the cache.
    ///
    /// @param smallFileBytes up to this size a file is kept in memory
    /// @param cacheBytes how much memory they take together; 0 keeps none
    public record Limits(long smallFileBytes, long cacheBytes, FormLimits forms) {
    }

    /// The bounds of compressed forms.
    ///
    /// @param cacheBytes how much memory those that are kept take together; 0 keeps none
    /// @param bytes how much all of them take, with those that are being made and sent
    /// @param heapBytes how much of that may be on the heap
    public record FormLimits(long cacheBytes, long bytes, long heapBytes) {
    }

    /// The executors that work for files.
    public record Lanes(Lane filesystem, Lane compute) {
    }

    FileSite(List<FileTree> trees, Limits limits, Lanes lanes, MetricShard sharedShard, TimeSource time) {
        this(trees, limits, lanes, AnonymousFiles.ofKernel(), sharedShard, time);
    }

    /// Long because tests choose all that a site is made of.
    FileSite(List<FileTree> trees, Limits limits, Lanes lanes, AnonymousFiles files, MetricShard sharedShard,
            TimeSource time) {
        this.trees = trees.stream()
                .sorted(Comparator.comparingInt((FileTree tree) -> tree.prefix().length()).reversed())
                .toList();
        this.kept = new KeptFiles(limits.cacheBytes(), sharedShard);
        Listings listings = new Listings(lanes.compute(), time);
        this.loader = new FileLoader(kept, listings, limits, lanes.filesystem(), time);
        this.flights = new Flights(loader, listings, lanes.filesystem());
        this.compressions = new Compressions(lanes.compute(), limits.forms(), files, sharedShard);
        this.digests = new Digests(lanes.compute(), sharedShard);
        this.lane = lanes.filesystem();
        this.time = time;
    }

    /// Opens every root.
    ///
    /// @param mounts the application's own files, if it has any, as the mount `/`, and every `[[mount]]`
    /// @param sharedShard counts what happens on the lane's threads
    /// @throws IOException when a root cannot be opened; none is left open then
    /// @throws IllegalArgumentException when a configured field is one that the server decides
    public static FileSite open(List<Mount> mounts, Limits limits, Lanes lanes, MetricShard sharedShard,
            TimeSource time)
            throws IOException {
        List<FileTree> trees = new ArrayList<>();
        boolean complete = false;
        try {
            for (Mount mount : mounts) {
                FilePolicy policy = new FilePolicy(mount.files());
                trees.add(
                        new FileTree(mount.path(), Root.open(mount.files().root(), mount.files().symlinks()), policy));
            }
            complete = true;
        } finally {
            if (!complete) {
                trees.forEach(tree -> tree.root().close());
            }
        }
        return new FileSite(trees, limits, lanes, sharedShard, time);
    }

    /// Lets what is kept go and closes the roots; what was opened beneath them stays open for whoever holds it.
    @Override
    public void close() {
        kept.clear();
        compressions.clear();
        digests.clear();
        trees.forEach(tree -> tree.root().close());
    }

    /// The tree with the longest prefix of this path, or null.
    @Nullable
    FileTree treeOf(String path) {
        for (FileTree tree : trees) {
            if (tree.holds(path) || tree.isUnslashedPrefix(path)) {
                return tree;
            }
        }
        return null;
    }

    /// Has the files closed that nobody asked for since this was last called. To be called every few seconds; does not block.
    public void closeIdleFiles() {
        // A lane without room has files in use: the next time will do.
        boolean _ = lane.offer(new Work() {
            @Override
            public void run() {
                kept.closeIdle();
            }

            @Override
            public void discard() {
                // The site is closed next, and with it every file.
            }
        });
    }

    /// What is kept of this path is compared with the disk before it answers again, as if `cache_revalidate` had passed.
    public void suspect(String path) {
        CachedFile file = kept.find(path);
        if (file != null) {
            file.suspect(time.nanos());
        }
    }

    KeptFiles kept() {
        return kept;
    }

    FileLoader loader() {
        return loader;
    }

    Flights flights() {
        return flights;
    }

    Compressions compressions() {
        return compressions;
    }

    Digests digests() {
        return digests;
    }

    Lane lane() {
        return lane;
    }

    TimeSource time() {
        return time;
    }
}

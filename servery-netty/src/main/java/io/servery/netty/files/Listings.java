package io.servery.netty.files;

import io.servery.http.exchange.Refusal;
import io.servery.netty.lane.Lane;
import io.servery.netty.lane.Work;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Lists opened directories on the compute lane, and keeps what was listed last.
///
/// A directory takes three seconds of a thread at most, which many that are asked for with a filter each multiply: they have half of the lane's threads together, so that
/// compressing goes on beside them (docs/adr/0023).
///
/// *Owner*: the filesystem lane finds and hands over, the compute lane lists. *Invariant*: a directory that was taken over is closed once.
final class Listings {
    private final Lane compute;
    private final Lane.Share share;
    private final TimeSource time;
    private final Listing listing;
    private final ListingCache cache = new ListingCache(ListingCache.BYTES_MAX);

    Listings(Lane compute, TimeSource time) {
        this.compute = compute;
        this.share = new Lane.Share(Math.ceilDiv(compute.threads(), 2));
        this.time = time;
        this.listing = new Listing(time);
    }

    /// What was listed no longer ago than files of the tree are fresh.
    @Nullable
    ListingAnswer find(FileTree tree, String path, ListingView view) {
        return cache.find(new ListingCache.Key(path, view), time.nanos(), tree.policy().revalidateNanos());
    }

    /// Has the directory listed, and everyone aboard told.
    ///
    /// @param landing says who that is, when it is done
    /// @return false when there is no room: nothing was taken over
    boolean list(Loaded.Directory directory, Supplier<List<FileRequest>> landing) {
        // A lane for less than one listing has one at a time.
        long charge = Math.min(Listing.bytesMax(directory.path(), directory.view()), compute.bytesMax());
        return compute.offer(new Reading(directory, landing), charge, share);
    }

    private final class Reading implements Work {
        private final Loaded.Directory directory;
        private final Supplier<List<FileRequest>> landing;

        Reading(Loaded.Directory directory, Supplier<List<FileRequest>> landing) {
            this.directory = directory;
            this.landing = landing;
        }

        @Override
        public void run() {
            Loaded listed = new Loaded.Refused(Refusal.INTERNAL_ERROR);
            try {
                listed = read();
            } finally {
                for (FileRequest request : landing.get()) {
                    request.handler().deliverListed(request, listed);
                }
            }
        }

        private Loaded read() {
            long start = time.nanos();
            try {
                Loaded read = listing.of(directory.tree(), directory.path(), directory.view(), directory.opened());
                return read instanceof Loaded.Listing(ListingAnswer made)
                        ? new Loaded.Listing(
                                cache.keep(new ListingCache.Key(directory.path(), directory.view()), made, start))
                        : read;
            } finally {
                directory.unused();
            }
        }

        @Override
        public void discard() {
            directory.unused();
            for (FileRequest request : landing.get()) {
                request.handler().deliver(request, new Loaded.Refused(Refusal.DRAINING));
            }
        }
    }
}

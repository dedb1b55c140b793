package io.servery.netty.files;

import io.servery.http.exchange.Refusal;
import io.servery.netty.lane.Lane;
import java.util.List;
import java.util.function.Supplier;

/// Loads each path once for all requests that ask for it meanwhile: when a popular file is due to be looked at again,
/// one request goes to the lane and the others wait for it, instead of filling the lane's queue. That lane only opens a directory that is to be listed: the flight lands
/// on the lane that reads it.
///
/// *Owner*: event loops join, lanes land.
final class Flights {
    /// How many requests wait for one path beside the one that went to the lane.
    static final int FOLLOWERS_MAX = 1024;

    private final SingleFlight<Destination, FileRequest> flights;
    private final FileLoader loader;
    private final Listings listings;

    Flights(FileLoader loader, Listings listings, Lane lane) {
        this.loader = loader;
        this.listings = listings;
        this.flights = new SingleFlight<>(lane, FOLLOWERS_MAX);
    }

    /// Where a request goes: who wants a directory listed in another way goes elsewhere, so that what one flight renders is
    /// bounded by one page.
    private record Destination(String path, ListingView view) {
        Destination(FileRequest request) {
            this(request.path(), request.wanted().view());
        }
    }

    /// Has the request's path loaded; the request is told by its handler's `deliver`.
    ///
    /// @return false when there is no room
    boolean join(FileRequest request) {
        return flights.join(new Destination(request), request, 0, new Loading(request));
    }

    private final class Loading implements SingleFlight.Task<FileRequest> {
        private final FileRequest first;

        Loading(FileRequest first) {
            this.first = first;
        }

        @Override
        public void run(Supplier<List<FileRequest>> landing) {
            Loaded loaded = new Loaded.Refused(Refusal.INTERNAL_ERROR);
            try {
                loaded = loader.load(first);
            } finally {
                if (!(loaded instanceof Loaded.Directory directory)) {
                    land(landing.get(), loaded);
                } else if (!listings.list(directory, landing)) {
                    directory.unused();
                    land(landing.get(), new Loaded.Refused(Refusal.EXPENSIVE_WORK_FULL));
                }
            }
        }

        private void land(List<FileRequest> aboard, Loaded loaded) {
            int answered = 0;
            try {
                for (FileRequest request : aboard) {
                    Loaded own = answered == 0 || loaded.shared() ? loaded : loader.loadAgain(request);
                    answered++;
                    request.handler().deliver(request, fallback(request, own));
                }
            } finally {
                // Only after a bug: the others are not to wait for ever.
                refuse(aboard.subList(answered, aboard.size()), Refusal.INTERNAL_ERROR);
            }
        }

        private Loaded fallback(FileRequest request, Loaded loaded) {
            return loaded instanceof Loaded.Refused refused ? loader.instead(request, refused) : loaded;
        }

        @Override
        public void discard(List<FileRequest> aboard) {
            refuse(aboard, Refusal.DRAINING);
        }

        @Override
        public void refuse(FileRequest follower) {
            refuse(List.of(follower), Refusal.QUEUE_FULL);
        }

        private static void refuse(List<FileRequest> requests, Refusal refusal) {
            for (FileRequest request : requests) {
                request.handler().deliver(request, new Loaded.Refused(refusal));
            }
        }
    }
}

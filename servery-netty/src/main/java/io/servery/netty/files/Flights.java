package io.servery.netty.files;

import io.servery.http.exchange.Refusal;
import io.servery.netty.lane.Lane;
import java.util.List;
import java.util.function.Supplier;

/// Loads each path once for all requests that ask for it meanwhile: when a popular file is due to be looked at again,
/// one request goes to the lane and the others wait for it, instead of filling the lane's queue.
///
/// *Owner*: event loops join, the lane lands.
final class Flights {
    /// How many requests wait for one path beside the one that went to the lane.
    static final int FOLLOWERS_MAX = 1024;

    private final SingleFlight<Destination, FileRequest> flights;
    private final FileLoader loader;

    Flights(FileLoader loader, Lane lane) {
        this.loader = loader;
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
            int answered = 0;
            List<FileRequest> requests = List.of();
            try {
                Loaded loaded = loader.load(first);
                requests = landing.get();
                for (FileRequest request : requests) {
                    Loaded own = answered == 0 || loaded.shared()
                            ? loaded
                            : loader.load(request);
                    answered++;
                    request.handler().deliver(request, fallback(request, own));
                }
            } finally {
                // Only after a bug: the others are not to wait for ever.
                List<FileRequest> all = requests.isEmpty() ? landing.get() : requests;
                refuse(all.subList(answered, all.size()), Refusal.INTERNAL_ERROR);
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

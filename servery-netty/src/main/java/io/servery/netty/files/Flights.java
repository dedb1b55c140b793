package io.servery.netty.files;

import io.servery.http.exchange.Refusal;
import io.servery.netty.lane.Lane;
import io.servery.netty.lane.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/// Loads each path once for all requests that ask for it meanwhile: when a popular file is due to be looked at again,
/// one request goes to the lane and the others wait for it, instead of filling the lane's queue.
///
/// *Owner*: event loops join, the lane lands.
final class Flights {
    /// How many requests wait for one path beside the one that went to the lane.
    static final int FOLLOWERS_MAX = 1024;

    private final ConcurrentHashMap<Destination, Flight> byDestination = new ConcurrentHashMap<>();
    private final FileLoader loader;
    private final Lane lane;

    Flights(FileLoader loader, Lane lane) {
        this.loader = loader;
        this.lane = lane;
    }

    /// Where a request goes: who wants a directory listed in another way goes elsewhere, so that what one flight renders is
    /// bounded by one page.
    private record Destination(String path, ListingView view) {
        Destination(FileRequest request) {
            this(request.path(), request.wanted().view());
        }
    }

    /// Has the request's path loaded; the request is told by its handler's `loaded`.
    ///
    /// @return false when there is no room
    boolean join(FileRequest request) {
        Destination destination = new Destination(request);
        while (true) {
            Flight own = new Flight(request);
            Flight flight = byDestination.putIfAbsent(destination, own);
            if (flight == null) {
                return start(own);
            }
            Joined joined = flight.join(request);
            if (joined != Joined.TOO_LATE) {
                return joined == Joined.ABOARD;
            }
        }
    }

    private boolean start(Flight flight) {
        if (lane.offer(flight)) {
            return true;
        }
        // Whoever joined in between found no room either.
        List<FileRequest> aboard = flight.land();
        for (FileRequest follower : aboard.subList(1, aboard.size())) {
            follower.handler().deliver(follower, new Loaded.Refused(Refusal.QUEUE_FULL));
        }
        return false;
    }

    private enum Joined {
        ABOARD,
        FULL,
        TOO_LATE
    }

    private final class Flight implements Work {
        private final List<FileRequest> aboard = new ArrayList<>(1);
        private final FileRequest first;
        private boolean landed;

        Flight(FileRequest first) {
            this.first = first;
            aboard.add(first);
        }

        synchronized Joined join(FileRequest request) {
            if (landed) {
                return Joined.TOO_LATE;
            }
            if (aboard.size() > FOLLOWERS_MAX) {
                return Joined.FULL;
            }
            aboard.add(request);
            return Joined.ABOARD;
        }

        synchronized List<FileRequest> land() {
            landed = true;
            byDestination.remove(new Destination(first), this);
            return aboard;
        }

        @Override
        public void run() {
            int answered = 0;
            List<FileRequest> requests = List.of();
            try {
                Loaded loaded = loader.load(first);
                requests = land();
                for (FileRequest request : requests) {
                    Loaded own = answered == 0 || loaded.shared()
                            ? loaded
                            : loader.load(request);
                    answered++;
                    request.handler().deliver(request, fallback(request, own));
                }
            } finally {
                // Only after a bug: the others are not to wait for ever.
                List<FileRequest> all = requests.isEmpty() ? land() : requests;
                for (FileRequest request : all.subList(answered, all.size())) {
                    request.handler().deliver(request, new Loaded.Refused(Refusal.INTERNAL_ERROR));
                }
            }
        }

        private Loaded fallback(FileRequest request, Loaded loaded) {
            return loaded instanceof Loaded.Refused refused ? loader.instead(request, refused) : loaded;
        }

        @Override
        public void discard() {
            for (FileRequest request : land()) {
                request.handler().deliver(request, new Loaded.Refused(Refusal.DRAINING));
            }
        }
    }
}

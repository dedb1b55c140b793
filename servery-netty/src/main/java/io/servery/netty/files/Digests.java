package io.servery.netty.files;

import io.servery.core.metric.CacheName;
import io.servery.core.metric.MetricShard;
import io.servery.http.exchange.BodySource;
import io.servery.http.semantics.DigestAlgorithm;
import io.servery.http.semantics.EntityTag;
import io.servery.netty.files.digest.Hashed;
import io.servery.netty.files.digest.Hashing;
import io.servery.netty.files.open.FileIdentity;
import io.servery.netty.lane.Lane;
import io.servery.netty.lane.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Digests made on the compute lane: those of whole representations each once for all requests that ask for one meanwhile,
/// and kept; those of anything else for who asks.
///
/// *Owner*: event loops find and ask, the lane answers. *Not here*: the digests of files in memory, which are made with them.
final class Digests {
    /// How many requests wait for one digest beside the one that went to the lane.
    static final int FOLLOWERS_MAX = 256;
    /// Of all digests that are kept.
    static final long CACHE_BYTES_MAX = 1 << 20;
    /// A digest with its key and the objects around it.
    static final int ENTRY_BYTES = 512;

    private final Lane lane;
    private final BoundedCache<Key, byte[]> cache;
    private final ConcurrentHashMap<Key, Flight> flights = new ConcurrentHashMap<>();

    Digests(Lane compute, MetricShard sharedShard) {
        this.lane = compute;
        this.cache = new BoundedCache<>(CacheName.DIGEST, CACHE_BYTES_MAX, sharedShard);
    }

    /// What the digest of a representation depends on.
    ///
    /// @param identity of the opened file
    /// @param tag which tells the forms apart that are made of one file
    record Key(FileIdentity identity, EntityTag tag, DigestAlgorithm algorithm) {
        static Key of(Representation representation, DigestAlgorithm algorithm) {
            return new Key(representation.identity(), Objects.requireNonNull(representation.validators().etag()),
                    algorithm);
        }
    }

    /// What is hashed.
    ///
    /// @param parts read on the lane; whoever asks holds their files until it is answered
    /// @param settled whether the digest may be kept
    record Content(List<BodySource.Part> parts, boolean settled) {
    }

    byte @Nullable [] find(Key key) {
        return cache.find(key);
    }

    /// Has the digest of a representation made.
    ///
    /// @param then told on a thread of the lane, and never blocks
    /// @return false when there is no room, and nobody is told
    boolean join(Key key, Content content, Consumer<Hashed> then) {
        while (true) {
            Flight own = new Flight(key, content, then);
            Flight flight = flights.putIfAbsent(key, own);
            if (flight == null) {
                return start(own);
            }
            Joined joined = flight.join(then);
            if (joined != Joined.TOO_LATE) {
                return joined == Joined.ABOARD;
            }
        }
    }

    /// Has the digest of anything else made, for this request alone.
    ///
    /// @param then told on a thread of the lane, and never blocks
    /// @return false when there is no room, and nobody is told
    boolean hash(DigestAlgorithm algorithm, List<BodySource.Part> parts, Consumer<Hashed> then) {
        return lane.offer(new Work() {
            @Override
            public void run() {
                Hashed hashed = Hashed.Without.UNREADABLE;
                try {
                    hashed = Hashing.of(algorithm, parts, lane::closed);
                } finally {
                    then.accept(hashed);
                }
            }

            @Override
            public void discard() {
                then.accept(Hashed.Without.STOPPED);
            }
        }, Hashing.CHUNK_BYTES);
    }

    void clear() {
        cache.clear();
    }

    private boolean start(Flight flight) {
        if (lane.offer(flight, Hashing.CHUNK_BYTES)) {
            return true;
        }
        // Whoever joined in between found no room either.
        List<Consumer<Hashed>> aboard = flight.land();
        for (Consumer<Hashed> follower : aboard.subList(1, aboard.size())) {
            follower.accept(Hashed.Without.REFUSED);
        }
        return false;
    }

    private enum Joined {
        ABOARD,
        FULL,
        TOO_LATE
    }

    private final class Flight implements Work {
        private final Key key;
        private final Content content;
        private final List<Consumer<Hashed>> aboard = new ArrayList<>(1);
        private boolean landed;

        Flight(Key key, Content content, Consumer<Hashed> first) {
            this.key = key;
            this.content = content;
            aboard.add(first);
        }

        synchronized Joined join(Consumer<Hashed> then) {
            if (landed) {
                return Joined.TOO_LATE;
            }
            if (aboard.size() > FOLLOWERS_MAX) {
                return Joined.FULL;
            }
            aboard.add(then);
            return Joined.ABOARD;
        }

        synchronized List<Consumer<Hashed>> land() {
            landed = true;
            flights.remove(key, this);
            return aboard;
        }

        @Override
        public void run() {
            Hashed hashed = Hashed.Without.UNREADABLE;
            try {
                hashed = hash();
            } finally {
                tell(hashed);
            }
        }

        private Hashed hash() {
            byte[] known = cache.find(key);
            if (known != null) {
                return new Hashed.Digest(known);
            }
            Hashed hashed = Hashing.of(key.algorithm(), content.parts(), lane::closed);
            if (content.settled() && hashed instanceof Hashed.Digest(byte[] bytes)) {
                cache.keep(key, bytes, ENTRY_BYTES);
            }
            return hashed;
        }

        @Override
        public void discard() {
            tell(Hashed.Without.STOPPED);
        }

        private void tell(Hashed hashed) {
            land().forEach(then -> then.accept(hashed));
        }
    }
}

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
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
    private final SingleFlight<Key, Consumer<Hashed>> flights;

    Digests(Lane compute, MetricShard sharedShard) {
        this.lane = compute;
        this.flights = new SingleFlight<>(compute, FOLLOWERS_MAX);
        this.cache = new BoundedCache<>(CacheName.DIGEST, CACHE_BYTES_MAX, sharedShard, _ -> {
            // The collector finds out.
        });
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
        return flights.join(key, then, Hashing.CHUNK_BYTES, new Making(key, content));
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

    private final class Making implements SingleFlight.Task<Consumer<Hashed>> {
        private final Key key;
        private final Content content;

        Making(Key key, Content content) {
            this.key = key;
            this.content = content;
        }

        @Override
        public void run(Supplier<List<Consumer<Hashed>>> landing) {
            Hashed hashed = Hashed.Without.UNREADABLE;
            try {
                hashed = hash();
            } finally {
                tell(landing.get(), hashed);
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
        public void discard(List<Consumer<Hashed>> aboard) {
            tell(aboard, Hashed.Without.STOPPED);
        }

        @Override
        public void refuse(Consumer<Hashed> follower) {
            follower.accept(Hashed.Without.REFUSED);
        }

        private static void tell(List<Consumer<Hashed>> aboard, Hashed hashed) {
            aboard.forEach(then -> then.accept(hashed));
        }
    }
}

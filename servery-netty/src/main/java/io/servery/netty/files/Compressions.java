package io.servery.netty.files;

import io.servery.core.metric.CacheName;
import io.servery.core.metric.MetricShard;
import io.servery.http.exchange.Exchange;
import io.servery.http.semantics.ContentCoding;
import io.servery.netty.files.coding.ContentEncoder;
import io.servery.netty.lane.Lane;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Compressed forms of files that have none beside them, made on the compute lane, each once for all requests that ask for
/// it meanwhile, and kept within a bound of bytes.
///
/// *Owner*: event loops find and join, the lane lands.
final class Compressions {
    /// Below this a form saves less than its fields cost.
    static final long PLAIN_BYTES_MIN = 256;
    /// Above this it takes too long for somebody to wait for it; a form beside the file has no such bound.
    static final long PLAIN_BYTES_MAX = 1 << 20;
    /// How many requests wait for one form beside the one that went to the lane; any other gets plain content.
    static final int FOLLOWERS_MAX = 256;
    /// Objects, heads and the key beside the bytes that are counted.
    private static final int OVERHEAD_BYTES = 3_072;

    private final BoundedCache<Key, Form> cache;
    private final SingleFlight<Key, Waiting> flights;

    /// @param bytesMax of all forms together; 0 keeps none
    Compressions(Lane compute, long bytesMax, MetricShard sharedShard) {
        this.flights = new SingleFlight<>(compute, FOLLOWERS_MAX);
        this.cache = new BoundedCache<>(CacheName.COMPRESSION, bytesMax, sharedShard);
    }

    /// What a form depends on: the plain representation, whose tag stands for its bytes, and the coding.
    record Key(Representation plain, ContentCoding coding) {
        /// Of the tag alone, which differs where representations do: this is asked for at each request.
        @Override
        public int hashCode() {
            return 31 * Objects.hashCode(plain.validators().etag()) + coding.ordinal();
        }
    }

    /// What came of compressing.
    ///
    /// @param file null when compressing makes it no smaller
    record Form(@Nullable MemoryFile file) {
        static final Form NO_SMALLER = new Form(null);

        long bytes() {
            return OVERHEAD_BYTES + (file == null ? 0 : file.bytesHeld());
        }
    }

    /// A request that waits for a form, and what answers it otherwise.
    record Waiting(FilesHandler handler, Exchange exchange, FileTree tree, FileSource plain) {
    }

    @Nullable
    Form find(Key key) {
        return cache.find(key);
    }

    /// Has the form made; the request is told by its handler's `deliverForm`.
    ///
    /// @return false when there is no room: nothing of the request was taken over
    boolean join(Key key, Waiting waiting) {
        // What goes in, and what comes out: never more than went in.
        return flights.join(key, waiting, 2 * key.plain().size(), new Making(key, waiting.plain()));
    }

    void clear() {
        cache.clear();
    }

    private final class Making implements SingleFlight.Task<Waiting> {
        private final Key key;
        private final FileSource plain;

        Making(Key key, FileSource plain) {
            this.key = key;
            this.plain = plain;
        }

        @Override
        public void run(Supplier<List<Waiting>> landing) {
            Form form = Form.NO_SMALLER;
            try {
                form = make();
            } finally {
                deliver(landing.get(), form);
            }
        }

        private Form make() {
            Form known = cache.find(key);
            if (known != null) {
                return known;
            }
            byte[] content = plain.bytes();
            if (content == null) {
                return Form.NO_SMALLER;
            }
            byte[] coded = ContentEncoder.encode(key.coding(), content);
            Form form = coded == null
                    ? Form.NO_SMALLER
                    : new Form(new MemoryFile(key.plain().compressed(key.coding(), coded.length), coded));
            if (key.plain().settled()) {
                cache.keep(key, form, form.bytes());
            }
            return form;
        }

        @Override
        public void discard(List<Waiting> aboard) {
            deliver(aboard, Form.NO_SMALLER);
        }

        @Override
        public void refuse(Waiting follower) {
            follower.handler().deliverForm(follower, Form.NO_SMALLER);
        }

        private static void deliver(List<Waiting> aboard, Form form) {
            for (Waiting waiting : aboard) {
                waiting.handler().deliverForm(waiting, form);
            }
        }
    }
}

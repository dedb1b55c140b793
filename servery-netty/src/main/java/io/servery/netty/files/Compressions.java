package io.servery.netty.files;

import io.servery.core.metric.CacheName;
import io.servery.core.metric.MetricShard;
import io.servery.http.exchange.Exchange;
import io.servery.http.semantics.ContentCoding;
import io.servery.netty.files.coding.ContentEncoder;
import io.servery.netty.lane.Lane;
import io.servery.netty.lane.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
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

    private final Lane lane;
    private final BoundedCache<Key, Form> cache;
    private final ConcurrentHashMap<Key, Flight> flights = new ConcurrentHashMap<>();

    /// @param bytesMax of all forms together; 0 keeps none
    Compressions(Lane compute, long bytesMax, MetricShard sharedShard) {
        this.lane = compute;
        this.cache = new BoundedCache<>(CacheName.COMPRESSION, bytesMax, sharedShard);
    }

    /// What a form depends on: the plain representation, whose tag stands for its bytes, and the coding.
    record Key(Representation plain, ContentCoding coding) {
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
        while (true) {
            Flight own = new Flight(key, waiting);
            Flight flight = flights.putIfAbsent(key, own);
            if (flight == null) {
                return start(own);
            }
            Joined joined = flight.join(waiting);
            if (joined != Joined.TOO_LATE) {
                return joined == Joined.ABOARD;
            }
        }
    }

    void clear() {
        cache.clear();
    }

    private boolean start(Flight flight) {
        // What goes in, and what comes out: never more than went in.
        if (lane.offer(flight, 2 * flight.key.plain().size())) {
            return true;
        }
        List<Waiting> aboard = flight.land();
        for (Waiting follower : aboard.subList(1, aboard.size())) {
            follower.handler().deliverForm(follower, Form.NO_SMALLER);
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
        private final FileSource plain;
        private final List<Waiting> aboard = new ArrayList<>(1);
        private boolean landed;

        Flight(Key key, Waiting first) {
            this.key = key;
            this.plain = first.plain();
            aboard.add(first);
        }

        synchronized Joined join(Waiting waiting) {
            if (landed) {
                return Joined.TOO_LATE;
            }
            if (aboard.size() > FOLLOWERS_MAX) {
                return Joined.FULL;
            }
            aboard.add(waiting);
            return Joined.ABOARD;
        }

        synchronized List<Waiting> land() {
            landed = true;
            flights.remove(key, this);
            return aboard;
        }

        @Override
        public void run() {
            Form form = Form.NO_SMALLER;
            try {
                form = make();
            } finally {
                deliver(form);
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
        public void discard() {
            deliver(Form.NO_SMALLER);
        }

        private void deliver(Form form) {
            for (Waiting waiting : land()) {
                waiting.handler().deliverForm(waiting, form);
            }
        }
    }
}

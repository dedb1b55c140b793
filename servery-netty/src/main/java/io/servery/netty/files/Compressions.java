package io.servery.netty.files;

import io.servery.core.metric.CacheName;
import io.servery.core.metric.CacheResult;
import io.servery.core.metric.MetricShard;
import io.servery.http.exchange.Exchange;
import io.servery.http.semantics.ContentCoding;
import io.servery.netty.files.coding.ContentEncoder;
import io.servery.netty.files.open.AnonymousFiles;
import io.servery.netty.lane.Lane;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Compressed forms of files that have none beside them, made on the compute lane, each once for all requests that ask for
/// it meanwhile, and kept within a bound of bytes. Where they are, and how much they take until the last of them is sent,
/// is the business of [FormRoom].
///
/// *Owner*: event loops find and join, the lane lands.
final class Compressions {
    /// Below this a form saves less than its fields cost.
    static final long PLAIN_BYTES_MIN = 256;
    /// Above this it takes too long for somebody to wait for it; a form beside the file has no such bound.
    static final long PLAIN_BYTES_MAX = 1 << 20;
    /// How many requests wait for one form beside the one that went to the lane; any other gets plain content.
    static final int FOLLOWERS_MAX = 256;

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private final BoundedCache<Key, CompressedForm> cache;
    private final SingleFlight<Key, Waiting> flights;
    private final FormRoom room;
    private final MetricShard metrics;

    Compressions(Lane compute, FileSite.FormLimits limits, AnonymousFiles files, MetricShard sharedShard) {
        this.flights = new SingleFlight<>(compute, FOLLOWERS_MAX);
        this.cache = new BoundedCache<>(CacheName.COMPRESSION, limits.cacheBytes(), sharedShard,
                CompressedForm::letGo);
        this.room = new FormRoom(files, limits);
        this.metrics = sharedShard;
    }

    /// The arrays of one thread of the lane. Made anew for each form they would outlive the young generation, which a few of
    /// them fill.
    private static final class Scratch {
        private byte[] plain = {};
        private byte[] coded = {};

        byte[] plain(int size) {
            plain = grown(plain, size);
            return plain;
        }

        byte[] coded(int size) {
            coded = grown(coded, size);
            return coded;
        }

        private static byte[] grown(byte[] array, int size) {
            return array.length >= size ? array : new byte[Integer.highestOneBit(size - 1) << 1];
        }
    }

    /// What a form depends on: the plain representation, whose tag stands for its bytes, and the coding.
    record Key(Representation plain, ContentCoding coding) {
        /// Of the tag alone, which differs where representations do: this is asked for at each request.
        @Override
        public int hashCode() {
            return 31 * Objects.hashCode(plain.validators().etag()) + coding.ordinal();
        }
    }

    /// A request that waits for a form, and what answers it otherwise.
    record Waiting(FilesHandler handler, Exchange exchange, FileTree tree, FileSource plain) {
    }

    /// What answers one request: the form, in the place of the plain source, or that where it is no smaller; null when it is
    /// not known.
    @Nullable
    FileSource find(Key key, FileSource plain) {
        CompressedForm form = cache.find(key);
        return form == null ? null : form.take(plain);
    }

    /// Has the form made; the request is told by its handler's `deliverForm`.
    ///
    /// @return false when there is no room: nothing of the request was taken over
    boolean join(Key key, Waiting waiting) {
        long size = key.plain().size();
        if (!room.has(size)) {
            // The lane asks again, and its answer counts; but nobody is to wait there to hear this one.
            return false;
        }
        // What goes in, and what comes out: never more than went in.
        return flights.join(key, waiting, 2 * size, new Making(key, waiting.plain()));
    }

    void clear() {
        cache.clear();
    }

    FormRoom room() {
        return room;
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
            CompressedForm form = null;
            try {
                form = find();
            } finally {
                land(landing.get(), form);
            }
        }

        private static void land(List<Waiting> aboard, @Nullable CompressedForm form) {
            if (form == null) {
                deliverPlain(aboard);
                return;
            }
            try {
                for (Waiting waiting : aboard) {
                    // Not null: this work holds it.
                    deliver(waiting, Objects.requireNonNull(form.take(waiting.plain())));
                }
            } finally {
                form.letGo();
            }
        }

        /// The form, held; null where it cannot be made, or there is no room for it.
        private @Nullable CompressedForm find() {
            CompressedForm known = cache.find(key);
            if (known != null && known.hold()) {
                return known;
            }
            CompressedForm form = reserved();
            if (form != null && key.plain().settled() && form.hold() && !cache.keep(key, form, form.bytes())) {
                form.letGo();
            }
            return form;
        }

        private @Nullable CompressedForm reserved() {
            long size = key.plain().size();
            if (!room.reserve(size)) {
                metrics.cacheOperation(CacheName.COMPRESSION, CacheResult.REJECTED);
                return null;
            }
            CompressedForm form = null;
            try {
                form = make(Math.toIntExact(size));
            } finally {
                if (form == null) {
                    room.cancel(size);
                }
            }
            return form;
        }

        private @Nullable CompressedForm make(int size) {
            Scratch scratch = SCRATCH.get();
            byte[] content = plain.bytes(scratch.plain(size));
            if (content == null) {
                return null;
            }
            CompressedForm form = room.form(key.plain(), key.coding(),
                    ContentEncoder.encode(key.coding(), content, size, scratch.coded(size)));
            if (form == null) {
                metrics.cacheOperation(CacheName.COMPRESSION, CacheResult.REJECTED);
            }
            return form;
        }

        @Override
        public void discard(List<Waiting> aboard) {
            deliverPlain(aboard);
        }

        @Override
        public void refuse(Waiting follower) {
            deliver(follower, follower.plain());
        }

        private static void deliverPlain(List<Waiting> aboard) {
            for (Waiting waiting : aboard) {
                deliver(waiting, waiting.plain());
            }
        }

        private static void deliver(Waiting waiting, FileSource answering) {
            waiting.handler().deliverForm(waiting, answering);
        }
    }
}

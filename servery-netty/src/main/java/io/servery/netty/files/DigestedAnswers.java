package io.servery.netty.files;

import io.servery.core.metric.CacheName;
import io.servery.core.metric.CacheResult;
import io.servery.core.metric.MetricShard;
import io.servery.http.exchange.BodySource;
import io.servery.http.exchange.Exchange;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RequestHead;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.ByteRanges;
import io.servery.http.semantics.DigestAlgorithm;
import io.servery.http.semantics.DigestPreference;
import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.Method;
import io.servery.http.semantics.Preconditions;
import io.servery.http.semantics.Status;
import io.servery.netty.files.digest.Hashed;
import io.servery.netty.lane.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The answers to requests that want digests (RFC 9530 §4): what is not known yet is hashed on the compute lane before the
/// head goes out, or the request is refused; it is never answered without.
///
/// The digest of the representation comes first, from the file that answers, then the plan, then the digest of the plan's
/// content. What has no content to speak of (304, a refusal) costs no hashing.
///
/// *Owner*: one event loop, as its [FilesHandler]. *Not here*: the `Repr-Digest` that files in memory carry unasked.
final class DigestedAnswers {
    private final FileSite site;
    private final MetricShard metrics;
    private final FilePlanner planner;
    private final FilesHandler handler;

    DigestedAnswers(FileSite site, MetricShard loopShard, FilePlanner planner, FilesHandler handler) {
        this.site = site;
        this.metrics = loopShard;
        this.planner = planner;
        this.handler = handler;
    }

    /// Takes the exchange over if it wants digests.
    boolean takes(Exchange exchange, FileTree tree, FileSource source) {
        RequestHead head = exchange.head();
        if (head.count(FieldName.WANT_REPR_DIGEST) == 0 && head.count(FieldName.WANT_CONTENT_DIGEST) == 0) {
            return false;
        }
        new Wanting(exchange, tree, source).begin();
        return true;
    }

    /// One exchange on its way to its digests. *Owner*: the event loop, but for `hashed`.
    private final class Wanting {
        private final Exchange exchange;
        private final FileTree tree;
        private final FileSource source;
        private final DigestPreference ofRepresentation;
        private final @Nullable DigestAlgorithm ofContent;
        private @Nullable String reprDigest;
        private @Nullable ResponsePlan plan;

        Wanting(Exchange exchange, FileTree tree, FileSource source) {
            this.exchange = exchange;
            this.tree = tree;
            this.source = source;
            this.ofRepresentation = DigestPreference.of(exchange.head(), FieldName.WANT_REPR_DIGEST);
            this.ofContent = DigestPreference.of(exchange.head(), FieldName.WANT_CONTENT_DIGEST).best();
        }

        void begin() {
            DigestAlgorithm algorithm = ofRepresentation.best();
            if (algorithm == null || !representationIsSent()) {
                planned();
                return;
            }
            List<BodySource.Part> parts = source.parts();
            ofRepresentation(algorithm, parts, digest -> {
                reprDigest = digest;
                planned();
            });
        }

        /// Whether the answer will be of the representation: not that it did not change, nor a refusal.
        private boolean representationIsSent() {
            RequestHead head = exchange.head();
            Representation representation = source.representation();
            long now = site.time().epochSecond();
            if (Preconditions.evaluate(head.method(), head, representation.validators(),
                    now) != Preconditions.Outcome.PROCEED) {
                return false;
            }
            boolean ranged = head.method() == Method.GET
                    && Preconditions.rangeApplies(head, representation.validators(), now);
            return !ranged || !(ByteRanges.select(Objects.requireNonNull(head.value(FieldName.RANGE)),
                    representation.size()) instanceof ByteRanges.Unsatisfiable);
        }

        private void planned() {
            Answer answer = planner.plan(source, exchange.head().method(), exchange.head(), site.time().epochSecond());
            if (!(answer instanceof Answer.Given(ResponsePlan given))) {
                handler.answer(exchange, tree, answer);
                return;
            }
            plan = given;
            DigestAlgorithm algorithm = ofContent;
            if (given.head().status() == Status.NOT_MODIFIED) {
                exchange.respond(given);
            } else if (algorithm == null || exchange.head().method() == Method.HEAD) {
                answered(given, null);
            } else if (given.head().status() == Status.OK) {
                ofWhole(given, algorithm);
            } else {
                metrics.cacheOperation(CacheName.DIGEST, CacheResult.MISS);
                Consumer<Hashed> then = hashed(algorithm, digest -> answered(given, digest));
                if (!site.digests().hash(algorithm, parts(given), then)) {
                    refuseForRoom();
                }
            }
        }

        /// The content of 200 is the representation.
        private void ofWhole(ResponsePlan given, DigestAlgorithm algorithm) {
            if (reprDigest != null && ofRepresentation.best() == algorithm) {
                answered(given, reprDigest);
            } else {
                ofRepresentation(algorithm, parts(given), digest -> answered(given, digest));
            }
        }

        private void ofRepresentation(DigestAlgorithm algorithm, List<BodySource.Part> parts, Consumer<String> then) {
            Representation representation = source.representation();
            String own = representation.described(Representation.REPR_DIGEST);
            if (own != null && algorithm == Representation.DIGEST_UNASKED) {
                then.accept(own);
                return;
            }
            Digests.Key key = Digests.Key.of(representation, algorithm);
            byte[] known = site.digests().find(key);
            metrics.cacheOperation(CacheName.DIGEST, known == null ? CacheResult.MISS : CacheResult.HIT);
            if (known != null) {
                then.accept(algorithm.field(known));
            } else if (!site.digests().join(key, new Digests.Content(parts, representation.settled()),
                    hashed(algorithm, then))) {
                refuseForRoom();
            }
        }

        /// Goes on, on the event loop, with what the lane says.
        private Consumer<Hashed> hashed(DigestAlgorithm algorithm, Consumer<String> then) {
            return new Delivery<Hashed>(exchange.executor(), exchange::cancelled,
                    outcome -> goOn(outcome, algorithm, then), _ -> giveBack())::deliver;
        }

        private void goOn(Hashed outcome, DigestAlgorithm algorithm, Consumer<String> then) {
            switch (outcome) {
                case Hashed.Digest(byte[] bytes) -> then.accept(algorithm.field(bytes));
                case Hashed.Without why -> refuse(why);
            }
        }

        private void refuse(Hashed.Without why) {
            switch (why) {
                case CHANGED -> refuse(Refusal.FILE_CHANGED);
                case UNREADABLE -> refuse(Refusal.STORAGE_FAILED);
                case STOPPED -> refuse(Refusal.DRAINING);
                case REFUSED -> refuseForRoom();
            }
        }

        private void refuseForRoom() {
            metrics.cacheOperation(CacheName.DIGEST, CacheResult.REJECTED);
            refuse(Refusal.EXPENSIVE_WORK_FULL);
        }

        private void refuse(Refusal refusal) {
            giveBack();
            handler.refuse(exchange, tree, new Loaded.Refused(refusal));
        }

        private void giveBack() {
            if (plan == null) {
                source.unused();
            } else {
                plan.release();
            }
        }

        private void answered(ResponsePlan given, @Nullable String contentDigest) {
            List<Field> fields = new ArrayList<>();
            boolean ownStays = reprDigest == null && !ofRepresentation.refuses(Representation.DIGEST_UNASKED);
            for (Field field : given.head().fields()) {
                if (ownStays || !field.name().equals(Representation.REPR_DIGEST)) {
                    fields.add(field);
                }
            }
            if (reprDigest != null) {
                fields.add(new Field(Representation.REPR_DIGEST, reprDigest));
            }
            if (contentDigest != null) {
                fields.add(new Field("Content-Digest", contentDigest));
            }
            ResponseHead head = ResponseHead.status(given.head().status()).with(fields)
                    .length(given.head().contentLength());
            exchange.respond(under(given, head));
        }
    }

    private static ResponsePlan under(ResponsePlan plan, ResponseHead head) {
        return switch (plan) {
            case ResponsePlan.Empty _ -> new ResponsePlan.Empty(head);
            case ResponsePlan.Bytes bytes -> new ResponsePlan.Bytes(head, bytes.content());
            case ResponsePlan.FileRange range -> new ResponsePlan.FileRange(head, range.file(), range.offset());
            case ResponsePlan.Stream stream -> new ResponsePlan.Stream(head, stream.source());
        };
    }

    /// The content of a plan, without using it up.
    private static List<BodySource.Part> parts(ResponsePlan plan) {
        return switch (plan) {
            case ResponsePlan.Empty _ -> List.of();
            case ResponsePlan.Bytes bytes -> List.of(new BodySource.Part.Chunk(bytes.content()));
            case ResponsePlan.FileRange range ->
                List.of(new BodySource.Part.FilePart(range.file(), range.offset(), range.length()));
            case ResponsePlan.Stream stream when stream.source() instanceof Multipart.PartsOfFile several ->
                several.parts();
            case ResponsePlan.Stream stream when stream.source() instanceof BytesInParts bytes ->
                List.of(new BodySource.Part.Chunk(bytes.whole()));
            case ResponsePlan.Stream _ ->
                throw new IllegalStateException("content: found a source that cannot be read twice");
        };
    }
}

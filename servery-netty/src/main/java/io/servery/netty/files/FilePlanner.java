package io.servery.netty.files;

import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.http.exchange.ResponsePlan;
import io.servery.http.semantics.ByteRange;
import io.servery.http.semantics.ByteRanges;
import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.Method;
import io.servery.http.semantics.Preconditions;
import io.servery.http.semantics.RequestFields;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/// Decides the answer to GET or HEAD for one file: preconditions first, then the range (RFC 9110 §13.2.2). Pure, but for
/// the boundary it draws when several ranges are sent.
final class FilePlanner {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BOUNDARY_BYTES = 18;

    private final Supplier<String> boundaries;

    FilePlanner(Supplier<String> boundaries) {
        this.boundaries = boundaries;
    }

    /// A planner whose boundaries nobody can guess: a file whose author could guess it might forge the parts after it.
    static FilePlanner unguessable() {
        return new FilePlanner(() -> {
            byte[] random = new byte[BOUNDARY_BYTES];
            RANDOM.nextBytes(random);
            return Base64.getUrlEncoder().encodeToString(random);
        });
    }

    /// The answer; the source is used up by it.
    Answer plan(FileSource source, Method method, RequestFields fields, long nowEpochSecond) {
        Representation representation = source.representation();
        return switch (Preconditions.evaluate(method, fields, representation.validators(), nowEpochSecond)) {
            case FAILED -> refused(source, Refusal.PRECONDITION_FAILED, List.of());
            case NOT_MODIFIED -> source.notModified();
            case PROCEED -> method == Method.HEAD
                    ? source.headOnly()
                    : ranged(source, fields, nowEpochSecond);
        };
    }

    private Answer ranged(FileSource source, RequestFields fields, long nowEpochSecond) {
        Representation representation = source.representation();
        if (!Preconditions.rangeApplies(fields, representation.validators(), nowEpochSecond)) {
            return source.whole();
        }
        String range = Objects.requireNonNull(fields.value(FieldName.RANGE));
        return switch (ByteRanges.select(range, representation.size())) {
            case ByteRanges.Whole _ -> source.whole();
            case ByteRanges.Parts parts -> new Answer.Given(parts(source, parts.ranges()));
            case ByteRanges.Unsatisfiable _ -> refused(source, Refusal.RANGE_NOT_SATISFIABLE,
                    List.of(new Field("Content-Range", ByteRanges.unsatisfied(representation.size()))));
        };
    }

    private ResponsePlan parts(FileSource source, List<ByteRange> ranges) {
        return ranges.size() == 1 ? source.part(ranges.getFirst()) : source.parts(ranges, boundaries.get());
    }

    private static Answer refused(FileSource source, Refusal refusal, List<Field> more) {
        source.unused();
        return new Answer.Refused(refusal, more);
    }
}

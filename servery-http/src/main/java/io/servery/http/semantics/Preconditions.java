package io.servery.http.semantics;

import org.jspecify.annotations.Nullable;

/// The preconditions of a request against the current representation (RFC 9110 §13), each a pure function.
///
/// A caller evaluates them only where the answer without them would be a 2xx (RFC 9110 §13.2.1). A request without
/// conditional fields costs look-ups and no allocation.
public final class Preconditions {
    /// What the preconditions say of a request.
    public enum Outcome {
        /// Answer as if there were no preconditions.
        PROCEED,
        /// Answer 304: the client's copy is current.
        NOT_MODIFIED,
        /// Answer 412 and do nothing else.
        FAILED
    }

    private Preconditions() {
    }

    /// The outcome of the ladder of RFC 9110 §13.2.2, in its order.
    ///
    /// - If-Match or If-None-Match that is no list of entity tags matches nothing and, for a method other than GET, HEAD
    ///   and QUERY, fails: what the client meant to guard is not done on a guess.
    /// - A date is compared as it stands, one in the future too: it is read by this server's clock (§13.1.3), and the rule
    ///   of RFC 2616 that such a date is invalid is gone since RFC 7232.
    /// - QUERY is answered as GET is, with 304 and by If-Modified-Since too: its draft
    ///   (draft-ietf-httpbis-safe-method-w-body §2.6) gives it the selected representation of a GET of the equivalent resource.
    ///
    /// @param current null when the resource has no current representation
    public static Outcome evaluate(Method method, RequestFields fields, @Nullable Validators current,
            long nowEpochSecond) {
        if (!selects(method)) {
            return Outcome.PROCEED;
        }
        if (fields.count(FieldName.IF_MATCH) > 0) {
            if (!ifMatch(fields, current)) {
                return Outcome.FAILED;
            }
        } else if (fields.count(FieldName.IF_UNMODIFIED_SINCE) > 0 && !ifUnmodifiedSince(fields, current,
                nowEpochSecond)) {
            return Outcome.FAILED;
        }
        if (fields.count(FieldName.IF_NONE_MATCH) > 0) {
            return ifNoneMatch(fields, current, retrieves(method));
        }
        boolean unmodified = retrieves(method) && fields.count(FieldName.IF_MODIFIED_SINCE) > 0
                && !ifModifiedSince(fields, current, nowEpochSecond);
        return unmodified ? Outcome.NOT_MODIFIED : Outcome.PROCEED;
    }

    /// Whether the Range field of a GET or QUERY is to be read (RFC 9110 §13.1.5): there is exactly one, and If-Range is absent
    /// or names the current representation by a strong validator.
    ///
    /// A date is strong here only when the second that it names is over, for until then the representation may change once
    /// more within it (§8.8.2.2). That the response which gave the client this date had a Date at least one second after
    /// it is the client's to know: it must not send the date otherwise (§13.1.5).
    public static boolean rangeApplies(RequestFields fields, @Nullable Validators current, long nowEpochSecond) {
        if (fields.count(FieldName.RANGE) != 1 || current == null) {
            return false;
        }
        String ifRange = fields.value(FieldName.IF_RANGE);
        if (ifRange == null) {
            return true;
        }
        if (fields.count(FieldName.IF_RANGE) > 1) {
            return false;
        }
        EntityTag etag = current.etag();
        if (EntityTag.end(ifRange, 0) == ifRange.length()) {
            return etag != null && etag.matches(ifRange, 0, true);
        }
        long date = HttpDate.parse(ifRange, nowEpochSecond);
        return date != HttpDate.INVALID && date == current.lastModifiedEpochSecond() && date < nowEpochSecond;
    }

    /// A method that neither selects nor changes a representation ignores preconditions (RFC 9110 §13.2.1).
    private static boolean selects(Method method) {
        return switch (method) {
            case GET, HEAD, QUERY, POST, PUT, DELETE, PATCH -> true;
            case OPTIONS, TRACE, CONNECT, UNKNOWN -> false;
        };
    }

    private static boolean retrieves(Method method) {
        return method == Method.GET || method == Method.HEAD || method == Method.QUERY;
    }

    private static boolean ifMatch(RequestFields fields, @Nullable Validators current) {
        return switch (Membership.of(fields, FieldName.IF_MATCH, current, true)) {
            case MEMBER -> true;
            case ABSENT, MALFORMED -> false;
        };
    }

    private static Outcome ifNoneMatch(RequestFields fields, @Nullable Validators current, boolean retrieves) {
        return switch (Membership.of(fields, FieldName.IF_NONE_MATCH, current, false)) {
            case MEMBER -> retrieves ? Outcome.NOT_MODIFIED : Outcome.FAILED;
            case ABSENT -> Outcome.PROCEED;
            case MALFORMED -> retrieves ? Outcome.PROCEED : Outcome.FAILED;
        };
    }

    private static boolean ifUnmodifiedSince(RequestFields fields, @Nullable Validators current, long nowEpochSecond) {
        long date = singleDate(fields, FieldName.IF_UNMODIFIED_SINCE, nowEpochSecond);
        return date == HttpDate.INVALID || current == null || !current.hasLastModified()
                || current.lastModifiedEpochSecond() <= date;
    }

    private static boolean ifModifiedSince(RequestFields fields, @Nullable Validators current, long nowEpochSecond) {
        long date = singleDate(fields, FieldName.IF_MODIFIED_SINCE, nowEpochSecond);
        return date == HttpDate.INVALID || current == null || !current.hasLastModified()
                || current.lastModifiedEpochSecond() > date;
    }

    /// The field's date; invalid too when several lines make a list of it.
    private static long singleDate(RequestFields fields, FieldName name, long nowEpochSecond) {
        String value = fields.value(name);
        return value == null || fields.count(name) > 1 ? HttpDate.INVALID : HttpDate.parse(value, nowEpochSecond);
    }
}

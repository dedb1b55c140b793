package io.servery.acme.order;

import io.servery.core.reason.Reason;
import java.time.Instant;
import java.util.Optional;

/// Why an attempt brings nothing. Within this package: outside it is [Reply.Failed].
final class AttemptException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int DETAIL_CHARS_MAX = 500;

    private final Reason reason;
    private final String detail;
    private final transient Optional<Instant> retryAfter;
    private final boolean orderLost;

    /// The order is lost with it, unless it was the way to the authority that failed.
    AttemptException(Reason reason, String detail) {
        this(reason, detail, Optional.empty());
    }

    AttemptException(Reason reason, String detail, Optional<Instant> retryAfter) {
        this(reason, detail, retryAfter, reason != Reason.NETWORK_FAILURE);
    }

    private AttemptException(Reason reason, String detail, Optional<Instant> retryAfter, boolean orderLost) {
        super(printable(detail));
        this.reason = reason;
        this.detail = printable(detail);
        this.retryAfter = retryAfter;
        this.orderLost = orderLost;
    }

    /// The authority was not told anything yet: the next attempt can go on with the order.
    static AttemptException keepingTheOrder(Reason reason, String detail) {
        return new AttemptException(reason, detail, Optional.empty(), false);
    }

    /// Whether nothing can come of the order any more.
    boolean orderLost() {
        return orderLost;
    }

    Reason reason() {
        return reason;
    }

    String detail() {
        return detail;
    }

    Optional<Instant> retryAfter() {
        return retryAfter;
    }

    /// The words of an authority go into events and onto terminals.
    private static String printable(String detail) {
        String safe = detail.replaceAll("\\s+", " ").replaceAll("[^ -~]", "?");
        return safe.length() <= DETAIL_CHARS_MAX ? safe : safe.substring(0, DETAIL_CHARS_MAX) + "...";
    }
}

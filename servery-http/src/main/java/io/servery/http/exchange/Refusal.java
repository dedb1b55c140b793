package io.servery.http.exchange;

import static io.servery.http.exchange.Refusal.Fate.CLOSE;
import static io.servery.http.exchange.Refusal.Fate.KEEP;

import io.servery.core.reason.Reason;
import io.servery.http.semantics.Status;

/// Every way in which a request is refused: status, reason code, what becomes of the connection, and the rule.
///
/// This table is policy, log field, metric label, test case and manual page (`docs/reference/refusals.md`) at once.
public enum Refusal {
    // The message cannot be trusted to end where it seems to: nothing that follows on the connection is read as a request.
    BARE_LINE_END(400, Reason.BAD_FRAMING, CLOSE, "RFC 9112 §2.2", "a line must end in CRLF"),
    MALFORMED_REQUEST_LINE(400, Reason.BAD_FRAMING, CLOSE, "RFC 9112 §3", "the request line is malformed"),
    MALFORMED_VERSION(400, Reason.UNSUPPORTED_VERSION, CLOSE, "RFC 9112 §2.3", "the protocol version is malformed"),
    UNSUPPORTED_VERSION(505, Reason.UNSUPPORTED_VERSION, CLOSE, "RFC 9110 §15.6.6", "use HTTP/1.1"),
    METHOD_TOO_LONG(501, Reason.UNSUPPORTED_METHOD, CLOSE, "RFC 9112 §3", "the method is longer than any known"),
    TARGET_TOO_LONG(414, Reason.TARGET_TOO_LONG, CLOSE, "RFC 9112 §3", "the target is too long"),
    MALFORMED_TARGET(400, Reason.BAD_TARGET, CLOSE, "RFC 9112 §3.2", "the target is malformed"),
    HEAD_TOO_LARGE(431, Reason.HEAD_TOO_LARGE, CLOSE, "RFC 6585 §5", "the fields are too large together"),
    TOO_MANY_FIELDS(431, Reason.HEAD_TOO_LARGE, CLOSE, "RFC 6585 §5", "there are too many fields"),
    MALFORMED_FIELD(400, Reason.BAD_FIELD, CLOSE, "RFC 9112 §5", "a field line is malformed"),
    LINE_FOLDING(400, Reason.BAD_FIELD, CLOSE, "RFC 9112 §5.2", "a field line is folded"),
    SPACE_BEFORE_COLON(400, Reason.BAD_FIELD, CLOSE, "RFC 9112 §5.1", "a field name is followed by a blank"),
    MISSING_HOST(400, Reason.BAD_HOST, CLOSE, "RFC 9112 §3.2", "Host is missing"),
    REPEATED_HOST(400, Reason.BAD_HOST, CLOSE, "RFC 9112 §3.2", "Host is repeated"),
    MALFORMED_HOST(400, Reason.BAD_HOST, CLOSE, "RFC 9112 §3.2", "Host is malformed"),
    HOST_MISMATCH(400, Reason.BAD_HOST, CLOSE, "RFC 9112 §3.2.2", "Host differs from the authority of the target"),
    MALFORMED_LENGTH(400, Reason.BAD_FRAMING, CLOSE, "RFC 9112 §6.3", "Content-Length is malformed"),
    REPEATED_LENGTH(400, Reason.BAD_FRAMING, CLOSE, "RFC 9112 §6.3", "Content-Length is repeated"),
    LENGTH_WITH_CODING(400, Reason.BAD_FRAMING, CLOSE, "RFC 9112 §6.1", "Content-Length beside Transfer-Encoding"),
    CODING_IN_HTTP_1_0(400, Reason.BAD_FRAMING, CLOSE, "RFC 9112 §6.1", "Transfer-Encoding in an HTTP/1.0 message"),
    MALFORMED_CODING(400, Reason.BAD_FRAMING, CLOSE, "RFC 9112 §6.1", "Transfer-Encoding must be one chunked"),
    UNSUPPORTED_CODING(501, Reason.UNSUPPORTED_CODING, CLOSE, "RFC 9112 §6.1", "the transfer coding is not supported"),
    MALFORMED_CHUNK(400, Reason.BAD_FRAMING, CLOSE, "RFC 9112 §7.1", "the chunked body is malformed"),
    MALFORMED_TRAILER(400, Reason.BAD_FIELD, CLOSE, "RFC 9112 §7.1.2", "a trailer field is malformed"),
    TOO_MANY_TRAILERS(431, Reason.HEAD_TOO_LARGE, CLOSE, "RFC 6585 §5", "there are too many trailer fields"),
    BODY_TOO_LARGE(413, Reason.BODY_TOO_LARGE, CLOSE, "RFC 9110 §15.5.14", "the body is too large"),
    SECURE_TARGET(421, Reason.BAD_TARGET, CLOSE, "RFC 9110 §7.4", "an https target over a connection without TLS"),
    PLAIN_TARGET(421, Reason.BAD_TARGET, CLOSE, "RFC 9110 §7.4", "an http target over a connection with TLS"),
    LEGACY_WEBSOCKET(400, Reason.BAD_FIELD, CLOSE, "RFC 6455 §4.1", "this WebSocket handshake is not supported"),
    INCOMPLETE_REQUEST(400, Reason.BAD_FRAMING, CLOSE, "RFC 9112 §8", "the request ended early"),

    // The peer was too slow.
    HEAD_TIMEOUT(408, Reason.REQUEST_HEAD_TIMEOUT, CLOSE, "RFC 9110 §15.5.9", "the request took too long to arrive"),
    BODY_TIMEOUT(408, Reason.REQUEST_BODY_TIMEOUT, CLOSE, "RFC 9110 §15.5.9", "the body took too long to arrive"),

    // There is no room.
    CONNECTIONS_FULL(503, Reason.CONNECTION_CAPACITY, CLOSE, "RFC 9110 §15.6.4", "all connections are in use"),
    CLIENT_CONNECTIONS_FULL(429, Reason.CLIENT_CONNECTION_CAPACITY, CLOSE, "RFC 6585 §4", "too many connections"),
    QUEUE_FULL(503, Reason.WORKER_QUEUE_CAPACITY, KEEP, "RFC 9110 §15.6.4", "too much work is waiting"),
    EXPENSIVE_WORK_FULL(503, Reason.EXPENSIVE_WORK_CAPACITY, KEEP, "RFC 9110 §15.6.4",
            "too much expensive work is waiting"),
    DRAINING(503, Reason.DRAINING, CLOSE, "RFC 9110 §15.6.4", "the server is going away"),

    // Understood, and refused.
    UNSUPPORTED_METHOD(501, Reason.UNSUPPORTED_METHOD, KEEP, "RFC 9110 §9.1", "the method is not known"),
    METHOD_NOT_ALLOWED(405, Reason.METHOD_NOT_ALLOWED, KEEP, "RFC 9110 §15.5.6", "the resource has no such method"),
    MISDIRECTED(421, Reason.MISDIRECTED, KEEP, "RFC 9110 §15.5.20",
            "the certificate of this connection is not for this host"),
    EXPECTATION_FAILED(417, Reason.EXPECTATION_FAILED, CLOSE, "RFC 9110 §10.1.1", "only 100-continue can be expected"),
    NOT_FOUND(404, Reason.NOT_FOUND, KEEP, "RFC 9110 §15.5.5", "there is nothing here"),
    FORBIDDEN(403, Reason.FORBIDDEN, KEEP, "RFC 9110 §15.5.4", "this may not be read"),
    PRECONDITION_FAILED(412, Reason.PRECONDITION_FAILED, KEEP, "RFC 9110 §13.1", "a precondition is false"),
    RANGE_NOT_SATISFIABLE(416, Reason.RANGE_NOT_SATISFIABLE, KEEP, "RFC 9110 §15.5.17", "no such range"),
    DESCRIPTORS_EXHAUSTED(503, Reason.DESCRIPTOR_CAPACITY, KEEP, "RFC 9110 §15.6.4", "no file can be opened now"),
    FILE_CHANGED(503, Reason.SHORT_READ, KEEP, "RFC 9110 §15.6.4", "the file changed while it was read"),
    STORAGE_FAILED(500, Reason.STORAGE_FAILURE, KEEP, "RFC 9110 §15.6.1", "the file could not be read"),
    INTERNAL_ERROR(500, Reason.INTERNAL_ERROR, CLOSE, "RFC 9110 §15.6.1", "the server failed");

    /// What becomes of the connection after the answer.
    public enum Fate {
        /// The next request may follow.
        KEEP,
        /// Nothing more is read as a request: a lingering close.
        CLOSE
    }

    private final int status;
    private final Reason reason;
    private final Fate fate;
    private final String rule;
    private final String detail;

    Refusal(int status, Reason reason, Fate fate, String rule, String detail) {
        this.status = status;
        this.reason = reason;
        this.fate = fate;
        this.rule = rule;
        this.detail = detail;
    }

    public int status() {
        return status;
    }

    public Reason reason() {
        return reason;
    }

    public Fate fate() {
        return fate;
    }

    /// The section that the refusal rests on.
    public String rule() {
        return rule;
    }

    /// One sentence for the person at the other end; never holds the peer's bytes.
    public String detail() {
        return detail;
    }

    /// Whether the answer names a time to try again: the whole worker, or this client, is out of something for now.
    public boolean retryable() {
        return status == Status.SERVICE_UNAVAILABLE || status == Status.TOO_MANY_REQUESTS;
    }
}

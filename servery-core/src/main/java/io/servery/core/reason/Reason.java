package io.servery.core.reason;

import java.util.Locale;

/// Why something was refused, cut short or ended: the whole vocabulary that exists so far.
///
/// A new constant needs its row in `docs/reference/reasons.md`, its metric and its test in the same change.
public enum Reason {
    // Admission: nothing was wrong with the work, there was no room or no time for it.
    CONNECTION_CAPACITY(Group.ADMISSION),
    CLIENT_CONNECTION_CAPACITY(Group.ADMISSION),
    WORKER_QUEUE_CAPACITY(
            Group.ADMISSION),
    EXPENSIVE_WORK_CAPACITY(Group.ADMISSION),
    MEMORY_CAPACITY(Group.ADMISSION),
    DRAINING(Group.ADMISSION),

    // Deadline: the peer was too slow.
    HANDSHAKE_TIMEOUT(Group.DEADLINE),
    KEEPALIVE_TIMEOUT(Group.DEADLINE),
    REQUEST_HEAD_TIMEOUT(Group.DEADLINE),
    REQUEST_BODY_TIMEOUT(
            Group.DEADLINE),
    WRITE_TIMEOUT(Group.DEADLINE),
    DRAIN_TIMEOUT(Group.DEADLINE),

    // Malformed: the peer sent bytes that the strict reading of the RFC does not allow.
    BAD_FRAMING(Group.MALFORMED),
    BAD_FIELD(Group.MALFORMED),
    BAD_TARGET(Group.MALFORMED),
    BAD_HOST(
            Group.MALFORMED),
    UNSUPPORTED_VERSION(Group.MALFORMED),
    HEAD_TOO_LARGE(Group.MALFORMED),
    TARGET_TOO_LONG(
            Group.MALFORMED),
    BODY_TOO_LARGE(Group.MALFORMED),
    UNSUPPORTED_CODING(Group.MALFORMED),

    // Request: understood, and answered with a refusal.
    UNSUPPORTED_METHOD(Group.REQUEST),
    METHOD_NOT_ALLOWED(Group.REQUEST),
    MISDIRECTED(Group.REQUEST),
    EXPECTATION_FAILED(Group.REQUEST),
    NOT_FOUND(
            Group.REQUEST),
    FORBIDDEN(
            Group.REQUEST),
    PRECONDITION_FAILED(Group.REQUEST),
    RANGE_NOT_SATISFIABLE(Group.REQUEST),

    // Storage: the host could not give what the request asked for.
    DESCRIPTOR_CAPACITY(Group.STORAGE),
    STORAGE_FAILURE(Group.STORAGE),
    SHORT_READ(Group.STORAGE),

    /// A bug of ours: the request was sound and the host was well.
    INTERNAL_ERROR(Group.FAULT),

    // Forced drain: what was still running at its deadline, by kind.
    DEADLINE_HTTP1(Group.FORCED_DRAIN),

    // Worker: why a worker ended, and with it why another was started.
    CLEAN_EXIT(Group.WORKER),
    UNEXPECTED_EXIT(Group.WORKER),
    STARTUP_FAILURE(Group.WORKER),
    HEALTH_FAILURE(Group.WORKER),
    RECYCLE_AGE(Group.WORKER),
    RECYCLE_REQUESTS(Group.WORKER),
    FORCED_TERMINATION(Group.WORKER),
    CRASH_LOOP(Group.WORKER),

    // Reload: why a reload was applied, or was not.
    VALIDATED(Group.RELOAD),
    INVALID_CONFIG(Group.RELOAD),
    APPLICATION_STARTUP_FAILURE(Group.RELOAD),
    READINESS_TIMEOUT(Group.RELOAD),

    // ACME: what became of an attempt to get a certificate, or of the certificate.
    ISSUED(Group.ACME),
    RENEWED(Group.ACME),
    NOT_DUE(Group.ACME),
    CHALLENGE_FAILURE(Group.ACME),
    CA_REJECTED(Group.ACME),
    NETWORK_FAILURE(Group.ACME),
    INVALID_MATERIAL(Group.ACME),
    ACTIVATION_FAILURE(Group.ACME),
    CERTIFICATE_EXPIRED(Group.ACME),
    CERTIFICATE_MISSING(Group.ACME);

    /// What kind of cause a reason is: it decides which metric counts it.
    public enum Group {
        ADMISSION,
        DEADLINE,
        MALFORMED,
        REQUEST,
        STORAGE,
        FAULT,
        FORCED_DRAIN,
        WORKER,
        RELOAD,
        ACME;

        /// Whether such a reason refuses or ends the work of a peer, as against something that happens to the server.
        public boolean rejects() {
            return switch (this) {
                case ADMISSION, DEADLINE, MALFORMED, REQUEST, STORAGE, FAULT -> true;
                case FORCED_DRAIN, WORKER, RELOAD, ACME -> false;
            };
        }
    }

    private final Group group;
    private final String code;

    Reason(Group group) {
        this.group = group;
        this.code = name().toLowerCase(Locale.ROOT);
    }

    public Group group() {
        return group;
    }

    /// The word as it appears in metrics, events, logs and `Servery-Reason`: lower case with underscores.
    public String code() {
        return code;
    }
}

package io.servery.supervisor.loop;

/// Challenges that not every worker answers: none of them stands.
public final class PostingException extends Exception {
    private static final long serialVersionUID = 1;

    private final Reason reason;

    /// Why they are not answered.
    public enum Reason {
        /// A worker cannot answer them, for the reason in the message.
        REFUSED,
        /// No worker is there that could.
        NO_WORKER,
        /// Others were published meanwhile, which stand.
        SUPERSEDED,
        /// The service ends.
        STOPPING
    }

    PostingException(Reason reason, String message) {
        super("challenges: " + message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}

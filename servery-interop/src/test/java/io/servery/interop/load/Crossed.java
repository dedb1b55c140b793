package io.servery.interop.load;

/// A request met the orderly end of a connection that had been idle: nobody's fault, and safe to send again
/// (RFC 9112 §9.5).
final class Crossed extends Exception {
    private static final long serialVersionUID = 1;

    Crossed() {
        super("a request crossed the end of an idle connection");
    }
}

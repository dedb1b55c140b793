package io.servery.netty.worker;

/// What serves a request threw while a worker tried it out on itself: its peers would have met the same.
public final class WarmUpException extends RuntimeException {
    private static final long serialVersionUID = 1;

    WarmUpException(Throwable cause) {
        super("a request that the worker served to itself failed: " + cause, cause);
    }
}

package io.servery.netty.files;

import io.servery.http.exchange.ResponseHead;

/// A representation with the heads of its usual answers made, and encoded once, for all requests that share it.
record ReadyHeads(Representation representation, ResponseHead whole, ResponseHead notModified) {
    static ReadyHeads of(Representation representation) {
        return new ReadyHeads(representation, representation.whole(), representation.notModified());
    }

    /// How much memory the heads take.
    long bytes() {
        return whole.http1().length + (long) notModified.http1().length;
    }
}

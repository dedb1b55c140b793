package io.servery.interop.load;

import java.time.Instant;

/// An exchange that did not end as it must.
///
/// @param kind what the client did
/// @param what what went wrong
/// @param clientPort the client's port, 0 when there was no connection
/// @param openedNanos when the connection was begun, by `System.nanoTime()`
/// @param atNanos when it went wrong
/// @param time when it went wrong, to be held against events
/// @param detail for people
public record Lost(Kind kind, What what, int clientPort, long openedNanos, long atNanos, Instant time, String detail) {

    /// What can go wrong.
    public enum What {
        /// No connection: refused.
        REFUSED,
        /// The connection was torn down with RST, at whatever moment.
        RESET,
        /// An end within an answer.
        CUT,
        /// An orderly end instead of an answer to a request that the server had the time to see.
        UNANSWERED,
        /// An orderly end after an answer that did not announce it, with requests still open.
        UNANNOUNCED,
        /// An answer, but not this one.
        WRONG,
        /// Nothing within the client's patience.
        SILENCE,
        /// Answered, but later than promised.
        LATE
    }
}

package io.servery.http.tls;

/// How a handshake ended that did not lead to a connection.
public enum TlsFailure {
    /// It took longer than it may.
    TIMED_OUT,
    /// The first message is longer than any client's.
    HELLO_TOO_LARGE,
    /// What came is no TLS: plain HTTP, mostly.
    NOT_TLS,
    /// The client speaks other protocols inside (RFC 7301 §3.2).
    NO_COMMON_PROTOCOL,
    /// A certificate authority asks for a name that no challenge is for (RFC 8737 §3).
    UNKNOWN_NAME,
    /// One side refused what the other offered: versions, ciphers, certificates.
    REFUSED,
    /// The client went away.
    LEFT
}

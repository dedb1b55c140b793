package io.servery.interop.load;

/// What a client does.
public enum Kind {
    /// A new connection for a request.
    FRESH,
    /// Request after request on one connection.
    KEPT,
    /// The same with long pauses, in which the server may end the connection.
    IDLE,
    /// Eight requests in one write.
    PIPELINED,
    /// A request whose content comes a byte at a time.
    SLOW_POST,
    /// A large file, taken slowly.
    DOWNLOAD,
    /// A new connection for a request, at a fixed rate, answered within a second.
    PROBE
}

package io.servery.netty.start;

/// The two calls of a replacement. Each gives an error number, or 0.
interface ProcessCalls {
    /// `fcntl(2)`.
    int fcntl(long descriptor, long command, long argument);

    /// `execve(2)`, which returns only when it failed.
    int execve(long path, long arguments, long environment);
}

package io.servery.netty.worker;

/// Told by every event loop of a worker, on that loop, that it turns: silent loops stand still.
@FunctionalInterface
public interface LoopPulse {
    /// @param loop its number, from 0
    /// @param connections open on it now
    /// @param requests completed by it until now
    void beat(int loop, int connections, long requests);
}

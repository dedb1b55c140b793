package io.servery.netty.lane;

/// Something for a lane to do. Exactly one of `run` and `discard` is called for work that was admitted; neither for work
/// that was not.
public interface Work {
    /// Does it, on a thread of the lane; may block.
    void run();

    /// The lane was closed before the work began: give back what it holds and tell who waits. Never blocks.
    void discard();
}

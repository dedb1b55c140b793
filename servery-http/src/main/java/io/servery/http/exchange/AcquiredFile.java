package io.servery.http.exchange;

import java.nio.channels.FileChannel;

/// One opened file whose descriptor gave size, validators and now gives the bytes.
///
/// *Invariant:* whoever holds it closes it exactly once, on every path; the response plan that takes it over is then the holder.
public interface AcquiredFile {
    /// The open channel; position is not used.
    FileChannel channel();

    /// Whether the opened file still is what it was when its size and validators were read: asked before each call that
    /// sends from it, so that no answer is completed from two versions. One system call, or what one said a millisecond
    /// ago at most.
    boolean unchanged();

    /// Gives the descriptor back.
    void close();
}

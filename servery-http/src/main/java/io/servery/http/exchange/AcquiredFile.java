package io.servery.http.exchange;

import java.nio.channels.FileChannel;

/// One opened file whose descriptor gave size, validators and now gives the bytes.
///
/// *Invariant:* whoever holds it closes it exactly once, on every path; the response plan that takes it over is then the holder.
public interface AcquiredFile {
    /// The open channel; position is not used.
    FileChannel channel();

    /// Whether the opened file still is what it was when its size and validators were read: asked before the last bytes go
    /// out, so that an answer is never completed from two versions. One system call.
    boolean unchanged();

    /// Gives the descriptor back.
    void close();
}

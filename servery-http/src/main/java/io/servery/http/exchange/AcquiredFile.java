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

    /// How many of these bytes, from the first on, are in memory, as far as a look at some of them tells: sending those does not
    /// wait for a disk. All of them where that cannot be told. Never blocks.
    ///
    /// @param count one at least
    long inMemory(long position, long count);

    /// Brings these bytes into memory by a thread that may wait for the disk. What cannot be had is found out by who sends it.
    ///
    /// @param then called once, by any thread, when there is no more to wait for; the file may be closed before
    /// @return false when too much is waited for already: nothing is called then
    boolean bringIn(long position, long count, Runnable then);

    /// Gives the descriptor back.
    void close();
}

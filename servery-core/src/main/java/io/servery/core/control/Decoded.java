package io.servery.core.control;

/// What the bytes that are there say.
public sealed interface Decoded<T> {

    /// One whole frame, which the buffer's position is behind now.
    record Complete<T>(T value) implements Decoded<T> {
    }

    /// The beginning of a frame; the buffer's position is where it was.
    ///
    /// @param bytes how long the frame is as far as can be told: so much room its reader needs
    record Incomplete<T>(int bytes) implements Decoded<T> {
    }

    /// No frame of this protocol: the channel is of no use any more. The buffer's position means nothing.
    ///
    /// @param what `field: found X; expected Y`, in words that are safe to print
    record Malformed<T>(String what) implements Decoded<T> {
    }
}

package io.servery.http.exchange;

import org.jspecify.annotations.Nullable;

/// Content made piece by piece, pulled by the transport as the peer takes it.
///
/// *Owner:* the event loop of the exchange.
public interface BodySource {
    /// One piece of content.
    sealed interface Part {
        /// Bytes in memory; the transport does not change them.
        record Chunk(byte[] bytes) implements Part {
        }

        /// A part of an opened file that the source keeps open until it is closed.
        record FilePart(AcquiredFile file, long offset, long length) implements Part {
        }
    }

    /// The next piece, or null at the end. Never blocks.
    @Nullable
    Part next();

    /// Gives back what the source holds: called exactly once, after the end or instead of it.
    void close();
}

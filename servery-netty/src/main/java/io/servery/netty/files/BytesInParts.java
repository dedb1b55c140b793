package io.servery.netty.files;

import io.servery.http.exchange.BodySource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Long content in memory, a part at a time: a transport copies what it has been given and the peer has not taken, and a
/// peer that takes nothing is to hold one part, not all of it.
///
/// *Owner*: one event loop.
final class BytesInParts implements BodySource {
    static final int PART_BYTES = 64 * 1024;

    private final byte[] content;
    private final Runnable closed;
    private final int from;
    private final int end;
    private int position;

    BytesInParts(byte[] content) {
        this(content, 0, content.length, () -> {
        });
    }

    /// A part of the content, as a source of its own.
    ///
    /// @param closed told when nothing of it is needed any more
    BytesInParts(byte[] content, int from, int end, Runnable closed) {
        this.content = content;
        this.closed = closed;
        this.from = from;
        this.end = end;
        this.position = from;
    }

    /// All of it, given or not.
    byte[] whole() {
        return from == 0 && end == content.length ? content : Arrays.copyOfRange(content, from, end);
    }

    @Override
    public @Nullable Part next() {
        if (position == end) {
            return null;
        }
        int next = Math.min(end, position + PART_BYTES);
        byte[] part = Arrays.copyOfRange(content, position, next);
        position = next;
        return new Part.Chunk(part);
    }

    @Override
    public void close() {
        closed.run();
    }
}

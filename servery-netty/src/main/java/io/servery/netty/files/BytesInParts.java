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
    private int position;

    BytesInParts(byte[] content) {
        this.content = content;
    }

    @Override
    public @Nullable Part next() {
        if (position == content.length) {
            return null;
        }
        int end = Math.min(content.length, position + PART_BYTES);
        byte[] part = Arrays.copyOfRange(content, position, end);
        position = end;
        return new Part.Chunk(part);
    }

    @Override
    public void close() {
        // Nothing but memory.
    }
}

package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import org.jspecify.annotations.Nullable;

/// The buffers in which the connections of one event loop read and gather their answers, one connection after another:
/// almost always a buffer is free again before the next connection needs one.
///
/// *Owner:* that event loop. *Invariant:* a buffer is handed out only while nobody else holds it; one that somebody keeps
/// (bytes that wait for a decoder, a peer that does not take its answer) is theirs, and another takes its place.
final class LoopBuffers extends DefaultMaxMessagesRecvByteBufAllocator {
    /// What one read takes at most.
    static final int INPUT_BYTES = 32 * 1024;
    /// What is gathered without growing; also what a peer that takes nothing keeps from us at least.
    static final int OUTPUT_BYTES = 16 * 1024;

    private final Reading reading = new Reading();

    private @Nullable ByteBuf input;
    private @Nullable ByteBuf output;

    /// One for all channels: it has state only while one of them is being read.
    @Override
    public ExtendedHandle newHandle() {
        return reading;
    }

    /// An empty buffer to read into, which the caller releases.
    private ByteBuf input(ByteBufAllocator allocator) {
        ByteBuf free = free(input);
        input = null; // not ours any more if there is no memory for another
        input = free == null ? allocator.ioBuffer(INPUT_BYTES) : free;
        return input.retain();
    }

    /// An empty buffer with room for this many bytes, which the caller releases.
    ByteBuf output(ByteBufAllocator allocator, int bytes) {
        if (bytes > OUTPUT_BYTES) {
            return allocator.ioBuffer(bytes);
        }
        ByteBuf free = free(output);
        output = null; // as above
        output = free == null ? allocator.ioBuffer(OUTPUT_BYTES) : free;
        return output.retain();
    }

    /// The kept buffer if nobody else holds it; else it is let go of, and there is none.
    private static @Nullable ByteBuf free(@Nullable ByteBuf kept) {
        if (kept != null && kept.refCnt() == 1) {
            return kept.clear();
        }
        if (kept != null) {
            kept.release();
        }
        return null;
    }

    /// Lets go of what is kept here: there is no connection left.
    void release() {
        if (input != null) {
            input.release();
            input = null;
        }
        if (output != null) {
            output.release();
            output = null;
        }
    }

    private final class Reading extends MaxMessageHandle {
        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return input(allocator);
        }

        @Override
        public int guess() {
            return INPUT_BYTES;
        }
    }
}

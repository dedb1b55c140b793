package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/// What the peer has sent and no decoder has taken yet. While too much waits, the channel is not read.
///
/// *Owner:* the event loop. *Invariant:* holds at most `WAITING_BYTES_MAX` and what one read brings.
final class UnreadBytes {
    /// Past this the reading stops: the next requests of a pipeline, or content that nobody has asked for yet.
    static final int WAITING_BYTES_MAX = 64 * 1024;
    /// How many times the bytes that wait their buffer may be.
    private static final int ROOM_MAX = 4;

    private final ChannelHandlerContext ctx;
    private @Nullable ByteBuf bytes;
    private boolean ended;

    UnreadBytes(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    /// Takes a buffer over. Appending doubles the room, so that many small segments cost no more than few large ones.
    void add(ByteBuf more) {
        ByteBuf before = bytes;
        if (before == null) {
            bytes = more;
            return;
        }
        int added = more.readableBytes();
        try {
            if (before.refCnt() == 1 && !before.isReadOnly() && before.writableBytes() >= added) {
                before.writeBytes(more);
            } else {
                ByteBuf joined = ctx.alloc().ioBuffer(2 * (before.readableBytes() + added));
                bytes = joined.writeBytes(before).writeBytes(more);
                before.release();
            }
        } finally {
            more.release();
        }
    }

    /// The bytes, or null when there are none. Whoever takes some moves the reader index.
    @Nullable
    ByteBuf readable() {
        ByteBuf waiting = bytes;
        return waiting != null && waiting.isReadable() ? waiting : null;
    }

    /// Lets go of a used-up buffer, and of one that is mostly empty, for a smaller one; stops the reading while too much
    /// waits, and starts it again when it does not.
    void settle() {
        ByteBuf waiting = bytes;
        if (waiting != null && !waiting.isReadable()) {
            waiting.release();
            bytes = null;
        } else if (waiting != null && waiting.capacity() > ROOM_MAX * waiting.readableBytes()) {
            bytes = ctx.alloc().ioBuffer(waiting.readableBytes()).writeBytes(waiting);
            waiting.release();
        }
        read(bytes == null || bytes.readableBytes() <= WAITING_BYTES_MAX);
    }

    /// Lets go of everything.
    void discard() {
        ByteBuf waiting = bytes;
        bytes = null;
        if (waiting != null) {
            waiting.release();
        }
    }

    /// Nothing that still comes counts: the channel is not read any more.
    void end() {
        ended = true;
        read(false);
    }

    /// Reads the channel from now on, or does not.
    void read(boolean on) {
        ChannelConfig config = ctx.channel().config();
        boolean wanted = on && !ended;
        if (config.isAutoRead() != wanted) {
            config.setAutoRead(wanted);
        }
    }
}

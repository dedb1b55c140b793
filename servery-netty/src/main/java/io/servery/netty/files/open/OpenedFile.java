package io.servery.netty.files.open;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// A regular file and the identity that its descriptor had when it was opened.
///
/// *Owner*: its holder, one thread at a time. *Invariant*: closed once; its descriptor's number means another file then.
public final class OpenedFile {
    private static final byte[] ITSELF = new byte[0];
    private static final long LOOK_BYTES = 256 * 1024;
    private static final long READ_BYTES = 64 * 1024;

    private final Calls calls;
    private final DescriptorChannel channel;
    private final FileIdentity identity;
    private boolean closed;

    OpenedFile(Calls calls, DescriptorChannel channel, FileIdentity identity) {
        this.calls = calls;
        this.channel = channel;
        this.identity = identity;
    }

    public FileIdentity identity() {
        return identity;
    }

    /// The open channel; its position is not used.
    public FileChannel channel() {
        return channel.channel();
    }

    /// Whether it still is what it was when its identity was read: one system call.
    public boolean unchanged() {
        Attributes now = new Attributes();
        return !closed && calls.stat(channel.descriptor(), ITSELF, now) >= 0 && now.identity().sameContent(identity);
    }

    /// How many of these bytes, from the first on, are in memory, as far as a look at some of them tells: all of them on file
    /// systems that do not tell.
    ///
    /// @param count one at least
    public long inMemory(long position, long count) {
        int descriptor = channel.descriptor();
        for (long at = 0; at < count; at += LOOK_BYTES) {
            if (calls.peek(descriptor, position + at) == -Errno.EAGAIN) {
                return at;
            }
        }
        boolean last = calls.peek(descriptor, position + count - 1) != -Errno.EAGAIN;
        return last ? count : (count - 1) / LOOK_BYTES * LOOK_BYTES;
    }

    /// Reads these bytes, so that they are in memory for whoever sends them next, who is told what is wrong with them. Blocks.
    public void bringIn(long position, long count) {
        ByteBuffer dropped = ByteBuffer.allocate((int) Math.min(count, READ_BYTES));
        long end = position + count;
        try {
            long at = position;
            for (int read = 0; at < end && read >= 0; at += read) {
                dropped.clear().limit((int) Math.min(dropped.capacity(), end - at));
                read = channel.channel().read(dropped, at);
            }
        } catch (IOException e) {
            // Whoever sends them is told so, too.
        }
    }

    /// Gives the descriptor back.
    public void close() {
        if (closed) {
            throw new IllegalStateException("file: closed twice");
        }
        closed = true;
        try {
            channel.close();
        } catch (IOException e) {
            // Reading leaves nothing to write back, so that closing cannot fail for the file's sake.
            throw new UncheckedIOException(e);
        }
    }
}

package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.servery.http.exchange.AcquiredFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// A part of an open file as bytes, where the bytes themselves are needed: for TLS.
///
/// Reading blocks as sendfile(2) does, when the bytes are not in memory: [ReadAhead] has them there.
final class FileCopy {
    private FileCopy() {
    }

    /// So many bytes from this position, which the caller releases; null if the file is not what it was, or has no such bytes.
    static @Nullable ByteBuf read(ByteBufAllocator allocator, AcquiredFile file, long position, int count)
            throws IOException {
        if (!file.unchanged()) {
            return null;
        }
        ByteBuf copy = allocator.directBuffer(count, count);
        boolean whole = false;
        try {
            whole = fill(copy, file.channel(), position);
        } finally {
            if (!whole) {
                copy.release();
            }
        }
        return whole ? copy : null;
    }

    private static boolean fill(ByteBuf copy, FileChannel channel, long position) throws IOException {
        while (copy.isWritable()) {
            int read = copy.writeBytes(channel, position + copy.readableBytes(), copy.writableBytes());
            if (read <= 0) {
                return false;
            }
        }
        return true;
    }
}

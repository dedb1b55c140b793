package io.servery.http.http1;

import io.netty.channel.DefaultFileRegion;
import java.nio.channels.FileChannel;

/// A part of an open file, sent by sendfile(2) where the transport can, that leaves the file open: the plan closes it.
final class OpenFileRegion extends DefaultFileRegion {
    OpenFileRegion(FileChannel channel, long position, long count) {
        super(channel, position, count);
    }

    @Override
    protected void deallocate() {
        // The channel belongs to the response plan.
    }
}

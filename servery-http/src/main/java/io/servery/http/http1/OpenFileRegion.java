package io.servery.http.http1;

import io.netty.channel.DefaultFileRegion;
import io.servery.http.exchange.AcquiredFile;
import java.io.IOException;

/// A part of an open file, sent by sendfile(2) where the transport can, that leaves the file open: the plan closes it.
///
/// Before every system call that sends it asks whether the file is still the one whose head goes out, and fails if it is
/// not: a peer that takes its time is never sent the rest of another version.
final class OpenFileRegion extends DefaultFileRegion {
    private final AcquiredFile file;

    OpenFileRegion(AcquiredFile file, long position, long count) {
        super(file.channel(), position, count);
        this.file = file;
    }

    /// Called by the transports before each attempt to send.
    @Override
    public void open() throws IOException {
        if (!file.unchanged()) {
            throw new IOException("file: changed while it was sent");
        }
        super.open();
    }

    @Override
    protected void deallocate() {
        // The channel belongs to the response plan.
    }
}

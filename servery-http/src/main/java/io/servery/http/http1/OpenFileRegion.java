package io.servery.http.http1;

import io.netty.channel.DefaultFileRegion;
import io.servery.http.exchange.AcquiredFile;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// A part of an open file, sent by sendfile(2) where the transport can, that leaves the file open: the plan closes it.
///
/// Before a system call that sends it asks whether the file is still the one whose head goes out, and fails if it is not: a
/// peer that takes its time is never sent the rest of another version. Calls within a millisecond, which is one turn of the
/// event loop, are one question; who has just asked may leave out the first.
final class OpenFileRegion extends DefaultFileRegion {
    private static final long QUESTION_HOLDS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AcquiredFile file;
    private long askedNanos;
    private boolean asked;

    /// @param justAsked whether the file was found unchanged a moment ago
    OpenFileRegion(AcquiredFile file, long position, long count, boolean justAsked) {
        super(file.channel(), position, count);
        this.file = file;
        if (justAsked) {
            asked();
        }
    }

    /// Called by the transports before each attempt to send.
    @Override
    public void open() throws IOException {
        if (!asked || System.nanoTime() - askedNanos > QUESTION_HOLDS_NANOS) {
            if (!file.unchanged()) {
                throw new IOException("file: changed while it was sent");
            }
            asked();
        }
        super.open();
    }

    private void asked() {
        asked = true;
        askedNanos = System.nanoTime();
    }

    @Override
    protected void deallocate() {
        // The channel belongs to the response plan.
    }
}

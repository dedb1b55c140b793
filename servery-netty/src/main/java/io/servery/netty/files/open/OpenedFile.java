package io.servery.netty.files.open;

import io.servery.http.exchange.AcquiredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;

/// A regular file and the identity that its descriptor had when it was opened.
///
/// *Owner*: its holder, one thread at a time. *Invariant*: closed once; its descriptor's number means another file then.
public final class OpenedFile implements AcquiredFile {
    private static final byte[] ITSELF = new byte[0];

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

    @Override
    public FileChannel channel() {
        return channel.channel();
    }

    @Override
    public boolean unchanged() {
        Attributes now = new Attributes();
        return !closed && calls.stat(channel.descriptor(), ITSELF, now) >= 0 && now.identity().sameContent(identity);
    }

    @Override
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

package io.servery.netty.files;

import io.servery.http.exchange.AcquiredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// A file that counts how often it is closed.
final class CountedFile implements AcquiredFile {
    private final FileChannel channel;
    int closes;

    CountedFile(Path path) {
        try {
            this.channel = FileChannel.open(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public FileChannel channel() {
        return channel;
    }

    @Override
    public boolean unchanged() {
        return true;
    }

    @Override
    public long inMemory(long position, long count) {
        return count;
    }

    @Override
    public boolean bringIn(long position, long count, Runnable then) {
        throw new IllegalStateException("file: found none of it outside of memory");
    }

    @Override
    public void close() {
        closes++;
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

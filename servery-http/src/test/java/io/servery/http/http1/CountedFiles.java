package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.exchange.AcquiredFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/// Opened files that count their closes and may say that they have changed.
final class CountedFiles {
    /// How often each file says that it has not changed.
    volatile int unchangedTimes = Integer.MAX_VALUE;
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    /// A file of so many bytes.
    static Path make(Path directory, int size) throws IOException {
        byte[] content = new byte[size];
        for (int i = 0; i < size; i++) {
            content[i] = (byte) ('a' + i % 23);
        }
        return Files.write(directory.resolve("file"), content);
    }

    AcquiredFile open(Path path) {
        try {
            return new CountedFile(FileChannel.open(path, StandardOpenOption.READ));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    void requireAllClosed() {
        assertThat(closed).hasValue(opened.get());
    }

    private final class CountedFile implements AcquiredFile {
        private final FileChannel channel;
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger closes = new AtomicInteger();

        CountedFile(FileChannel channel) {
            this.channel = channel;
            opened.incrementAndGet();
        }

        @Override
        public FileChannel channel() {
            return channel;
        }

        @Override
        public boolean unchanged() {
            return asked.incrementAndGet() <= unchangedTimes;
        }

        @Override
        public void close() {
            assertThat(closes.incrementAndGet()).as("closes of one file").isOne();
            closed.incrementAndGet();
            try {
                channel.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}

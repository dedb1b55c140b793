package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.exchange.AcquiredFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/// Opened files that count their closes, and may say that they have changed or that they are on a disk.
final class CountedFiles {
    /// How often each file says that it has not changed.
    volatile int unchangedTimes = Integer.MAX_VALUE;
    /// Up to where each file is in memory; what is brought in comes to it.
    volatile long inMemory = Long.MAX_VALUE;
    /// How often there is no room for bringing anything in.
    final AtomicInteger full = new AtomicInteger();
    /// Waits for the disk: is given what is to be run when the bytes are there.
    volatile Executor disk = Thread::startVirtualThread;
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
        public long inMemory(long position, long count) {
            assertThat(closes).as("closes of a file that is asked for").hasValue(0);
            return Math.clamp(inMemory - position, 0, count);
        }

        @Override
        public boolean bringIn(long position, long count, Runnable then) {
            if (full.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                return false;
            }
            assertThat(position).as("brought in").isEqualTo(inMemory);
            inMemory = position + count;
            disk.execute(then);
            return true;
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

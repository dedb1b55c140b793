package io.servery.netty.files.digest;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.exchange.AcquiredFile;
import io.servery.http.exchange.BodySource.Part;
import io.servery.http.semantics.DigestAlgorithm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Hashing content in parts, held against the JDK's digest of all of it at once.
class HashingTest {
    private static final int FILE_BYTES = 3 * Hashing.CHUNK_BYTES + 17;

    @TempDir
    Path directory;

    private final byte[] content = new byte[FILE_BYTES];
    private Opened file;

    /// A file that says it changed when it is told to.
    private static final class Opened implements AcquiredFile {
        private final FileChannel channel;
        private boolean changed;

        Opened(Path path) throws IOException {
            channel = FileChannel.open(path);
        }

        @Override
        public FileChannel channel() {
            return channel;
        }

        @Override
        public boolean unchanged() {
            return !changed;
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
            throw new AssertionError("closed by who only reads");
        }
    }

    @BeforeEach
    void open() throws IOException {
        new Random(9).nextBytes(content);
        Files.write(directory.resolve("file"), content);
        file = new Opened(directory.resolve("file"));
    }

    @AfterEach
    void close() throws IOException {
        file.channel.close();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] sha(String name, byte[] bytes) throws Exception {
        return MessageDigest.getInstance(name).digest(bytes);
    }

    private static byte[] digest(Hashed hashed) {
        assertThat(hashed).isInstanceOf(Hashed.Digest.class);
        return ((Hashed.Digest) hashed).bytes();
    }

    private Hashed hash(Part... parts) {
        return Hashing.of(DigestAlgorithm.SHA_256, List.of(parts), () -> false);
    }

    @Test
    void wholeFileInChunksIsTheSameAsAtOnce() throws Exception {
        assertThat(digest(hash(new Part.FilePart(file, 0, FILE_BYTES)))).isEqualTo(sha("SHA-256", content));
        assertThat(digest(Hashing.of(DigestAlgorithm.SHA_512, List.of(new Part.FilePart(file, 0, FILE_BYTES)),
                () -> false))).isEqualTo(sha("SHA-512", content));
        assertThat(Hashing.of(DigestAlgorithm.SHA_512, content)).isEqualTo(sha("SHA-512", content));
    }

    @Test
    void partsFollowOneAnother() throws Exception {
        int first = Hashing.CHUNK_BYTES - 3;
        int length = Hashing.CHUNK_BYTES + 8;
        ByteBuffer all = ByteBuffer.allocate(length + 5).put(ascii("ab")).put(content, first, length)
                .put(ascii("c")).put(content, 7, 2);
        assertThat(digest(hash(new Part.Chunk(ascii("ab")), new Part.FilePart(file, first, length),
                new Part.Chunk(ascii("c")), new Part.FilePart(file, 7, 2)))).isEqualTo(sha("SHA-256", all.array()));
        assertThat(digest(hash())).isEqualTo(sha("SHA-256", new byte[0]));
    }

    @Test
    void changedFileHasNone() {
        file.changed = true;
        assertThat(hash(new Part.FilePart(file, 0, 5))).isEqualTo(Hashed.Without.CHANGED);
    }

    @Test
    void shorterFileHasNone() {
        assertThat(hash(new Part.FilePart(file, FILE_BYTES - 2, 3))).isEqualTo(Hashed.Without.CHANGED);
        assertThat(hash(new Part.FilePart(file, FILE_BYTES, 1))).isEqualTo(Hashed.Without.CHANGED);
    }

    @Test
    void unreadableFileHasNone() throws Exception {
        file.channel.close();
        assertThat(hash(new Part.FilePart(file, 0, 5))).isEqualTo(Hashed.Without.UNREADABLE);
    }

    @Test
    void stopsBetweenChunks() {
        AtomicInteger asked = new AtomicInteger();
        assertThat(Hashing.of(DigestAlgorithm.SHA_256, List.of(new Part.FilePart(file, 0, FILE_BYTES)),
                () -> asked.incrementAndGet() == 3)).isEqualTo(Hashed.Without.STOPPED);
        assertThat(asked).hasValue(3);
    }

    @Test
    void readsNoMoreThanIsAskedFor() throws Exception {
        assertThat(digest(hash(new Part.FilePart(file, 10, 20)))).isEqualTo(
                sha("SHA-256", Arrays.copyOfRange(content, 10, 30)));
    }
}

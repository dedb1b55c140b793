package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that are replaced, cut, rewritten or deleted while they are sent, or while they are kept in memory.
class FileChangeTest {
    private static final int HUGE_BYTES = 24 * 1024 * 1024;
    /// The default of `cache_revalidate`.
    private static final long REVALIDATE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final byte[] OLD = Site.pattern(HUGE_BYTES, 3);
    private static final byte[] NEW = Site.pattern(HUGE_BYTES, 9);

    @TempDir
    static Path folder;
    private static Site site;
    private static ServeryProcess server;

    @BeforeAll
    static void start() {
        site = Site.generate(folder.resolve("site"));
        server = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root()));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /// Something that happens to a file while it is sent.
    @FunctionalInterface
    private interface Change {
        void to(Path file) throws IOException;
    }

    /// Starts a download with a reader that stalls, changes the file, then reads what comes.
    private static Heard download(String name, Change change) throws IOException {
        site.put(name, OLD);
        try (WireConnection connection = WireConnection.open(server.port(), 16 * 1024)) {
            connection.send("GET /" + name + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            InputStream in = connection.raw();
            var all = new ByteArrayOutputStream(HUGE_BYTES);
            all.writeBytes(in.readNBytes(16 * 1024));
            change.to(site.path(name));
            try {
                in.transferTo(all);
            } catch (SocketException e) {
                // A reset ends a body that cannot be completed as well as anything: the client knows that it is not whole.
            }
            return new AnswerReader(new ByteArrayInputStream(all.toByteArray())).next(false);
        }
    }

    private static void assertWholeOld(Heard heard) {
        assertThat(heard).as(WireConnection.describe(heard)).isInstanceOf(Answer.class);
        assertThat(Arrays.equals(((Answer) heard).body(), OLD)).as("the old content, whole").isTrue();
    }

    @Test
    void replacedFileIsSentAsItWas() throws IOException {
        assertWholeOld(download("replaced.bin", replacedBy(NEW)));
    }

    @Test
    void deletedFileIsSentAsItWas() throws IOException {
        assertWholeOld(download("deleted.bin", Files::delete));
    }

    /// From outside, growing looks like rewriting in place: the answer is the old content, whole or cut.
    @Test
    void growingFileIsSentAsItWasOrCut() throws IOException {
        Heard heard = download("growing.bin", file -> Files.write(file, NEW, StandardOpenOption.APPEND));
        if (heard instanceof Heard.Cut cut) {
            assertThat(Arrays.equals(cut.body(), 0, cut.body().length, OLD, 0, cut.body().length))
                    .as("a beginning of the old content").isTrue();
        } else {
            assertWholeOld(heard);
        }
    }

    /// A short read cannot be mended: the length was promised, so the connection ends before it.
    @Test
    void truncatedFileEndsTheConnection() throws IOException {
        Heard heard = download("truncated.bin", file -> Files.write(file, new byte[10]));
        assertThat(heard).as(WireConnection.describe(heard)).isInstanceOf(Heard.Cut.class);
        assertThat(server.get("/hello.txt").text()).isEqualTo("hello\n");
    }

    /// Rewritten in place with the same length: the answer is cut, or is all old; a whole one is never a mix.
    @Test
    void rewrittenFileIsNeverAMix() throws IOException {
        Heard heard = download("rewritten.bin", file -> Files.write(file, NEW));
        if (heard instanceof Answer) {
            assertWholeOld(heard);
        }
    }

    /// Small files are kept in memory; their tag, length and content still belong together, always.
    @Test
    void tagAndContentOfASmallFileBelongTogether() throws Exception {
        String[] contents = {"a".repeat(100), "b".repeat(200)};
        site.put("swapped.txt", contents[0]);
        Thread swapper = Thread.startVirtualThread(() -> {
            for (int i = 0; i < 300; i++) {
                swap(contents[i % 2]);
            }
        });
        var tags = new HashMap<String, String>();
        try (WireConnection connection = server.connect()) {
            do {
                Answer answer = connection.get("/swapped.txt").answer();
                assertThat(answer.text()).isIn((Object[]) contents);
                assertThat(tags.merge(answer.value("ETag"), answer.text(), (a, b) -> a.equals(b) ? a : "a mix"))
                        .isNotEqualTo("a mix");
            } while (swapper.isAlive());
        }
    }

    private static void swap(String content) {
        site.put("swapped.next", content);
        try {
            Files.move(site.path("swapped.next"), site.path("swapped.txt"), StandardCopyOption.ATOMIC_MOVE);
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // cache_revalidate

    /// Asks again and again until an answer is the new one, which each that was asked for a second or more after the change
    /// must be: who asks and who serves have one clock (CLOCK_MONOTONIC), so nothing is added for a slow machine.
    private static Answer newAnswer(String target, Change change, Predicate<Answer> isNew) throws IOException {
        try (WireConnection connection = server.connect()) {
            assertThat(isNew.test(connection.get(target).answer())).as("before the change").isFalse();
            change.to(site.path(target.substring(1)));
            long changed = System.nanoTime();
            while (true) {
                long age = System.nanoTime() - changed;
                Answer answer = connection.get(target).answer();
                if (isNew.test(answer)) {
                    return answer;
                }
                assertThat(age).as("an old answer to who asked so long after the change").isLessThan(REVALIDATE_NANOS);
            }
        }
    }

    private static Change replacedBy(byte[] content) {
        return file -> {
            Path next = Files.write(file.resolveSibling(file.getFileName() + ".next"), content);
            Files.setLastModifiedTime(next, FileTime.from(Site.MODIFIED));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        };
    }

    /// In memory or kept open, with a tag of its own although size and time are the same.
    @ParameterizedTest
    @ValueSource(ints = {4, 1_000_000})
    void replacedAndDeletedFilesAreNotServedLongerThanTheyMay(int size) throws IOException {
        String target = "/changed-" + size + ".bin";
        byte[] next = Site.pattern(size, 5);
        site.put(target.substring(1), Site.pattern(size, 6));
        String tag = server.get(target).value("ETag");
        Answer answer = newAnswer(target, replacedBy(next), each -> Arrays.equals(each.body(), next));
        assertThat(answer.value("ETag")).isNotEqualTo(tag);
        newAnswer(target, Files::delete, each -> each.status() == 404);
    }

    @Test
    void listingIsNotServedLongerThanItMay() throws IOException {
        site.put("listed/one.txt", "one\n");
        newAnswer("/listed/", directory -> Files.writeString(directory.resolve("two.txt"), "two\n"),
                each -> each.text().contains("two.txt"));
    }

    @Test
    void timeInTheFutureIsNeverSaid() throws IOException {
        site.put("future.txt", "future\n");
        Files.setLastModifiedTime(site.path("future.txt"),
                FileTime.from(Instant.parse("2090-01-01T00:00:00Z")));
        assertThat(server.get("/future.txt").value("Last-Modified")).as("RFC 9110 §8.8.2.1").doesNotContain("2090");
    }
}

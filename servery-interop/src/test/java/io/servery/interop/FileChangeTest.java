package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that are replaced, cut, rewritten or deleted while they are sent, or while they are kept in memory.
class FileChangeTest {
    private static final int HUGE_BYTES = 24 * 1024 * 1024;
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
        assertWholeOld(download("replaced.bin", file -> {
            Path next = file.resolveSibling("replaced.next");
            Files.write(next, NEW);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        }));
    }

    @Test
    void deletedFileIsSentAsItWas() throws IOException {
        assertWholeOld(download("deleted.bin", Files::delete));
        // Kept open, it may be answered for as long as cache_revalidate says: a second.
        await().untilAsserted(() -> assertThat(server.get("/deleted.bin").status()).isEqualTo(404));
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

    /// `cache_revalidate` is 1 s: a change is served soon after, with a tag of its own although size and time are the same.
    @Test
    void changeOfASmallFileIsSeen() throws IOException {
        site.put("changed.txt", "one\n");
        Answer before = server.get("/changed.txt");
        assertThat(before.text()).isEqualTo("one\n");
        site.put("changed.next", "two\n");
        Files.move(site.path("changed.next"), site.path("changed.txt"), StandardCopyOption.ATOMIC_MOVE);
        Awaitility.await("the new content").atMost(Duration.ofSeconds(4)).pollInterval(Duration.ofMillis(50))
                .until(() -> server.get("/changed.txt").text().equals("two\n"));
        assertThat(server.get("/changed.txt").value("ETag")).isNotEqualTo(before.value("ETag"));
        Files.delete(site.path("changed.txt"));
        Awaitility.await("gone").atMost(Duration.ofSeconds(4)).pollInterval(Duration.ofMillis(50))
                .until(() -> server.get("/changed.txt").status() == 404);
    }

    @Test
    void timeInTheFutureIsNeverSaid() throws IOException {
        site.put("future.txt", "future\n");
        Files.setLastModifiedTime(site.path("future.txt"),
                FileTime.from(Instant.parse("2090-01-01T00:00:00Z")));
        assertThat(server.get("/future.txt").value("Last-Modified")).as("RFC 9110 §8.8.2.1").doesNotContain("2090");
    }
}

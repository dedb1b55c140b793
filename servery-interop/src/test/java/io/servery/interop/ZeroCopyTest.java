package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.SystemCalls.Call;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Large files go from the page cache to the socket by sendfile(2), as the kernel sees it: none of their bytes is read,
/// mapped or written by the process, but for some single ones, by which it sees that they are in memory.
class ZeroCopyTest {
    private static final String LARGE = "large.bin";
    private static final int LARGE_BYTES = 10 * 1024 * 1024;
    private static final byte[] CONTENT = Site.pattern(LARGE_BYTES, 5);
    /// Looks at a file in memory are as far apart.
    private static final int LOOK_BYTES = 256 * 1024;
    /// What moves none of a file's bytes.
    private static final Set<String> LOOKS = Set.of("openat", "openat2", "statx", "newfstatat", "fstat", "fcntl",
            "close");

    @TempDir
    static Path folder;
    private static Site site;
    private static ServeryProcess server;

    @BeforeAll
    static void start() {
        site = Site.generate(folder.resolve("site"));
        site.put(LARGE, CONTENT);
        server = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root()));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /// An answer, and what the process did meanwhile.
    ///
    /// @param socket how the calls name the connection
    private record Watched(Answer answer, String socket, List<Call> calls) {
        long bytes(Predicate<Call> which) {
            return calls.stream().filter(call -> call.result() > 0).filter(which).mapToLong(Call::result).sum();
        }

        long sent(String path) {
            return bytes(call -> call.name().equals("sendfile") && call.names(socket) && call.names(path));
        }

        /// What went out of the memory of the process.
        long written() {
            return bytes(call -> call.names(socket)
                    && (call.name().contains("write") || call.name().matches("send(to|msg|mmsg)")));
        }
    }

    /// A call is written down before its thread goes on, so when a second request is answered all of the first are there.
    private static Watched watch(String target, String... fields) throws IOException {
        try (SystemCalls calls = SystemCalls.of(server.worker(), folder);
                WireConnection connection = server.connect()) {
            Answer answer = connection.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n"
                    + String.join("", Arrays.stream(fields).map(field -> field + "\r\n").toList()) + "\r\n").answer();
            Answer next = connection.send("HEAD /none HTTP/1.1\r\nHost: localhost\r\n\r\n").answerToHead();
            List<Call> all = calls.stop();
            String socket = "->127.0.0.1:" + connection.localPort() + "]>";
            var watched = new Watched(answer, socket, all);
            assertThat(watched.written()).as("out of memory: the heads, and what is no file of its own")
                    .isEqualTo(answer.head().length + next.head().length + answer.body().length
                            - watched.sent(site.root().toString()));
            return watched;
        }
    }

    private static void assertByThePageCacheAlone(Watched watched) {
        String path = site.path(LARGE).toString();
        assertThat(watched.sent(path)).as("by sendfile").isEqualTo(watched.answer().body().length);
        assertThat(watched.bytes(call -> call.name().equals("preadv2") && call.names(path))).as("bytes looked at")
                .isBetween(1L, watched.answer().body().length / LOOK_BYTES + 2L);
        assertThat(watched.calls())
                .filteredOn(call -> call.names(path) && !Set.of("sendfile", "preadv2").contains(call.name()))
                .extracting(Call::name).as("calls that name the file").isSubsetOf(LOOKS);
    }

    @Test
    void largeFileIsSentBySendfileAlone() throws IOException {
        Watched watched = watch("/" + LARGE);
        assertThat(watched.answer().body()).isEqualTo(CONTENT);
        assertByThePageCacheAlone(watched);
    }

    @Test
    void partOfALargeFileIsSentBySendfileAlone() throws IOException {
        Watched watched = watch("/" + LARGE, "Range: bytes=1000001-8999999");
        assertThat(watched.answer().status()).isEqualTo(206);
        assertThat(watched.answer().body()).isEqualTo(Arrays.copyOfRange(CONTENT, 1_000_001, 9_000_000));
        assertByThePageCacheAlone(watched);
    }

    /// So that those above see what they say that they do not see.
    @Test
    void smallFileIsReadIntoMemoryAndWrittenFromIt() throws IOException {
        Watched watched = watch("/1k.txt");
        assertThat(watched.answer().body()).isEqualTo(Site.pattern(1024, 1));
        String path = site.path("1k.txt").toString();
        assertThat(watched.sent(path)).isZero();
        assertThat(watched.bytes(call -> call.names(path) && call.name().contains("read"))).isEqualTo(1024);
    }
}

package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that lead elsewhere or cannot be opened, and what answers say about files.
class FilesTest {
    /// The descriptors 0 to 2 are always taken, so under this limit no number is left, whatever gaps there are above.
    private static final int STANDARD_STREAMS = 3;

    @TempDir
    static Path folder;
    private static Site site;
    private static ServeryProcess server;

    @BeforeAll
    static void start() throws IOException {
        site = Site.generate(folder.resolve("site"));
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("secret.txt"), "secret\n");
        link("in.txt", "hello.txt");
        link("in-dir", "dir");
        link("absolute.txt", site.path("hello.txt").toString());
        link("out.txt", "../outside/secret.txt");
        link("out-absolute.txt", outside.resolve("secret.txt").toString());
        link("out-dir", "../outside");
        link("loop", "loop");
        link("dangling", "nothing");
        run("mkfifo", site.path("fifo").toString());
        server = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root())
                .more(mount("follow", "symlinks = \"follow\"") + mount("deny", "symlinks = \"deny\"")
                        + mount("plain", "listing = false") + mount("open", "show_hidden = true")));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String mount(String name, String keys) {
        return "[[mount]]\npath = \"/%s/\"\nroot = \"%s\"\n%s\n".formatted(name, site.root(), keys);
    }

    private static void link(String name, String target) throws IOException {
        Files.createSymbolicLink(site.path(name), Path.of(target));
    }

    private static void run(String... command) throws IOException {
        try {
            assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).as(String.join(" ", command))
                    .isZero();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// From memory, copied or not, and from disk: none waits for the end of the connection.
    @ParameterizedTest
    @ValueSource(ints = {1, 16 * 1024, 16 * 1024 + 1, 64 * 1024, 64 * 1024 + 1, 3 * 1024 * 1024})
    void fileOfAnySizeIsSentOnAConnectionThatStaysOpen(int size) {
        byte[] content = Site.pattern(size, 4);
        site.put("sized-" + size + ".bin", content);
        try (WireConnection connection = server.connect()) {
            for (int request = 0; request < 3; request++) {
                assertThat(connection.get("/sized-" + size + ".bin").answer().body()).hasSize(size);
            }
        }
    }

    // Links, by policy.

    @ParameterizedTest
    @CsvSource({"in.txt,200,200,refused", "in-dir/one.txt,200,200,refused", "absolute.txt,either,200,refused",
            "out.txt,refused,200,refused", "out-absolute.txt,refused,200,refused",
            "out-dir/secret.txt,refused,200,refused", "loop,refused,refused,refused",
            "dangling,refused,refused,refused", "hello.txt,200,200,200"})
    void linksAreFollowedByPolicy(String name, String inside, String follow, String deny) {
        assertLink("/" + name, inside);
        assertLink("/follow/" + name, follow);
        assertLink("/deny/" + name, deny);
    }

    private static void assertLink(String target, String expected) {
        Answer answer = server.get(target);
        switch (expected) {
            case "200" -> assertThat(answer.status()).as(target).isEqualTo(200);
            case "refused" -> assertThat(answer.status()).as(target).isIn(403, 404);
            default -> assertThat(answer.status()).as(target).isIn(200, 403, 404);
        }
        if (answer.status() != 200) {
            assertThat(answer.text()).as(target).doesNotContain("secret\n");
        }
    }

    // What cannot be opened.

    /// A FIFO without a writer would block whoever opens it for reading.
    @Test
    void fifoIsRefusedAndBlocksNobody() {
        assertThat(server.get("/fifo").status()).isIn(403, 404);
        assertThat(server.get("/hello.txt").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 4000})
    void nameTooLongForTheFileSystemIsNotFound(int length) {
        assertThat(server.get("/" + "n".repeat(length)).status()).isEqualTo(404);
    }

    /// Root may read everything, so a server started by root runs as nobody for this.
    @Test
    void unreadableFileIsRefusedWithItsReason() throws IOException {
        boolean root = System.getProperty("user.name").equals("root");
        assumeThat(!root || Files.isExecutable(Path.of("/usr/bin/setpriv")))
                .as("root can read every file, and there is no setpriv to become somebody else").isTrue();
        Path own = Files.createTempDirectory("servery-unreadable");
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
        Site readable = Site.generate(own.resolve("site"));
        readable.put("locked.txt", "locked\n");
        readable.put("locked/one.txt", "locked\n");
        Files.setPosixFilePermissions(readable.path("locked.txt"), PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(readable.path("locked"), PosixFilePermissions.fromString("---------"));
        var settings = ServeryProcess.Settings.of(own, readable.root());
        try (ServeryProcess other = ServeryProcess.start(root
                ? settings.prefix("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
                : settings)) {
            for (String target : List.of("/locked.txt", "/locked/one.txt", "/locked/")) {
                Answer answer = other.get(target);
                assertThat(answer.status()).as(target).isIn(403, 404);
                assertThat(answer.value("Servery-Reason")).as(target).isIn("forbidden", "not_found");
                assertThat(answer.text()).doesNotContain("locked\n");
            }
            assertThat(other.get("/hello.txt").text()).isEqualTo("hello\n");
        } finally {
            Files.setPosixFilePermissions(readable.path("locked"), PosixFilePermissions.fromString("rwxr-xr-x"));
            run("rm", "-rf", own.toString());
        }
    }

    @Test
    void serverWithoutDescriptorsRefusesAndGoesOn() {
        try (ServeryProcess poor = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root()));
                WireConnection connection = poor.connect()) {
            assertThat(connection.get("/hello.txt").answer().status()).isEqualTo(200);
            poor.worker().allowDescriptors(STANDARD_STREAMS);
            Answer refused = connection.get("/big.bin").answer();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.value("Servery-Reason")).isEqualTo("descriptor_capacity");
            poor.worker().allowDescriptors(1024);
            Awaitility.await("service again").atMost(Duration.ofSeconds(5)).pollInterval(Duration.ofMillis(50))
                    .until(() -> poor.get("/big.bin").body().length == Site.BIG_BYTES);
        }
    }

    /// Connections that cannot be accepted wait in the queue, and are served when there is room.
    @Test
    void serverThatCannotAcceptGoesOnWhenItCan() {
        try (ServeryProcess poor = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root()))) {
            assertThat(poor.get("/hello.txt").status()).isEqualTo(200);
            poor.worker().allowDescriptors(poor.worker().descriptors() + 4);
            var held = new ArrayList<WireConnection>();
            for (int i = 0; i < 40; i++) {
                held.add(poor.connect().get("/hello.txt"));
            }
            held.subList(0, 20).forEach(WireConnection::close);
            poor.worker().allowDescriptors(1024);
            for (WireConnection connection : held.subList(20, 40)) {
                Heard heard = connection.hear();
                assertThat(heard).as(WireConnection.describe(heard)).isNotEqualTo(Heard.Ending.SILENCE);
                connection.close();
            }
            assertThat(poor.get("/hello.txt").text()).isEqualTo("hello\n");
        }
    }

    // What answers say.

    @ParameterizedTest
    @ValueSource(strings = {"/hello.txt", "/big.bin", "/empty.txt", "/", "/dir/", "/dir", "/indexed/", "/none",
            "/.hidden", "/plain/dir/"})
    void headSaysWhatGetSays(String target) {
        Answer get = server.get(target);
        try (WireConnection connection = server.connect()) {
            Answer head = connection.send("HEAD " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n").answerToHead();
            assertThat(head.status()).isEqualTo(get.status());
            assertThat(names(head)).as("RFC 9110 §9.3.2").isEqualTo(names(get));
            assertThat(connection.get("/hello.txt").answer().text()).isEqualTo("hello\n");
        }
    }

    private static List<String> names(Answer answer) {
        return answer.fields().stream().filter(field -> !field.is("Date"))
                .map(field -> field.name() + ": " + field.value()).sorted().toList();
    }

    @ParameterizedTest
    @CsvSource({"html,text/html", "css,text/css", "js,text/javascript", "mjs,text/javascript", "json,application/json",
            "svg,image/svg+xml", "png,image/png", "jpg,image/jpeg", "webp,image/webp", "avif,image/avif",
            "woff2,font/woff2", "wasm,application/wasm", "pdf,application/pdf", "txt,text/plain",
            "xml,application/xml", "mp4,video/mp4", "unknown-ending,application/octet-stream"})
    void typeFollowsTheNameOfTheFile(String ending, String type) {
        site.put("types/file." + ending, "x");
        assertThat(server.get("/types/file." + ending).value("Content-Type"))
                .matches(type.replace("+", "\\+") + "(;.*)?");
    }

    /// RFC 9110 §14.6: each part with its place and type, and an end.
    @Test
    void partsOfSeveralRangesAreWhatTheySay() {
        try (WireConnection connection = server.connect()) {
            Answer answer = connection
                    .send("GET /big.bin HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-99,500000-500999,-10\r\n\r\n")
                    .answer();
            assertThat(answer.status()).isEqualTo(206);
            String type = answer.value("Content-Type");
            String boundary = type.substring(type.indexOf("boundary=") + 9).replace("\"", "");
            String[] parts = new String(answer.body(), StandardCharsets.ISO_8859_1)
                    .split("\r?\n?--" + Pattern.quote(boundary), -1);
            assertThat(parts).hasSize(5);
            assertThat(parts[4]).startsWith("--");
            assertPart(parts[1], 0, 99);
            assertPart(parts[2], 500_000, 500_999);
            assertPart(parts[3], Site.BIG_BYTES - 10, Site.BIG_BYTES - 1);
        }
    }

    private static void assertPart(String part, int first, int last) {
        String all = new String(Site.pattern(Site.BIG_BYTES, 7), StandardCharsets.ISO_8859_1);
        assertThat(part).startsWith("\r\n")
                .containsIgnoringCase("Content-Range: bytes " + first + "-" + last + "/" + Site.BIG_BYTES + "\r\n")
                .containsIgnoringCase("Content-Type: ").endsWith("\r\n\r\n" + all.substring(first, last + 1));
    }

    @Test
    void everyRangeOfALargeFileIsExact() {
        byte[] all = Site.pattern(Site.BIG_BYTES, 7);
        try (WireConnection connection = server.connect()) {
            for (int from : new int[]{0, 1, 4095, 4096, 65_535, 65_536, 1_000_000, Site.BIG_BYTES - 1}) {
                for (int length : new int[]{1, 2, 4096, 65_536, 300_000}) {
                    int end = Math.min(from + length, all.length);
                    Answer answer = connection.send("GET /big.bin HTTP/1.1\r\nHost: localhost\r\nRange: bytes=" + from
                            + "-" + (from + length - 1) + "\r\n\r\n").answer();
                    assertThat(answer.status()).isEqualTo(206);
                    assertThat(answer.value("Content-Range")).isEqualTo("bytes " + from + "-" + (end - 1) + "/"
                            + all.length);
                    assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(all, from, end));
                }
            }
        }
    }

    @Test
    void listingEscapesEncodesAndHides() {
        Answer listing = server.get("/dir/");
        assertThat(listing.status()).isEqualTo(200);
        assertThat(listing.text()).contains("one.txt").contains("&lt;script&gt;").contains("%3Cscript%3E")
                .doesNotContain("<script>").doesNotContain(".hidden");
        assertThat(server.get("/plain/dir/").status()).as("listing = false").isIn(403, 404);
    }

    @Test
    void mountsAreServedBesideTheSite() {
        assertThat(server.get("/follow/hello.txt").text()).isEqualTo("hello\n");
        assertThat(server.get("/open/.hidden").text()).as("show_hidden").isEqualTo("never\n");
        assertThat(server.get("/.hidden").status()).isEqualTo(404);
        assertThat(server.get("/followed").status()).isEqualTo(404);
        assertThat(server.get("/follow/../hello.txt").status()).isEqualTo(400);
        assertThat(server.get("/plain/dir").value("Location")).isEqualTo("/plain/dir/");
    }
}

package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Digest fields of the packaged jar (RFC 9530): curl receives, Python's hashlib says what the digests should have been.
class DigestTest {
    private static final int LARGE_BYTES = 9_000_001;
    /// A hole that takes minutes to hash and no room on the disk.
    private static final long ENDLESS_BYTES = 1L << 38;

    @TempDir
    static Path folder;
    private static Site site;
    private static ServeryProcess server;

    @BeforeAll
    static void start() throws IOException {
        site = Site.generate(folder.resolve("site"));
        site.put("small.json", "{\"hello\": \"world\"}\n");
        site.put("page.html", "<p>words that come again\n".repeat(2_000));
        site.put("large.bin", Site.pattern(LARGE_BYTES, 3));
        site.put("beside.css", "plain ".repeat(30_000));
        output("python3", "-c", "import gzip,sys; open(sys.argv[1]+'.gz','wb').write(gzip.compress(b'beside'*50))",
                site.path("beside.css").toString());
        for (String name : List.of("endless-1.bin", "endless-2.bin", "endless-3.bin")) {
            try (RandomAccessFile hole = new RandomAccessFile(site.path(name).toFile(), "rw")) {
                hole.setLength(ENDLESS_BYTES);
            }
        }
        server = start(folder.resolve("server"));
    }

    private static ServeryProcess start(Path own) {
        return ServeryProcess.start(ServeryProcess.Settings.of(own, site.root()).files("digests = true")
                .more("[resources.lanes.compute]\nthreads = 1\nqueue = 1\n"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            assertThat(process.waitFor()).as(text).isZero();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return text;
    }

    /// What curl received.
    private record Received(String head, Path body) {
        String field(String name) {
            List<String> values = head.lines().filter(line -> line.startsWith(name + ": "))
                    .map(line -> line.substring(name.length() + 2)).toList();
            assertThat(values).as(name + " in " + head).hasSizeLessThan(2);
            return values.isEmpty() ? "" : values.getFirst();
        }
    }

    private static Received curl(String target, String... options) throws IOException {
        Path head = Files.createTempFile(folder, "head", "");
        Path body = Files.createTempFile(folder, "body", "");
        List<String> command = new ArrayList<>(
                List.of("curl", "-sS", "-D", head.toString(), "-o", body.toString()));
        command.addAll(List.of(options));
        command.add("http://127.0.0.1:" + server.port() + target);
        output(command.toArray(String[]::new));
        return new Received(Files.readString(head, StandardCharsets.ISO_8859_1), body);
    }

    /// The field value by another implementation.
    private static String digest(String algorithm, Path file) throws IOException {
        String digest = output("python3", "-c",
                "import base64,hashlib,sys; print(base64.b64encode(hashlib.new(sys.argv[1], open(sys.argv[2],'rb')"
                        + ".read()).digest()).decode())",
                algorithm.replace("-", ""), file.toString());
        return algorithm + "=:" + digest.strip() + ":";
    }

    @ParameterizedTest
    @ValueSource(strings = {"sha-256", "sha-512"})
    void wholeFilesHaveTheDigestsThatTheirBytesHave(String algorithm) throws IOException {
        for (String target : List.of("/small.json", "/large.bin", "/empty.txt", "/beside.css")) {
            Received received = curl(target, "-H", "Want-Repr-Digest: " + algorithm + "=10", "-H",
                    "Want-Content-Digest: " + algorithm + "=10");
            assertThat(received.head()).startsWith("HTTP/1.1 200 ");
            assertThat(received.field("Repr-Digest")).isEqualTo(digest(algorithm, received.body()));
            assertThat(received.field("Content-Digest")).isEqualTo(digest(algorithm, received.body()));
            assertThat(received.body()).hasSameBinaryContentAs(site.path(target.substring(1)));
        }
    }

    @Test
    void partsHaveTheirOwnContentDigestAndThatOfTheWhole() throws IOException {
        for (String range : List.of("3-9", "-5", "1-3,6-8")) {
            for (String file : List.of("small.json", "large.bin")) {
                Received part = curl("/" + file, "-r", range, "-H", "Want-Repr-Digest: sha-256=1", "-H",
                        "Want-Content-Digest: sha-512=1");
                assertThat(part.head()).startsWith("HTTP/1.1 206 ");
                assertThat(part.field("Repr-Digest")).isEqualTo(digest("sha-256", site.path(file)));
                assertThat(part.field("Content-Digest")).isEqualTo(digest("sha-512", part.body()));
            }
        }
        Received most = curl("/large.bin", "-r", "70000-8900000", "-H", "Want-Content-Digest: sha-256=1");
        assertThat(most.body()).hasSize(8_830_001);
        assertThat(most.field("Content-Digest")).isEqualTo(digest("sha-256", most.body()));
    }

    @Test
    void codedFormsHaveTheDigestOfTheirCodedBytes() throws IOException {
        for (String target : List.of("/beside.css", "/page.html")) {
            Received coded = curl(target, "-H", "Accept-Encoding: gzip", "-H", "Want-Repr-Digest: sha-256=1", "-H",
                    "Want-Content-Digest: sha-256=1");
            assertThat(coded.field("Content-Encoding")).isEqualTo("gzip");
            assertThat(coded.field("Repr-Digest")).isEqualTo(digest("sha-256", coded.body()));
            assertThat(coded.field("Content-Digest")).isEqualTo(digest("sha-256", coded.body()));
        }
    }

    @Test
    void headAndNotModifiedSayWhatTheRfcSays() throws IOException {
        Received head = curl("/large.bin", "-I", "-H", "Want-Repr-Digest: sha-256=1", "-H",
                "Want-Content-Digest: sha-256=1");
        assertThat(head.field("Repr-Digest")).isEqualTo(digest("sha-256", site.path("large.bin")));
        assertThat(head.field("Content-Digest")).isEmpty();
        Received current = curl("/small.json", "-H", "If-None-Match: *", "-H", "Want-Repr-Digest: sha-256=1");
        assertThat(current.head()).startsWith("HTTP/1.1 304 ");
        assertThat(current.field("Repr-Digest")).isEmpty();
        assertThat(curl("/small.json").field("Repr-Digest"))
                .isEqualTo("sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:");
    }

    /// Two files without end fill the lane: a third is refused, and what needs no hashing is answered as ever.
    @Test
    void fullLaneRefusesWhatItCannotHashAndHoldsUpNobody() {
        try (ServeryProcess full = start(folder.resolve("full"));
                WireConnection known = full.connect();
                WireConnection first = full.connect();
                WireConnection second = full.connect();
                WireConnection third = full.connect()) {
            Awaitility.await("a digest that is kept: the file has not just changed").until(() -> {
                assertThat(known.send(wanting("/large.bin")).answer().status()).isEqualTo(206);
                return full.metric("servery_cache_bytes{cache=\"digest\"}") > 0;
            });
            // The place in the lane is free only when the work has returned, which is after its answer.
            Awaitility.await("an empty lane").until(() -> full.metric("servery_lane_bytes{lane=\"compute\"}") == 0);
            first.send(wanting("/endless-1.bin"));
            second.send(wanting("/endless-2.bin"));
            Awaitility.await("a full lane")
                    .until(() -> full.metric("servery_queue_depth{queue=\"compute\"}") == 1);
            Answer refused = third.send(wanting("/endless-3.bin")).answer();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.value("Retry-After")).isEqualTo("1");
            assertThat(refused.value("Servery-Reason")).isEqualTo("expensive_work_capacity");
            assertThat(third.get("/small.json").answer().value("Repr-Digest")).startsWith("sha-256=:");
            assertThat(known.send(wanting("/large.bin")).answer().value("Repr-Digest")).startsWith("sha-256=:");
            assertThat(third.get("/1k.txt").answer().status()).isEqualTo(200);
            assertThat(full.metric("servery_rejections_total{reason=\"expensive_work_capacity\"")).isEqualTo(1);
            assertThat(full.metric("servery_cache_operations_total{cache=\"digest\",result=\"rejected\"}"))
                    .isEqualTo(1);
        }
    }

    private static String wanting(String target) {
        return "GET " + target
                + " HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-1\r\nWant-Repr-Digest: sha-256=1\r\n\r\n";
    }
}

package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compressed files as clients of other makers decode them, and what a full compute lane means for others.
class ContentCodingTest {
    private static final int DISTINCT_FILES = 200;
    private static final int DISTINCT_BYTES = 300_000;
    private static final int COMPUTE_THREADS = 2;
    private static final int COMPUTE_QUEUE = 4;

    @TempDir
    static Path folder;
    private static Site site;
    private static ServeryProcess server;

    @BeforeAll
    static void start() throws IOException {
        site = Site.generate(folder.resolve("site"));
        site.put("page.html", "<p>words that come again\n".repeat(2_000));
        site.put("beside.css", "plain");
        run("import gzip; open('%s','wb').write(gzip.compress(b'beside'*50))".formatted(site.path("beside.css.gz")));
        Random random = new Random(11);
        for (int i = 0; i < DISTINCT_FILES; i++) {
            StringBuilder text = new StringBuilder(DISTINCT_BYTES);
            while (text.length() < DISTINCT_BYTES) {
                text.append(Integer.toString(random.nextInt(1 << 20), 36)).append(' ');
            }
            site.put("distinct/" + i + ".txt", text.toString());
        }
        server = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root())
                .more("[resources.lanes.compute]\nthreads = %d\nqueue = %d\n".formatted(COMPUTE_THREADS,
                        COMPUTE_QUEUE)));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String run(String python) throws IOException {
        return output(List.of("python3", "-c", python));
    }

    private static String output(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            assertThat(process.waitFor()).as(text).isZero();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return text;
    }

    private static Answer get(String target, String coding) {
        try (WireConnection connection = server.connect()) {
            return connection.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: " + coding
                    + "\r\n\r\n").answer();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "zstd"})
    void curlDecodesEveryCodingToTheFile(String coding) throws IOException {
        Path head = folder.resolve("head-" + coding);
        Path body = folder.resolve("body-" + coding);
        output(List.of("curl", "-sS", "--compressed", "-H", "Accept-Encoding: " + coding, "-D", head.toString(), "-o",
                body.toString(), "http://127.0.0.1:" + server.port() + "/page.html"));
        assertThat(Files.readString(head)).contains("Content-Encoding: " + coding + "\r\n")
                .contains("Vary: Accept-Encoding\r\n");
        assertThat(Files.readAllBytes(body)).isEqualTo(Files.readAllBytes(site.path("page.html")));
    }

    @Test
    void pythonDecodesGzip() throws IOException {
        Path coded = folder.resolve("coded.gz");
        Files.write(coded, get("/page.html", "gzip").body());
        Path plain = folder.resolve("plain");
        run("import gzip; open('%s','wb').write(gzip.open('%s').read())".formatted(plain, coded));
        assertThat(Files.readAllBytes(plain)).isEqualTo(Files.readAllBytes(site.path("page.html")));
    }

    @Test
    void fileBesideAFileIsSentAsItIs() throws IOException {
        Answer answer = get("/beside.css", "gzip, deflate, br, zstd");
        assertThat(answer.value("Content-Encoding")).isEqualTo("gzip");
        assertThat(answer.body()).isEqualTo(Files.readAllBytes(site.path("beside.css.gz")));
        assertThat(get("/beside.css.gz", "gzip").value("Content-Type")).isEqualTo("application/gzip");
    }

    /// Distinct large compressions without end: small files go on in every second, nobody is refused, and no more waits than
    /// the lane's bounds say.
    @Test
    void fullComputeLaneHoldsUpNobody() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        List<Thread> compressing = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int first = i;
            compressing.add(Thread.ofPlatform().start(() -> {
                try (WireConnection connection = server.connect()) {
                    for (int at = first; !over.get(); at += 8) {
                        Answer answer = connection.send("GET /distinct/" + at % DISTINCT_FILES
                                + ".txt HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br;q=0.9, zstd;q=0."
                                + (1 + at / DISTINCT_FILES % 8) + "\r\n\r\n").answer();
                        assertThat(answer.status()).isEqualTo(200);
                        answered.incrementAndGet();
                    }
                }
            }));
        }
        int[] perSecond = new int[3];
        try (WireConnection connection = server.connect()) {
            long began = System.nanoTime();
            for (int second = 0; second < perSecond.length; second++) {
                while (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(second + 1L)) {
                    assertThat(connection.get("/1k.txt").answer().status()).isEqualTo(200);
                    perSecond[second]++;
                }
                assertThat(server.metric("servery_queue_depth{queue=\"compute\"}"))
                        .isLessThanOrEqualTo(COMPUTE_QUEUE);
                assertThat(server.metric("servery_lane_bytes{lane=\"compute\"}"))
                        .isLessThanOrEqualTo(2.0 * DISTINCT_BYTES * 1.1 * (COMPUTE_THREADS + COMPUTE_QUEUE));
            }
        } finally {
            over.set(true);
        }
        for (Thread thread : compressing) {
            assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
        }
        assertThat(java.util.Arrays.stream(perSecond).min().orElse(0)).isGreaterThan(50);
        assertThat(answered).hasPositiveValue();
        assertThat(server.metric("servery_queue_high_water{queue=\"compute\"}")).isLessThanOrEqualTo(COMPUTE_QUEUE);
        assertThat(server.metric("servery_cache_operations_total{cache=\"compression\",result=\"rejected\"}"))
                .isPositive();
    }
}

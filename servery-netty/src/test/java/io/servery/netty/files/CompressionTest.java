package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.aayushatharva.brotli4j.decoder.DecoderJNI;
import com.aayushatharva.brotli4j.decoder.DirectDecompress;
import com.github.luben.zstd.Zstd;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.servery.core.config.StaticFiles;
import io.servery.core.metric.CacheName;
import io.servery.core.metric.CacheResult;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.netty.files.open.Descriptors;
import io.servery.netty.files.open.FaultyCalls;
import io.servery.netty.files.open.Roots;
import io.servery.netty.lane.Lane;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compressed forms that are made: the same for small files in memory and large ones on disk, within the compute lane.
class CompressionTest {
    private static final int COMPUTE_THREADS = 1;
    private static final int COMPUTE_QUEUE = 2;
    private static final long COMPUTE_BYTES = 100_000;
    private static final String SMALL = "small words ".repeat(60);
    private static final String LARGE = "large words ".repeat(1_000);

    @TempDir
    Path temporary;

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final MetricRegistry metrics = new MetricRegistry(MetricScope.http1Files());
    private final FakeTime time = new FakeTime();
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private final Lane lane = new Lane("filesystem", new Lane.Bounds(2, 64), Lane.QueueObserver.NONE, bugs::add);
    private final Lane compute = new Lane("compute", new Lane.Bounds(COMPUTE_THREADS, COMPUTE_QUEUE, COMPUTE_BYTES),
            Lane.QueueObserver.NONE, bugs::add);
    private final CountDownLatch gate = new CountDownLatch(1);

    private Path root;
    private long cacheBytes = 1 << 20;
    private FileSite site;
    private FilesHandler handler;

    @BeforeEach
    void makeSite() throws IOException {
        root = Files.createDirectory(temporary.toRealPath().resolve("root"));
        write("small.html", SMALL);
        write("large.txt", LARGE);
        time.advance(Duration.ofSeconds(5));
    }

    @AfterEach
    void closeAndFindNothingLeft() throws Exception {
        gate.countDown();
        compute.close();
        lane.close();
        assertThat(compute.awaitEnd(Duration.ofSeconds(10)) && lane.awaitEnd(Duration.ofSeconds(10))).isTrue();
        loop.submit(() -> {
        }).get(10, TimeUnit.SECONDS);
        site.close();
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        assertThat(Descriptors.beneath(temporary.toRealPath())).isEmpty();
        assertThat(compute.snapshot().bytes()).isZero();
        assertThat(metrics.snapshot().cacheBytes(CacheName.COMPRESSION)).isZero();
        assertThat(bugs).isEmpty();
    }

    private void write(String path, String content) throws IOException {
        Files.writeString(root.resolve(path), content);
        Files.setLastModifiedTime(root.resolve(path), FileTime.from(Instant.ofEpochSecond(1_600_000_000)));
    }

    private void serve() throws IOException {
        serve(new StaticFilesFixture(root).compress());
    }

    private void serve(StaticFilesFixture files) throws IOException {
        StaticFiles built = files.build();
        FileTree tree = new FileTree("/", Roots.open(root, built.symlinks(), new FaultyCalls()),
                new FilePolicy(built));
        site = new FileSite(List.of(tree), new FileSite.Limits(1024, 64 * 1024, StaticFilesFixture.forms(cacheBytes)),
                new FileSite.Lanes(lane, compute), metrics.sharedShard(), time);
        handler = new FilesHandler(site, metrics.loopShard());
    }

    private TestExchange send(String method, String target, String... fields) {
        TestExchange exchange = new TestExchange(loop, TestRequest.head(method, target, fields));
        loop.execute(() -> handler.handle(exchange));
        return exchange;
    }

    private Emitted get(String target, String... fields) throws Exception {
        return send("GET", target, fields).answer();
    }

    private long count(CacheResult result) {
        return metrics.snapshot().cacheOperations(CacheName.COMPRESSION, result);
    }

    private static String decoded(Emitted answer) throws IOException {
        byte[] content = answer.content();
        return new String(switch (answer.field("Content-Encoding")) {
            case "gzip" -> new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes();
            case "zstd" -> Zstd.decompress(content, 1 << 20);
            case "br" -> {
                DirectDecompress result = DirectDecompress.decompress(content);
                assertThat(result.getResultStatus()).isEqualTo(DecoderJNI.Status.DONE);
                yield result.getDecompressedData();
            }
            default -> throw new AssertionError(answer.field("Content-Encoding"));
        }, StandardCharsets.UTF_8);
    }

    private void block(int works) {
        for (int i = 0; i < works; i++) {
            assertThat(compute.offer(new GatedWork(gate))).isTrue();
        }
        await().until(() -> compute.snapshot().active() == Math.min(works, COMPUTE_THREADS));
    }

    @Test
    void everyCodingDecodesToTheFile() throws Exception {
        serve();
        for (String coding : List.of("gzip", "br", "zstd")) {
            for (int i = 0; i < 2; i++) {
                for (String target : List.of("/small.html", "/large.txt")) {
                    Emitted answer = get(target, "Accept-Encoding: " + coding);
                    assertThat(answer.field("Content-Encoding")).isEqualTo(coding);
                    assertThat(decoded(answer)).isEqualTo(target.startsWith("/small") ? SMALL : LARGE);
                    assertThat(answer.head().contentLength()).isEqualTo(answer.content().length);
                    assertThat(answer.field("Vary")).isEqualTo("Accept-Encoding");
                    assertThat(answer.names()).doesNotContain("Accept-Ranges");
                }
            }
        }
        assertThat(count(CacheResult.MISS)).isEqualTo(6);
        assertThat(count(CacheResult.HIT)).isEqualTo(6);
    }

    @Test
    void formBesideTheFileIsPreferredToOneThatIsMade() throws Exception {
        write("small.html.gz", "beside");
        serve();
        assertThat(get("/small.html", "Accept-Encoding: zstd, gzip").text()).isEqualTo("beside");
    }

    @Test
    void whatIsNotWorthItIsSentPlain() throws Exception {
        write("tiny.html", "t".repeat(255));
        write("huge.txt", "h".repeat((1 << 20) + 1));
        write("image.png", "p".repeat(1_000));
        write("noise.txt", new java.util.Random(7).ints(300, 33, 126).collect(StringBuilder::new,
                (text, c) -> text.append((char) c), StringBuilder::append).toString());
        serve();
        for (String target : List.of("/tiny.html", "/huge.txt", "/image.png")) {
            assertThat(get(target, "Accept-Encoding: gzip").names()).doesNotContain("Content-Encoding");
        }
        assertThat(count(CacheResult.MISS)).isZero();
    }

    // RFC 9110 §8.8.3.3, §9.3.2, §13

    @Test
    void everyFormHasItsStrongTagAndIsCurrentByItAlone() throws Exception {
        serve();
        for (String target : List.of("/small.html", "/large.txt")) {
            String plain = get(target).field("ETag");
            for (String coding : List.of("gzip", "br", "zstd")) {
                String tag = get(target, "Accept-Encoding: " + coding).field("ETag");
                assertThat(tag).startsWith(plain.substring(0, plain.length() - 1) + "-" + coding);
                Emitted current = get(target, "Accept-Encoding: " + coding, "If-None-Match: " + tag);
                assertThat(current.status()).isEqualTo(304);
                assertThat(current.field("ETag")).isEqualTo(tag);
                assertThat(current.field("Vary")).isEqualTo("Accept-Encoding");
                assertThat(get(target, "Accept-Encoding: " + coding, "If-None-Match: " + plain).status())
                        .isEqualTo(200);
                assertThat(get(target, "If-None-Match: " + tag).status()).isEqualTo(200);
            }
        }
    }

    @Test
    void currentFormIsNotMadeToSaySo() throws Exception {
        serve();
        String tag = get("/large.txt", "Accept-Encoding: br").field("ETag");
        site.compressions().clear();
        Emitted current = get("/large.txt", "Accept-Encoding: br", "If-None-Match: " + tag);
        assertThat(current.status()).isEqualTo(304);
        assertThat(current.field("ETag")).isEqualTo(tag);
        assertThat(count(CacheResult.MISS)).isEqualTo(1);
    }

    @Test
    void headIsThatOfGetColdAndWarm() throws Exception {
        serve();
        for (String target : List.of("/small.html", "/large.txt")) {
            Emitted cold = send("HEAD", target, "Accept-Encoding: zstd").answer();
            assertThat(cold.head().http1()).isEqualTo(get(target, "Accept-Encoding: zstd").head().http1());
            assertThat(cold.content()).isEmpty();
        }
    }

    // RFC 9110 §14: a part is always one of the plain bytes, with their tag

    @Test
    void partIsOfThePlainBytes() throws Exception {
        serve();
        String plain = get("/large.txt").field("ETag");
        String coded = get("/large.txt", "Accept-Encoding: gzip").field("ETag");
        Emitted part = get("/large.txt", "Accept-Encoding: gzip", "Range: bytes=0-4");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("large");
        assertThat(part.field("ETag")).isEqualTo(plain);
        assertThat(part.names()).doesNotContain("Content-Encoding");
        Emitted whole = get("/large.txt", "Accept-Encoding: gzip", "Range: bytes=0-4", "If-Range: " + coded);
        assertThat(whole.status()).isEqualTo(200);
        assertThat(whole.text()).isEqualTo(LARGE);
        assertThat(whole.field("ETag")).isEqualTo(plain);
    }

    // The lane and the cache

    @Test
    void fullLaneMeansPlainContentAndIsCounted() throws Exception {
        serve();
        block(COMPUTE_THREADS + COMPUTE_QUEUE);
        for (String target : List.of("/small.html", "/large.txt")) {
            Emitted answer = get(target, "Accept-Encoding: gzip");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.names()).doesNotContain("Content-Encoding");
            assertThat(answer.field("Vary")).isEqualTo("Accept-Encoding");
        }
        assertThat(count(CacheResult.REJECTED)).isEqualTo(2);
    }

    @Test
    void laneIsChargedForInputAndOutput() throws Exception {
        write("wide.txt", "w".repeat(40_000));
        write("wider.txt", "w".repeat(51_000));
        serve();
        block(1);
        TestExchange waiting = send("GET", "/wide.txt", "Accept-Encoding: gzip");
        await().until(() -> compute.snapshot().bytes() == 80_000);
        assertThat(get("/large.txt", "Accept-Encoding: gzip").names()).doesNotContain("Content-Encoding");
        assertThat(get("/wider.txt", "Accept-Encoding: gzip").names()).doesNotContain("Content-Encoding");
        assertThat(compute.snapshot().bytes()).isEqualTo(80_000);
        gate.countDown();
        assertThat(decoded(waiting.answer())).hasSize(40_000);
        await().until(() -> compute.snapshot().bytes() == 0);
    }

    @Test
    void requestsForOneFormTakeOnePlaceOfTheLane() throws Exception {
        serve();
        block(1);
        List<TestExchange> asking = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            asking.add(send("GET", "/large.txt", "Accept-Encoding: gzip"));
        }
        await().until(() -> count(CacheResult.MISS) == 50);
        assertThat(compute.snapshot().queued()).isEqualTo(1);
        gate.countDown();
        for (TestExchange exchange : asking) {
            assertThat(decoded(exchange.answer())).isEqualTo(LARGE);
        }
    }

    @Test
    void whoIsOneTooManyForAFormGetsPlainContentAtOnce() throws Exception {
        serve();
        block(1);
        List<TestExchange> asking = new ArrayList<>();
        for (int i = 0; i < 1 + Compressions.FOLLOWERS_MAX; i++) {
            asking.add(send("GET", "/large.txt", "Accept-Encoding: gzip"));
        }
        await().until(() -> count(CacheResult.MISS) == asking.size());
        for (int i = 0; i < 10; i++) {
            assertThat(get("/large.txt", "Accept-Encoding: gzip").text()).isEqualTo(LARGE);
        }
        assertThat(count(CacheResult.REJECTED)).isEqualTo(10);
        assertThat(asking).noneMatch(TestExchange::answered);
        gate.countDown();
        for (TestExchange exchange : asking) {
            assertThat(decoded(exchange.answer())).isEqualTo(LARGE);
        }
    }

    @Test
    void workOfACancelledRequestKeepsItsPlaceAndItsResult() throws Exception {
        serve();
        block(1);
        TestExchange gone = send("GET", "/large.txt", "Accept-Encoding: gzip");
        await().until(() -> compute.snapshot().queued() == 1);
        gone.cancel();
        assertThat(compute.snapshot().bytes()).isEqualTo(2L * LARGE.length());
        gate.countDown();
        await().until(() -> compute.snapshot().active() == 0);
        assertThat(decoded(get("/large.txt", "Accept-Encoding: gzip"))).isEqualTo(LARGE);
        assertThat(count(CacheResult.HIT)).isEqualTo(1);
        assertThat(gone.answered()).isFalse();
    }

    @Test
    void waitingRequestsAreAnsweredPlainWhenTheLaneCloses() throws Exception {
        serve();
        block(1);
        TestExchange waiting = send("GET", "/large.txt", "Accept-Encoding: gzip");
        await().until(() -> compute.snapshot().queued() == 1);
        compute.close();
        assertThat(waiting.answer().text()).isEqualTo(LARGE);
    }

    @Test
    void cacheStaysWithinItsBytes() throws Exception {
        cacheBytes = 10_000;
        for (int i = 0; i < 20; i++) {
            write("f" + i + ".txt", ("f" + i + " ").repeat(200));
        }
        serve();
        for (int i = 0; i < 20; i++) {
            assertThat(decoded(get("/f" + i + ".txt", "Accept-Encoding: gzip"))).startsWith("f" + i);
            assertThat(metrics.snapshot().cacheBytes(CacheName.COMPRESSION)).isBetween(1L, cacheBytes);
        }
        assertThat(count(CacheResult.EVICTED)).isPositive();
    }

    @Test
    void changedFileHasAnotherForm() throws Exception {
        serve();
        String before = get("/large.txt", "Accept-Encoding: gzip").field("ETag");
        write("large.txt", LARGE.replace("large", "other"));
        time.advance(Duration.ofSeconds(5));
        Emitted after = get("/large.txt", "Accept-Encoding: gzip");
        assertThat(decoded(after)).startsWith("other");
        assertThat(after.field("ETag")).isNotEqualTo(before);
    }

    @Test
    void formOfAFileThatHasJustChangedIsNotKept() throws Exception {
        serve();
        write("new.txt", "n".repeat(2_000));
        time.advance(Duration.ofSeconds(-5));
        assertThat(decoded(get("/new.txt", "Accept-Encoding: gzip"))).hasSize(2_000);
        assertThat(metrics.snapshot().cacheBytes(CacheName.COMPRESSION)).isZero();
    }
}

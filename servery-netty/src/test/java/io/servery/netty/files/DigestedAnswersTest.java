package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.servery.core.config.StaticFiles;
import io.servery.core.metric.CacheName;
import io.servery.core.metric.CacheResult;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.http.exchange.BodySource;
import io.servery.http.exchange.Refusal;
import io.servery.http.semantics.DigestAlgorithm;
import io.servery.http.semantics.EntityTag;
import io.servery.netty.files.open.Descriptors;
import io.servery.netty.files.open.FaultyCalls;
import io.servery.netty.files.open.FileIdentity;
import io.servery.netty.files.open.Roots;
import io.servery.netty.lane.Lane;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Digest fields (RFC 9530) from end to end, without a socket: in the order of the RFC, then the lane and the cache.
/// Long because one fixture serves them all.
class DigestedAnswersTest {
    private static final int COMPUTE_THREADS = 1;
    private static final int COMPUTE_QUEUE = 2;
    private static final String SMALL = "{\"hello\": \"world\"}\n";
    private static final String LARGE = "large words ".repeat(10_000);
    private static final String REPR = "Want-Repr-Digest: sha-256=10";
    private static final String CONTENT = "Want-Content-Digest: sha-256=10";

    @TempDir
    Path temporary;

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final MetricRegistry metrics = new MetricRegistry(MetricScope.http1Files());
    private final FakeTime time = new FakeTime();
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private final Lane lane = new Lane("filesystem", new Lane.Bounds(2, 64), Lane.QueueObserver.NONE, bugs::add);
    private final Lane compute = new Lane("compute", new Lane.Bounds(COMPUTE_THREADS, COMPUTE_QUEUE, 1 << 20),
            Lane.QueueObserver.NONE, bugs::add);
    private final CountDownLatch gate = new CountDownLatch(1);

    private Path root;
    private FileSite site;
    private FilesHandler handler;

    @BeforeEach
    void makeSite() throws IOException {
        root = Files.createDirectory(temporary.toRealPath().resolve("root"));
        write("small.json", SMALL);
        write("large.bin", LARGE);
        write("empty.bin", "");
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
        assertThat(metrics.snapshot().cacheBytes(CacheName.DIGEST)).isZero();
        assertThat(bugs).isEmpty();
    }

    private void write(String path, String content) throws IOException {
        Files.writeString(root.resolve(path), content);
        Files.setLastModifiedTime(root.resolve(path), FileTime.from(Instant.ofEpochSecond(1_600_000_000)));
    }

    private void serve() throws IOException {
        serve(new StaticFilesFixture(root).digests());
    }

    private void serve(StaticFilesFixture files) throws IOException {
        StaticFiles built = files.build();
        FileTree tree = new FileTree("/", Roots.open(root, built.symlinks(), new FaultyCalls()),
                new FilePolicy(built));
        site = new FileSite(List.of(tree), new FileSite.Limits(1024, 64 * 1024, StaticFilesFixture.forms(1 << 20)),
                new FileSite.Lanes(lane, compute), metrics.sharedShard(), time);
        handler = new FilesHandler(site, metrics.loopShard(), new FilePlanner(() -> "BOUNDARY"));
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
        return metrics.snapshot().cacheOperations(CacheName.DIGEST, result);
    }

    /// By the JDK alone.
    private static String digest(String key, byte[] content) throws Exception {
        return key + "=:" + Base64.getEncoder().encodeToString(
                MessageDigest.getInstance(key.toUpperCase(java.util.Locale.ROOT)).digest(content)) + ":";
    }

    private static String digest(String key, String content) throws Exception {
        return digest(key, content.getBytes(StandardCharsets.UTF_8));
    }

    private void block(int works) {
        // A place is held until the work has really ended, a moment after its answer.
        await().until(() -> compute.snapshot().active() + compute.snapshot().queued() == 0);
        CountDownLatch started = new CountDownLatch(Math.min(works, COMPUTE_THREADS));
        for (int i = 0; i < works; i++) {
            assertThat(compute.offer(new GatedWork(gate, started))).isTrue();
        }
        await().until(() -> started.getCount() == 0);
    }

    @Test
    void nothingIsSentWhereDigestsAreOff() throws Exception {
        serve(new StaticFilesFixture(root));
        for (String target : List.of("/small.json", "/large.bin")) {
            assertThat(get(target, REPR, CONTENT).names()).doesNotContain("Repr-Digest", "Content-Digest");
        }
        assertThat(count(CacheResult.MISS)).isZero();
    }

    // §2, Appendix B.1 and B.3: Content-Digest is of what this message holds

    @Test
    void contentDigestIsSentToWhoAsksForIt() throws Exception {
        serve();
        for (String target : List.of("/small.json", "/large.bin")) {
            String content = target.equals("/small.json") ? SMALL : LARGE;
            assertThat(get(target).names()).doesNotContain("Content-Digest");
            Emitted answer = get(target, CONTENT);
            assertThat(answer.text()).isEqualTo(content);
            assertThat(answer.field("Content-Digest")).isEqualTo(digest("sha-256", content));
            assertThat(get(target, "Want-Content-Digest: sha-512=1").field("Content-Digest"))
                    .isEqualTo(digest("sha-512", content));
        }
        assertThat(get("/small.json", CONTENT).field("Content-Digest"))
                .isEqualTo("sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:");
    }

    @Test
    void contentDigestOfAPartIsOfThePart() throws Exception {
        serve();
        for (String target : List.of("/small.json", "/large.bin")) {
            Emitted part = get(target, "Range: bytes=1-7", CONTENT, REPR);
            assertThat(part.status()).isEqualTo(206);
            assertThat(part.field("Content-Digest")).isEqualTo(digest("sha-256", part.content()));
            assertThat(part.content()).hasSize(7);
            assertThat(part.field("Repr-Digest"))
                    .isEqualTo(digest("sha-256", target.equals("/small.json") ? SMALL : LARGE));
        }
        assertThat(get("/small.json", "Range: bytes=10-16", CONTENT).text()).isEqualTo("\"world\"");
    }

    @Test
    void contentDigestOfSeveralPartsIsOfTheMultipartContent() throws Exception {
        serve();
        for (String target : List.of("/small.json", "/large.bin")) {
            Emitted parts = get(target, "Range: bytes=0-1,5-9,-2", CONTENT, REPR);
            assertThat(parts.status()).isEqualTo(206);
            assertThat(parts.text()).startsWith("--BOUNDARY\r\n").endsWith("\r\n--BOUNDARY--\r\n");
            assertThat(parts.field("Content-Digest")).isEqualTo(digest("sha-256", parts.content()));
            assertThat(parts.field("Repr-Digest"))
                    .isEqualTo(digest("sha-256", target.equals("/small.json") ? SMALL : LARGE));
        }
    }

    /// RFC 9111 §4.3.5: a cache takes the fields of an answer to HEAD over to the GET that it stored; there a digest of no
    /// content would be wrong. §4 lets us leave it out.
    @Test
    void answerToHeadHasNoContentDigest() throws Exception {
        serve();
        for (String target : List.of("/small.json", "/large.bin")) {
            Emitted answer = send("HEAD", target, CONTENT, REPR).answer();
            assertThat(answer.names()).contains("Repr-Digest").doesNotContain("Content-Digest");
        }
    }

    // §3, Appendix B.1 to B.3: Repr-Digest is of the whole representation

    @Test
    void fileInMemoryHasItsDigestUnasked() throws Exception {
        serve();
        String expected = digest("sha-256", SMALL);
        for (int i = 0; i < 2; i++) {
            assertThat(get("/small.json").field("Repr-Digest")).isEqualTo(expected);
            assertThat(get("/small.json", "Range: bytes=1-7").field("Repr-Digest")).isEqualTo(expected);
            assertThat(get("/small.json", "Range: bytes=0-1,5-9").field("Repr-Digest")).isEqualTo(expected);
            assertThat(send("HEAD", "/small.json").answer().field("Repr-Digest")).isEqualTo(expected);
            assertThat(get("/small.json", REPR).field("Repr-Digest")).isEqualTo(expected);
        }
        assertThat(count(CacheResult.HIT) + count(CacheResult.MISS)).isZero();
    }

    @Test
    void largeFileHasItsDigestWhenAskedFor() throws Exception {
        serve();
        String expected = digest("sha-256", LARGE);
        assertThat(get("/large.bin").names()).doesNotContain("Repr-Digest");
        assertThat(send("HEAD", "/large.bin", REPR).answer().field("Repr-Digest")).isEqualTo(expected);
        Emitted whole = get("/large.bin", REPR);
        assertThat(whole.field("Repr-Digest")).isEqualTo(expected);
        assertThat(whole.text()).isEqualTo(LARGE);
        assertThat(get("/large.bin", REPR, "Range: bytes=5-9").field("Repr-Digest")).isEqualTo(expected);
        assertThat(count(CacheResult.MISS)).isEqualTo(1);
        assertThat(count(CacheResult.HIT)).isEqualTo(2);
    }

    @Test
    void headWithDigestsIsThatOfGet() throws Exception {
        serve();
        for (String target : List.of("/small.json", "/large.bin")) {
            assertThat(send("HEAD", target, REPR).answer().head().http1()).isEqualTo(get(target, REPR).head().http1());
        }
    }

    @Test
    void emptyRepresentationHasTheDigestOfNothing() throws Exception {
        serve();
        String nothing = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:";
        Emitted answer = get("/empty.bin", REPR, CONTENT);
        assertThat(answer.field("Repr-Digest")).isEqualTo(nothing);
        assertThat(answer.field("Content-Digest")).isEqualTo(nothing);
    }

    /// §6.5: each coding is a representation of its own.
    @Test
    void digestIsOfTheCodedBytes() throws Exception {
        write("small.json.gz", "gzipped");
        write("large.bin.br", "smaller");
        write("page.html", "<p>words that come again".repeat(30));
        write("wide.txt", "wide words ".repeat(400));
        serve(new StaticFilesFixture(root).digests().compress());
        for (String target : List.of("/small.json", "/page.html", "/wide.txt")) {
            Emitted coded = get(target, "Accept-Encoding: gzip", REPR, CONTENT);
            assertThat(coded.field("Content-Encoding")).isEqualTo("gzip");
            assertThat(coded.field("Repr-Digest")).isEqualTo(digest("sha-256", coded.content()));
            assertThat(coded.field("Content-Digest")).isEqualTo(digest("sha-256", coded.content()));
            assertThat(coded.names()).containsOnlyOnce("Repr-Digest");
            assertThat(get(target, "Accept-Encoding: gzip").field("Repr-Digest"))
                    .isEqualTo(coded.field("Repr-Digest"));
            Emitted longer = get(target, "Accept-Encoding: gzip", "Want-Repr-Digest: sha-512=1");
            assertThat(longer.field("Repr-Digest")).isEqualTo(digest("sha-512", longer.content()));
            Emitted plain = get(target, "Want-Repr-Digest: sha-512=1");
            assertThat(plain.field("Repr-Digest")).isEqualTo(digest("sha-512", plain.content()))
                    .isNotEqualTo(longer.field("Repr-Digest"));
        }
        Emitted part = get("/small.json", "Accept-Encoding: gzip", "Range: bytes=0-1");
        assertThat(part.text()).isEqualTo("gz");
        assertThat(part.field("Repr-Digest")).isEqualTo(digest("sha-256", "gzipped"));
    }

    @Test
    void digestOfAFormBesideALargeFileIsOfThatForm() throws Exception {
        write("large.txt", LARGE);
        write("large.txt.gz", "coded " + LARGE);
        serve();
        Emitted coded = get("/large.txt", "Accept-Encoding: gzip", REPR, "Range: bytes=0-4");
        assertThat(coded.text()).isEqualTo("coded");
        assertThat(coded.field("Repr-Digest")).isEqualTo(digest("sha-256", "coded " + LARGE));
        assertThat(get("/large.txt", REPR).field("Repr-Digest")).isEqualTo(digest("sha-256", LARGE));
    }

    // §4

    @Test
    void algorithmIsTheOneThatIsLikedBest() throws Exception {
        serve();
        for (String target : List.of("/small.json", "/large.bin")) {
            String content = target.equals("/small.json") ? SMALL : LARGE;
            assertThat(get(target, "Want-Repr-Digest: sha-256=3, sha-512=7, md5=10").field("Repr-Digest"))
                    .isEqualTo(digest("sha-512", content));
            Emitted both = get(target, "Want-Repr-Digest: sha-512=1", CONTENT);
            assertThat(both.field("Repr-Digest")).isEqualTo(digest("sha-512", content));
            assertThat(both.field("Content-Digest")).isEqualTo(digest("sha-256", content));
            assertThat(both.names()).containsOnlyOnce("Repr-Digest");
        }
    }

    @Test
    void fieldThatSaysNothingChangesNothing() throws Exception {
        serve();
        for (String want : List.of("sha-256=11", "sha-256", "sha-256=1,", "md5=5", "")) {
            assertThat(get("/small.json", "Want-Repr-Digest: " + want).field("Repr-Digest")).as(want)
                    .isEqualTo(digest("sha-256", SMALL));
            Emitted large = get("/large.bin", "Want-Repr-Digest: " + want, "Want-Content-Digest: " + want);
            assertThat(large.status()).isEqualTo(200);
            assertThat(large.names()).as(want).doesNotContain("Repr-Digest", "Content-Digest");
        }
        assertThat(count(CacheResult.MISS)).isZero();
    }

    @Test
    void whatIsNotAcceptableIsNotSent() throws Exception {
        serve();
        assertThat(get("/small.json", "Want-Repr-Digest: sha-256=0").names()).doesNotContain("Repr-Digest");
        assertThat(get("/small.json", "Want-Repr-Digest: sha-256=0, sha-512=1").field("Repr-Digest"))
                .isEqualTo(digest("sha-512", SMALL));
    }

    /// RFC 9110 §12.5.5: the fields do not take part in selecting the representation.
    @Test
    void wantedDigestsDoNotMakeAnswersVary() throws Exception {
        serve();
        assertThat(get("/large.bin", REPR).field("Vary")).isEqualTo(get("/large.bin").field("Vary"))
                .isEqualTo("Accept-Encoding");
    }

    // RFC 9110 §15.4.5, §15.5.13, §15.5.17: what is not of the representation costs no hashing

    @Test
    void answerWithoutTheRepresentationHasNoDigestAndCostsNone() throws Exception {
        serve();
        block(COMPUTE_THREADS + COMPUTE_QUEUE);
        for (String target : List.of("/small.json", "/large.bin")) {
            Emitted current = get(target, REPR, CONTENT, "If-None-Match: *");
            assertThat(current.status()).isEqualTo(304);
            assertThat(current.names()).doesNotContain("Repr-Digest", "Content-Digest");
            assertThat(get(target, REPR, CONTENT, "If-Match: \"x\"").status()).isEqualTo(412);
            Emitted unsatisfied = get(target, REPR, CONTENT, "Range: bytes=999999-");
            assertThat(unsatisfied.status()).isEqualTo(416);
            assertThat(unsatisfied.names()).doesNotContain("Repr-Digest", "Content-Digest");
        }
        assertThat(count(CacheResult.MISS)).isZero();
    }

    @Test
    void listingsRedirectsAndErrorPagesHaveNone() throws Exception {
        Files.createDirectory(root.resolve("dir"));
        write("404.html", "not here");
        serve(new StaticFilesFixture(root).digests().listing().errorPages(Map.of(404, "404.html")));
        assertThat(get("/dir/", REPR, CONTENT).names()).doesNotContain("Repr-Digest", "Content-Digest");
        assertThat(get("/dir", REPR, CONTENT).names()).doesNotContain("Repr-Digest", "Content-Digest");
        Emitted missing = get("/missing", REPR, CONTENT);
        assertThat(missing.text()).isEqualTo("not here");
        assertThat(missing.names()).doesNotContain("Repr-Digest", "Content-Digest");
    }

    // The lane

    @Test
    void wantedDigestIsRefusedRatherThanLeftOut() throws Exception {
        serve();
        block(COMPUTE_THREADS + COMPUTE_QUEUE);
        for (String[] want : new String[][]{{REPR}, {CONTENT}, {CONTENT, "Range: bytes=0-4"},
                {CONTENT, "Range: bytes=0-4,9-11"}}) {
            TestExchange refused = send("GET", "/large.bin", want);
            assertThat(refused.answer().status()).isEqualTo(503);
            assertThat(refused.answer().field("Retry-After")).isEqualTo("1");
            assertThat(refused.answer().field("Servery-Reason")).isEqualTo("expensive_work_capacity");
            assertThat(refused.refusal()).isEqualTo(Refusal.EXPENSIVE_WORK_FULL);
        }
        assertThat(count(CacheResult.REJECTED)).isEqualTo(4);
        assertThat(send("HEAD", "/large.bin", REPR).answer().status()).isEqualTo(503);
        assertThat(get("/small.json", "Want-Repr-Digest: sha-512=1").status()).isEqualTo(503);
        assertThat(get("/small.json", REPR, CONTENT).field("Content-Digest")).isEqualTo(digest("sha-256", SMALL));
        assertThat(get("/large.bin").text()).isEqualTo(LARGE);
    }

    @Test
    void digestThatIsKeptNeedsNoLane() throws Exception {
        serve();
        assertThat(get("/large.bin", REPR).status()).isEqualTo(200);
        block(COMPUTE_THREADS + COMPUTE_QUEUE);
        Emitted answer = get("/large.bin", REPR, CONTENT);
        assertThat(answer.field("Repr-Digest")).isEqualTo(digest("sha-256", LARGE));
        assertThat(answer.field("Content-Digest")).isEqualTo(digest("sha-256", LARGE));
    }

    @Test
    void requestsForOneDigestTakeOnePlaceOfTheLane() throws Exception {
        serve();
        block(1);
        List<TestExchange> asking = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            asking.add(send(i % 2 == 0 ? "GET" : "HEAD", "/large.bin", i % 3 == 0 ? CONTENT : REPR, REPR));
        }
        await().until(() -> count(CacheResult.MISS) == 50);
        assertThat(compute.snapshot().queued()).isEqualTo(1);
        gate.countDown();
        for (TestExchange exchange : asking) {
            assertThat(exchange.answer().field("Repr-Digest")).isEqualTo(digest("sha-256", LARGE));
        }
        assertThat(metrics.snapshot().cacheBytes(CacheName.DIGEST)).isEqualTo(Digests.ENTRY_BYTES);
    }

    @Test
    void whoIsOneTooManyForADigestIsRefusedAtOnce() throws Exception {
        serve();
        block(1);
        List<TestExchange> asking = new ArrayList<>();
        for (int i = 0; i < 1 + Digests.FOLLOWERS_MAX; i++) {
            asking.add(send("GET", "/large.bin", REPR));
        }
        await().until(() -> count(CacheResult.MISS) == asking.size());
        for (int i = 0; i < 10; i++) {
            TestExchange beyond = send("GET", "/large.bin", REPR);
            assertThat(beyond.answer().status()).isEqualTo(503);
            assertThat(beyond.refusal()).isEqualTo(Refusal.EXPENSIVE_WORK_FULL);
        }
        assertThat(count(CacheResult.REJECTED)).isEqualTo(10);
        assertThat(asking).noneMatch(TestExchange::answered);
        gate.countDown();
        for (TestExchange exchange : asking) {
            assertThat(exchange.answer().field("Repr-Digest")).isEqualTo(digest("sha-256", LARGE));
        }
    }

    @Test
    void fileThatChangedMeanwhileGetsNoDigest() throws Exception {
        serve();
        for (String want : List.of(REPR, CONTENT)) {
            CountDownLatch held = new CountDownLatch(1);
            assertThat(compute.offer(new GatedWork(held))).isTrue();
            TestExchange waiting = send("GET", "/large.bin", want, "Range: bytes=0-4");
            await().until(() -> compute.snapshot().queued() == 1);
            Files.writeString(root.resolve("large.bin"), LARGE.replace("large", "other") + want);
            held.countDown();
            assertThat(waiting.answer().status()).isEqualTo(503);
            assertThat(waiting.refusal()).isEqualTo(Refusal.FILE_CHANGED);
            write("large.bin", LARGE);
        }
        assertThat(metrics.snapshot().cacheBytes(CacheName.DIGEST)).isZero();
        assertThat(get("/large.bin", REPR).field("Repr-Digest")).isEqualTo(digest("sha-256", LARGE));
    }

    @Test
    void changedFileHasAnotherDigest() throws Exception {
        serve();
        assertThat(get("/large.bin", REPR).field("Repr-Digest")).isEqualTo(digest("sha-256", LARGE));
        assertThat(get("/small.json").field("Repr-Digest")).isEqualTo(digest("sha-256", SMALL));
        String larger = LARGE.replace("large", "other");
        String smaller = SMALL.replace("world", "there");
        write("large.bin", larger);
        write("small.json", smaller);
        time.advance(Duration.ofSeconds(5));
        assertThat(get("/large.bin", REPR).field("Repr-Digest")).isEqualTo(digest("sha-256", larger));
        assertThat(get("/small.json").field("Repr-Digest")).isEqualTo(digest("sha-256", smaller));
    }

    @Test
    void digestOfAFileThatHasJustChangedIsNotKept() throws Exception {
        serve();
        write("new.bin", LARGE);
        time.advance(Duration.ofSeconds(-5));
        assertThat(get("/new.bin", REPR).field("Repr-Digest")).isEqualTo(digest("sha-256", LARGE));
        assertThat(metrics.snapshot().cacheBytes(CacheName.DIGEST)).isZero();
    }

    @Test
    void workOfACancelledRequestKeepsItsPlaceAndItsResult() throws Exception {
        serve();
        block(1);
        TestExchange gone = send("GET", "/large.bin", REPR);
        await().until(() -> compute.snapshot().queued() == 1);
        gone.cancel();
        gate.countDown();
        await().until(() -> compute.snapshot().active() == 0);
        assertThat(get("/large.bin", REPR).field("Repr-Digest")).isEqualTo(digest("sha-256", LARGE));
        assertThat(count(CacheResult.HIT)).isEqualTo(1);
        assertThat(gone.answered()).isFalse();
    }

    @Test
    void waitingRequestsAreRefusedWhenTheLaneCloses() throws Exception {
        serve();
        block(1);
        TestExchange whole = send("GET", "/large.bin", REPR);
        TestExchange part = send("GET", "/large.bin", CONTENT, "Range: bytes=0-4");
        await().until(() -> compute.snapshot().queued() == 2);
        compute.close();
        assertThat(whole.answer().status()).isEqualTo(503);
        assertThat(whole.refusal()).isEqualTo(Refusal.DRAINING);
        assertThat(part.answer().status()).isEqualTo(503);
    }

    // The cache

    @Test
    void cacheStaysWithinItsBytes() throws Exception {
        serve();
        long digestsMax = Digests.CACHE_BYTES_MAX / Digests.ENTRY_BYTES;
        FileIdentity.Time then = new FileIdentity.Time(1, 0);
        for (int i = 0; i < digestsMax + 10; i++) {
            Digests.Key key = new Digests.Key(new FileIdentity(1, i, 1, then, then), new EntityTag("t", false),
                    DigestAlgorithm.SHA_256);
            CountDownLatch told = new CountDownLatch(1);
            assertThat(site.digests().join(key,
                    new Digests.Content(List.of(new BodySource.Part.Chunk(new byte[]{(byte) i})), true),
                    _ -> told.countDown())).isTrue();
            assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(metrics.snapshot().cacheBytes(CacheName.DIGEST)).isEqualTo(Digests.CACHE_BYTES_MAX);
        assertThat(count(CacheResult.EVICTED)).isEqualTo(10);
    }
}

package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.Zstd;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.servery.core.config.StaticFiles;
import io.servery.core.metric.CacheName;
import io.servery.core.metric.CacheResult;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricShard;
import io.servery.netty.files.open.Descriptors;
import io.servery.netty.files.open.FaultyCalls;
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
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Forms of more than one part of an answer: the same bytes and fields wherever they are, counted until the last reader is
/// done, and gone then.
class LongFormsTest {
    private static final int EPERM = 1;
    private static final int PLAIN_BYTES = 200_000;
    /// What a form of these files takes at least and at most: they halve, about.
    private static final long FORM_BYTES_MIN = BytesInParts.PART_BYTES;
    private static final long FORM_BYTES_MAX = PLAIN_BYTES;
    private static final long PLENTY = 256L << 20;

    @TempDir
    Path temporary;

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final DefaultEventExecutor otherLoop = new DefaultEventExecutor();
    private final MetricRegistry metrics = new MetricRegistry(MetricScope.http1Files());
    private final MetricShard loopShard = metrics.loopShard();
    private final FakeTime time = new FakeTime();
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private final Lane lane = new Lane("filesystem", new Lane.Bounds(2, 1024), Lane.QueueObserver.NONE, bugs::add);
    private final Lane compute = new Lane("compute", new Lane.Bounds(2, 1024, PLENTY), Lane.QueueObserver.NONE,
            bugs::add);
    private final FaultyCalls calls = new FaultyCalls();
    private final List<HeldExchange> held = new CopyOnWriteArrayList<>();

    private Path root;
    private FileSite.FormLimits limits = new FileSite.FormLimits(1 << 20, PLENTY, PLENTY);
    private boolean digests;
    private FileSite site;
    private FilesHandler handler;
    private FilesHandler otherHandler;

    @BeforeEach
    void makeRoot() throws IOException {
        root = Files.createDirectory(temporary.toRealPath().resolve("root"));
        time.advance(Duration.ofSeconds(5));
    }

    /// Whatever happened: no form, no descriptor and no file is left when everything has ended.
    @AfterEach
    void closeAndFindNothingLeft() throws Exception {
        held.forEach(HeldExchange::end);
        compute.close();
        lane.close();
        assertThat(compute.awaitEnd(Duration.ofSeconds(10)) && lane.awaitEnd(Duration.ofSeconds(10))).isTrue();
        for (DefaultEventExecutor each : List.of(loop, otherLoop)) {
            if (!each.isShutdown()) {
                each.submit(() -> {
                }).get(10, TimeUnit.SECONDS);
            }
        }
        held.forEach(HeldExchange::end);
        site.close();
        assertThat(room().bytes()).isZero();
        assertThat(room().heapBytes()).isZero();
        assertThat(room().descriptors()).isZero();
        assertThat(Descriptors.ofForms()).isEmpty();
        assertThat(Descriptors.beneath(temporary.toRealPath())).isEmpty();
        assertThat(metrics.snapshot().cacheBytes(CacheName.COMPRESSION)).isZero();
        assertThat(bugs).isEmpty();
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        var _ = otherLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    private FormRoom room() {
        return site.compressions().room();
    }

    private String write(int number) throws IOException {
        String text = text(number);
        Path file = root.resolve(number + ".txt");
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_600_000_000)));
        return text;
    }

    private static String target(int number) {
        return "/" + number + ".txt";
    }

    private static String text(int number) {
        Random random = new Random(number);
        StringBuilder text = new StringBuilder(PLAIN_BYTES + 8);
        while (text.length() < PLAIN_BYTES) {
            text.append(Integer.toString(random.nextInt(1 << 20), 36)).append(' ');
        }
        return text.substring(0, PLAIN_BYTES);
    }

    private void serve() throws IOException {
        StaticFilesFixture fixture = new StaticFilesFixture(root).compress();
        StaticFiles built = (digests ? fixture.digests() : fixture).build();
        FileTree tree = new FileTree("/", Roots.open(root, built.symlinks(), new FaultyCalls()), new FilePolicy(built));
        site = new FileSite(List.of(tree), new FileSite.Limits(1024, 64 * 1024, limits),
                new FileSite.Lanes(lane, compute), Roots.anonymous(calls), metrics.sharedShard(), time);
        handler = new FilesHandler(site, loopShard);
        otherHandler = new FilesHandler(site, loopShard);
    }

    private Emitted get(int number, String... fields) throws Exception {
        TestExchange exchange = new TestExchange(loop, TestRequest.head("GET", target(number), fields));
        loop.execute(() -> handler.handle(exchange));
        return exchange.answer();
    }

    private HeldExchange getSlowly(int number, String... fields) {
        HeldExchange exchange = new HeldExchange(loop, target(number), fields);
        held.add(exchange);
        loop.execute(() -> handler.handle(exchange));
        return exchange;
    }

    private static String decoded(Emitted answer) {
        assertThat(answer.field("Content-Encoding")).isEqualTo("zstd");
        assertThat(answer.complete()).isTrue();
        assertThat(answer.head().contentLength()).isEqualTo(answer.content().length);
        return new String(Zstd.decompress(answer.content(), 1 << 20), StandardCharsets.UTF_8);
    }

    private long count(CacheResult result) {
        return metrics.snapshot().cacheOperations(CacheName.COMPRESSION, result);
    }

    private void refuse(String call) {
        if (!call.isEmpty()) {
            calls.fail(call, EPERM);
        }
    }

    /// The first is made, the second found.
    @ParameterizedTest
    @ValueSource(strings = {"", "memfd", "write", "seal"})
    void formIsTheFileWhereverItIs(String refused) throws Exception {
        refuse(refused);
        String text = write(1);
        serve();
        Emitted made = get(1, "Accept-Encoding: zstd");
        Emitted found = get(1, "Accept-Encoding: zstd");
        assertThat(decoded(made)).isEqualTo(text);
        assertThat(decoded(found)).isEqualTo(text);
        assertThat(found.head().http1()).isEqualTo(made.head().http1());
        assertThat(count(CacheResult.HIT)).isEqualTo(1);
        assertThat(Descriptors.ofForms()).hasSize(refused.isEmpty() ? 1 : 0);
        assertThat(room().descriptors()).isEqualTo(refused.isEmpty() ? 1 : 0);
        assertThat(room().heapBytes() > 0).isEqualTo(!refused.isEmpty());
        assertThat(room().bytes()).isEqualTo(metrics.snapshot().cacheBytes(CacheName.COMPRESSION))
                .isBetween(FORM_BYTES_MIN, FORM_BYTES_MAX);
    }

    // RFC 9110 §9.3.2, §13.1.2, §13.1.5, §15.4.5

    @ParameterizedTest
    @CsvSource({"''", "memfd"})
    void headConditionsAndRangesAreThoseOfAnyForm(String refused) throws Exception {
        refuse(refused);
        String text = write(1);
        serve();
        Emitted whole = get(1, "Accept-Encoding: zstd");
        String plain = get(1).field("ETag");
        String tag = whole.field("ETag");
        assertThat(tag).startsWith(plain.substring(0, plain.length() - 1) + "-zstd");
        assertThat(whole.names()).doesNotContain("Accept-Ranges");
        TestExchange head = new TestExchange(loop, TestRequest.head("HEAD", "/1.txt", "Accept-Encoding: zstd"));
        loop.execute(() -> handler.handle(head));
        assertThat(head.answer().head().http1()).isEqualTo(whole.head().http1());
        assertThat(head.answer().content()).isEmpty();
        Emitted current = get(1, "Accept-Encoding: zstd", "If-None-Match: " + tag);
        assertThat(current.status()).isEqualTo(304);
        assertThat(current.field("ETag")).isEqualTo(tag);
        assertThat(get(1, "Accept-Encoding: zstd", "If-Match: " + plain).status()).isEqualTo(412);
        Emitted ranged = get(1, "Accept-Encoding: zstd", "Range: bytes=0-9", "If-Range: " + tag);
        assertThat(ranged.status()).isEqualTo(200);
        assertThat(ranged.text()).isEqualTo(text);
        assertThat(get(1, "Accept-Encoding: zstd", "Range: bytes=0-9", "If-Range: " + plain).text())
                .isEqualTo(text.substring(0, 10));
    }

    // RFC 9530 §3: the digests are of the coded bytes

    @ParameterizedTest
    @CsvSource({"''", "memfd"})
    void digestsAreOfTheForm(String refused) throws Exception {
        refuse(refused);
        digests = true;
        write(1);
        serve();
        Emitted unasked = get(1, "Accept-Encoding: zstd");
        String sha256 = digest("SHA-256", unasked.content());
        assertThat(unasked.field("Repr-Digest")).isEqualTo("sha-256=:" + sha256 + ":");
        Emitted asked = get(1, "Accept-Encoding: zstd", "Want-Repr-Digest: sha-512=1",
                "Want-Content-Digest: sha-512=1");
        assertThat(asked.content()).isEqualTo(unasked.content());
        String sha512 = "sha-512=:" + digest("SHA-512", asked.content()) + ":";
        assertThat(asked.field("Repr-Digest")).isEqualTo(sha512);
        assertThat(asked.field("Content-Digest")).isEqualTo(sha512);
    }

    private static String digest(String algorithm, byte[] content) throws Exception {
        return Base64.getEncoder().encodeToString(MessageDigest.getInstance(algorithm).digest(content));
    }

    @ParameterizedTest
    @CsvSource({"''", "memfd"})
    void formThatWasLetGoOfIsWholeForItsReadersAndGoneWithTheLast(String refused) throws Exception {
        refuse(refused);
        String text = write(1);
        serve();
        HeldExchange first = getSlowly(1, "Accept-Encoding: zstd");
        assertThat(first.coded()).isTrue();
        HeldExchange second = getSlowly(1, "Accept-Encoding: zstd");
        assertThat(second.coded()).isTrue();
        // The work that made it holds it until it has told everybody.
        await().until(() -> compute.snapshot().active() == 0);
        site.compressions().clear();
        long one = room().bytes();
        assertThat(one).isBetween(FORM_BYTES_MIN, FORM_BYTES_MAX);
        assertThat(decoded(first.read())).isEqualTo(text);
        assertThat(room().bytes()).as("the second reads on").isEqualTo(one);
        assertThat(decoded(second.read())).isEqualTo(text);
        assertThat(room().bytes()).isZero();
        assertThat(Descriptors.ofForms()).isEmpty();
    }

    @Test
    void evictedFormIsGoneWhenNobodyReadsIt() throws Exception {
        limits = new FileSite.FormLimits(300_000, PLENTY, PLENTY);
        for (int i = 0; i < 10; i++) {
            write(i);
        }
        serve();
        for (int i = 0; i < 10; i++) {
            assertThat(decoded(get(i, "Accept-Encoding: zstd"))).isEqualTo(text(i));
            assertThat(room().bytes()).isEqualTo(metrics.snapshot().cacheBytes(CacheName.COMPRESSION))
                    .isBetween(1L, limits.cacheBytes());
        }
        assertThat(count(CacheResult.EVICTED)).isPositive();
        assertThat(Descriptors.ofForms()).hasSize((int) room().descriptors()).hasSizeLessThan(4);
    }

    /// A hundred peers that read nothing, each of another form, take no more than there is; others get plain content. When
    /// they are gone, everything is there again.
    @ParameterizedTest
    @CsvSource({"'',1000000,1000000", "'',1000000,0", "memfd,1000000,1000000", "memfd,100000000,1000000"})
    void slowReadersTakeNoMoreThanThereIs(String refused, long bytesMax, long heapBytesMax) throws Exception {
        refuse(refused);
        limits = new FileSite.FormLimits(0, bytesMax, heapBytesMax);
        List<HeldExchange> readers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            write(i);
        }
        serve();
        for (int i = 0; i < 100; i++) {
            readers.add(getSlowly(i, "Accept-Encoding: zstd"));
        }
        int coded = 0;
        for (HeldExchange reader : readers) {
            coded += reader.coded() ? 1 : 0;
        }
        await().until(() -> compute.snapshot().active() == 0);
        assertThat(coded).isBetween((int) (1_000_000 / FORM_BYTES_MAX), (int) (1_000_000 / FORM_BYTES_MIN));
        assertThat(room().bytes()).isBetween(coded * FORM_BYTES_MIN, 1_000_000L);
        assertThat(count(CacheResult.REJECTED)).as("plain for want of room, or not kept").isGreaterThanOrEqualTo(
                100 - coded);
        for (int i = 0; i < 100; i++) {
            Emitted answer = readers.get(i).coded() ? null : readers.get(i).read();
            if (answer != null) {
                assertThat(answer.text()).isEqualTo(text(i));
                assertThat(answer.field("Vary")).isEqualTo("Accept-Encoding");
            }
        }
        readers.forEach(HeldExchange::end);
        await().until(() -> room().bytes() == 0);
        assertThat(decoded(get(1, "Accept-Encoding: zstd"))).isEqualTo(text(1));
    }

    @Test
    void beyondTheDescriptorsFormsAreOnTheHeap() throws Exception {
        limits = new FileSite.FormLimits(0, PLENTY, PLENTY);
        int count = FormRoom.DESCRIPTORS_MAX + 8;
        for (int i = 0; i < count; i++) {
            write(i);
        }
        serve();
        List<HeldExchange> readers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            readers.add(getSlowly(i, "Accept-Encoding: zstd"));
        }
        for (HeldExchange reader : readers) {
            assertThat(reader.coded()).isTrue();
        }
        assertThat(room().descriptors()).isEqualTo(FormRoom.DESCRIPTORS_MAX);
        assertThat(Descriptors.ofForms()).hasSize(FormRoom.DESCRIPTORS_MAX);
        assertThat(room().heapBytes()).isBetween(8 * FORM_BYTES_MIN, 8 * FORM_BYTES_MAX);
        for (int i = count - 9; i < count; i++) {
            assertThat(decoded(readers.get(i).read())).isEqualTo(text(i));
        }
        readers.getFirst().end();
        assertThat(decoded(get(count - 1, "Accept-Encoding: zstd"))).isEqualTo(text(count - 1));
    }

    @Test
    void beyondBothNobodyWaitsForTheLane() throws Exception {
        limits = new FileSite.FormLimits(0, PLENTY, 0);
        int count = FormRoom.DESCRIPTORS_MAX + 4;
        for (int i = 0; i < count; i++) {
            write(i);
        }
        serve();
        List<HeldExchange> readers = new ArrayList<>();
        for (int i = 0; i < FormRoom.DESCRIPTORS_MAX; i++) {
            readers.add(getSlowly(i, "Accept-Encoding: zstd"));
        }
        for (HeldExchange reader : readers) {
            assertThat(reader.coded()).isTrue();
        }
        await().until(() -> compute.snapshot().active() == 0);
        long rejected = count(CacheResult.REJECTED);
        for (int i = FormRoom.DESCRIPTORS_MAX; i < count; i++) {
            assertThat(get(i, "Accept-Encoding: zstd").text()).isEqualTo(text(i));
        }
        assertThat(count(CacheResult.REJECTED)).isEqualTo(rejected + 4);
        assertThat(room().descriptors()).isEqualTo(FormRoom.DESCRIPTORS_MAX);
    }

    @Test
    void formOfAFileThatHasJustChangedIsGoneWithItsReaders() throws Exception {
        write(1);
        Files.setLastModifiedTime(root.resolve("1.txt"), FileTime.from(Instant.now()));
        serve();
        time.advance(Duration.ofSeconds(-5));
        assertThat(decoded(get(1, "Accept-Encoding: zstd"))).isEqualTo(text(1));
        await().until(() -> room().bytes() == 0);
        assertThat(Descriptors.ofForms()).isEmpty();
    }

    private CountDownLatch blockLane() {
        CountDownLatch gate = new CountDownLatch(1);
        for (int i = 0; i < 2; i++) {
            assertThat(compute.offer(new GatedWork(gate))).isTrue();
        }
        return gate;
    }

    @Test
    void requestsThatWereCancelledWhileTheyWaitedHoldNothing() throws Exception {
        limits = new FileSite.FormLimits(0, PLENTY, PLENTY);
        write(1);
        serve();
        CountDownLatch gate = blockLane();
        List<HeldExchange> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(getSlowly(1, "Accept-Encoding: zstd"));
        }
        await().until(() -> count(CacheResult.MISS) == 20);
        waiting.subList(0, 19).forEach(TestExchange::cancel);
        gate.countDown();
        assertThat(waiting.getLast().coded()).isTrue();
        waiting.getLast().end();
        await().until(() -> room().bytes() == 0);
        assertThat(Descriptors.ofForms()).isEmpty();
        assertThat(waiting.subList(0, 19)).noneMatch(HeldExchange::answered);
    }

    @Test
    void loopThatIsGoneLeavesNoForm() throws Exception {
        limits = new FileSite.FormLimits(0, PLENTY, PLENTY);
        write(1);
        serve();
        CountDownLatch gate = blockLane();
        HeldExchange gone = new HeldExchange(otherLoop, target(1), "Accept-Encoding: zstd");
        otherLoop.execute(() -> otherHandler.handle(gone));
        await().until(() -> count(CacheResult.MISS) == 1);
        assertThat(otherLoop.shutdownGracefully(0, 0, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS)).isTrue();
        gate.countDown();
        await().until(() -> compute.snapshot().active() == 0);
        assertThat(room().bytes()).isZero();
        assertThat(Descriptors.ofForms()).isEmpty();
        assertThat(gone.answered()).isFalse();
    }

    /// Two event loops and two threads of the lane, peers that read at once, later or not at all, and a cache that is always
    /// too small.
    @ParameterizedTest
    @CsvSource({"300000,100000000,100000000", "200000,700000,300000", "0,400000,0"})
    void manyReadersAtOnceGetWholeContentAndLeaveNothing(long kept, long bytesMax, long heapBytesMax) throws Exception {
        limits = new FileSite.FormLimits(kept, bytesMax, heapBytesMax);
        for (int i = 0; i < 8; i++) {
            write(i);
        }
        serve();
        List<HeldExchange> readers = new ArrayList<>();
        Random random = new Random(5);
        for (int i = 0; i < 600; i++) {
            DefaultEventExecutor its = i % 2 == 0 ? loop : otherLoop;
            FilesHandler handles = i % 2 == 0 ? handler : otherHandler;
            int number = random.nextInt(8);
            HeldExchange exchange = new HeldExchange(its, target(number), "Accept-Encoding: zstd");
            held.add(exchange);
            its.execute(() -> handles.handle(exchange));
            readers.add(exchange);
            if (readers.size() == 12) {
                HeldExchange oldest = readers.remove(random.nextInt(readers.size()));
                if (random.nextInt(10) == 0) {
                    oldest.cancel();
                } else if (random.nextInt(4) == 0) {
                    oldest.given();
                    oldest.end();
                } else {
                    Emitted answer = oldest.read();
                    String text = answer.names().contains("Content-Encoding") ? decoded(answer) : answer.text();
                    assertThat(text).hasSize(PLAIN_BYTES)
                            .isEqualTo(text(Integer.parseInt(oldest.path().decoded().replaceAll("\\D", ""))));
                }
            }
            assertThat(room().bytes()).isLessThanOrEqualTo(bytesMax);
            assertThat(room().heapBytes()).isLessThanOrEqualTo(heapBytesMax);
        }
    }
}

package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import io.servery.http.semantics.AcceptEncoding;
import io.servery.http.exchange.AcquiredFile;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.servery.core.config.Mount;
import io.servery.core.config.StaticFiles;
import io.servery.core.metric.CacheName;
import io.servery.core.metric.CacheResult;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.WorkClass;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RequestHead;
import io.servery.http.exchange.ResponsePlan;
import io.servery.netty.files.open.Descriptors;
import io.servery.netty.files.open.FaultyCalls;
import io.servery.netty.files.open.Roots;
import io.servery.netty.lane.Lane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests for files from end to end, without a socket: a handler on its event loop, the lane, real files.
/// Long because one fixture serves them all.
class FilesHandlerTest {
    private static final int ERRNO_EACCES = 13;
    private static final int ERRNO_EMFILE = 24;
    private static final int ERRNO_EIO = 5;
    private static final String CHROME = "Accept: text/html,application/xhtml+xml,*/*;q=0.8";

    @TempDir
    Path temporary;

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final MetricRegistry metrics = new MetricRegistry(MetricScope.http1Files());
    private final FakeTime time = new FakeTime();
    private final FaultyCalls calls = new FaultyCalls();
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private final Map<String, StaticFiles> trees = new LinkedHashMap<>();
    private final Lane lane = new Lane("filesystem", new Lane.Bounds(2, 8), Lane.QueueObserver.NONE, bugs::add);

    private Path root;
    private FileSite.Limits limits = new FileSite.Limits(1024, 64 * 1024, StaticFilesFixture.forms(0));
    private FileSite site;
    private FilesHandler handler;

    @BeforeEach
    void makeSite() throws IOException {
        temporary = temporary.toRealPath();
        root = Files.createDirectory(temporary.resolve("root"));
        write("index.html", "home");
        write("style.css", "body{}");
        write("large.bin", "L".repeat(5000));
        write("docs/index.html", "docs");
        write("empty/.keep", "");
    }

    @AfterEach
    void closeAndFindNoDescriptorLeft() throws Exception {
        lane.close();
        assertThat(lane.awaitEnd(Duration.ofSeconds(10))).isTrue();
        if (!loop.isShuttingDown()) {
            loop.submit(() -> {
            }).get(10, TimeUnit.SECONDS);
        }
        if (site != null) {
            site.close();
        }
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        assertThat(Descriptors.beneath(temporary)).isEmpty();
        assertThat(bugs).isEmpty();
    }

    private void write(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        // Long settled, unless a test says otherwise.
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_600_000_000)));
    }

    private StaticFilesFixture files() {
        return new StaticFilesFixture(root);
    }

    private void serve(StaticFilesFixture files) throws IOException {
        trees.put("/", files.build());
        serve();
    }

    private void serve() throws IOException {
        List<FileTree> opened = new ArrayList<>();
        for (Map.Entry<String, StaticFiles> tree : trees.entrySet()) {
            opened.add(
                    new FileTree(tree.getKey(), Roots.open(tree.getValue().root(), tree.getValue().symlinks(), calls),
                            new FilePolicy(tree.getValue())));
        }
        site = new FileSite(opened, limits, new FileSite.Lanes(lane, lane), metrics.sharedShard(), time);
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

    private Refusal refusal(String method, String target, String... fields) throws Exception {
        TestExchange exchange = send(method, target, fields);
        Emitted answer = exchange.answer();
        assertThat(exchange.refusal()).as("%s %s: %d %s", method, target, answer.status(), answer.text()).isNotNull();
        assertThat(answer.status()).isEqualTo(exchange.refusal().status());
        return exchange.refusal();
    }

    private long count(CacheResult result) {
        return metrics.snapshot().cacheOperations(CacheName.FILE, result);
    }

    // Files and directories

    @Test
    void smallAndLargeFilesAreAnsweredWithTheirBytes() throws Exception {
        serve(files());
        TestExchange small = send("GET", "/style.css");
        assertThat(small.answer().text()).isEqualTo("body{}");
        assertThat(small.workClass()).isEqualTo(WorkClass.STATIC_SMALL);
        TestExchange large = send("GET", "/large.bin?version=2");
        assertThat(large.answer().text()).isEqualTo("L".repeat(5000));
        assertThat(large.plan()).isInstanceOf(ResponsePlan.FileRange.class);
        assertThat(large.workClass()).isEqualTo(WorkClass.STATIC_STREAM);
        assertThat(get("/large.bin", "Range: bytes=4998-").text()).isEqualTo("LL");
    }

    @Test
    void headOfASmallAndALargeFileHasItsLengthAndNoBytes() throws Exception {
        serve(files());
        for (String target : List.of("/style.css", "/style.css", "/large.bin")) {
            Emitted answer = send("HEAD", target).answer();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.content()).isEmpty();
            assertThat(answer.head().contentLength()).isEqualTo(Files.size(root.resolve(target.substring(1))));
        }
    }

    @Test
    void directoryIsAnsweredWithTheFirstIndexThatIsThere() throws Exception {
        write("both/index.htm", "second");
        write("both/index.html", "first");
        write("second/index.htm", "second");
        serve(files().index("index.html", "index.htm"));
        assertThat(get("/").text()).isEqualTo("home");
        assertThat(get("/both/").text()).isEqualTo("first");
        assertThat(get("/second/").text()).isEqualTo("second");
        assertThat(get("/second/").field("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(refusal("GET", "/empty/")).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void indexThatIsADirectoryIsPassedOver() throws Exception {
        Files.createDirectories(root.resolve("odd/index.html"));
        serve(files());
        assertThat(refusal("GET", "/odd/")).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void directoryWithoutItsSlashIsRedirectedToItWithTheQuery() throws Exception {
        serve(files());
        Emitted answer = get("/docs?a=1&b=%20c");
        assertThat(answer.status()).isEqualTo(301);
        assertThat(answer.field("Location")).isEqualTo("/docs/?a=1&b=%20c");
        assertThat(get("/docs").field("Location")).isEqualTo("/docs/");
        assertThat(send("HEAD", "/docs").answer().status()).isEqualTo(301);
    }

    @Test
    void redirectNeverNamesAnotherHost() throws Exception {
        Files.createDirectories(root.resolve("evil.example"));
        Files.createDirectories(root.resolve("a b"));
        serve(files());
        assertThat(get("//evil.example").field("Location")).isEqualTo("/evil.example/");
        assertThat(get("/a%20b").field("Location")).isEqualTo("/a%20b/");
    }

    @Test
    void fileNamedAsADirectoryIsNotFound() throws Exception {
        serve(files().listing());
        assertThat(refusal("GET", "/style.css/")).isEqualTo(Refusal.NOT_FOUND);
        assertThat(refusal("GET", "/style.css/x")).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void dotSegmentsAndEmptyOnesAreNormalizedAway() throws Exception {
        serve(files());
        assertThat(get("/./docs//index.html").text()).isEqualTo("docs");
        assertThat(get("/docs/./").text()).isEqualTo("docs");
    }

    // Paths that are refused (threat model: paths)

    @Test
    void encodedSeparatorsAndPathsTooDeepAreBadTargets() throws Exception {
        serve(files());
        for (String target : List.of("/docs%2Findex.html", "/docs%5cindex.html", "/a".repeat(65))) {
            assertThat(refusal("GET", target)).isEqualTo(Refusal.MALFORMED_TARGET);
        }
    }

    @Test
    void hiddenNamesAreNotFoundButForWellKnown() throws Exception {
        write(".env", "SECRET=1");
        write(".git/config", "x");
        write(".well-known/security.txt", "Contact: us");
        write("docs/.well-known/x.txt", "no");
        serve(files().listing());
        for (String target : List.of("/.env", "/.git/config", "/.git/", "/docs/.well-known/x.txt", "/%2eenv")) {
            assertThat(refusal("GET", target)).isEqualTo(Refusal.NOT_FOUND);
        }
        assertThat(get("/.well-known/security.txt").text()).isEqualTo("Contact: us");
        assertThat(get("/").text()).doesNotContain(".env", ".git");
    }

    @Test
    void hiddenNamesAreServedWhenTheyAreShown() throws Exception {
        write(".config/.x", "shown");
        serve(files().showHidden().listing().index());
        assertThat(get("/.config/.x").text()).isEqualTo("shown");
        assertThat(get("/").text()).contains(".config/");
    }

    @Test
    void linksThatLeaveAreNotFound() throws Exception {
        Files.writeString(temporary.resolve("secret"), "secret");
        Files.createSymbolicLink(root.resolve("out"), temporary.resolve("secret"));
        serve(files());
        assertThat(refusal("GET", "/out")).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void veryLongNamesAreNotFound() throws Exception {
        serve(files());
        assertThat(refusal("GET", "/" + "x".repeat(300))).isEqualTo(Refusal.NOT_FOUND);
        assertThat(refusal("GET", "/" + "x".repeat(7000))).isEqualTo(Refusal.NOT_FOUND);
    }

    // Methods (RFC 9110 §9)

    @Test
    void optionsNamesTheMethods() throws Exception {
        serve(files());
        Emitted answer = send("OPTIONS", "/style.css").answer();
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.field("Allow")).isEqualTo("GET, HEAD, OPTIONS");
    }

    @Test
    void otherMethodsAreNotAllowedAndToldWhichAre() throws Exception {
        serve(files());
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "QUERY", "TRACE")) {
            TestExchange exchange = send(method, "/style.css");
            assertThat(exchange.answer().status()).isEqualTo(405);
            assertThat(exchange.answer().field("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        }
        assertThat(refusal("BREW", "/style.css")).isEqualTo(Refusal.UNSUPPORTED_METHOD);
    }

    // Conditional requests and ranges (RFC 9110 §13, §14)

    @Test
    void conditionalRequestIsAnsweredTheSameColdAndWarm() throws Exception {
        serve(files());
        String etag = get("/style.css").field("ETag");
        String large = get("/large.bin").field("ETag");
        assertThat(get("/style.css", "If-None-Match: " + etag).status()).isEqualTo(304);
        assertThat(get("/large.bin", "If-None-Match: " + large).status()).isEqualTo(304);
        assertThat(send("HEAD", "/style.css", "If-None-Match: " + etag).answer().status()).isEqualTo(304);
        assertThat(refusal("GET", "/style.css", "If-Match: \"x\"")).isEqualTo(Refusal.PRECONDITION_FAILED);
        assertThat(refusal("GET", "/large.bin", "If-Match: \"x\"")).isEqualTo(Refusal.PRECONDITION_FAILED);
        TestExchange range = send("GET", "/large.bin", "Range: bytes=5000-");
        assertThat(range.answer().status()).isEqualTo(416);
        assertThat(range.answer().field("Content-Range")).isEqualTo("bytes */5000");
    }

    @Test
    void preconditionsOfWhatIsNotThereAreNotLookedAt() throws Exception {
        serve(files());
        assertThat(refusal("GET", "/missing", "If-None-Match: *")).isEqualTo(Refusal.NOT_FOUND);
        assertThat(get("/docs", "If-None-Match: *").status()).isEqualTo(301);
    }

    // Fields

    @Test
    void cachingAndFurtherFieldsAreSent() throws Exception {
        write("assets/app.1a.js", "x");
        serve(files().cacheMaxAge(Duration.ofMinutes(10)).immutable("assets/**").headers(Map.of("X-Site", "ours",
                "referrer-policy", "no-referrer")));
        Emitted page = get("/style.css");
        assertThat(page.field("Cache-Control")).isEqualTo("max-age=600");
        assertThat(page.field("X-Site")).isEqualTo("ours");
        assertThat(page.field("referrer-policy")).isEqualTo("no-referrer");
        assertThat(page.names()).doesNotContain("Referrer-Policy").contains("X-Content-Type-Options");
        assertThat(get("/assets/app.1a.js").field("Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
    }

    @Test
    void securityFieldsCanBeTurnedOff() throws Exception {
        serve(files().withoutSecurityHeaders());
        assertThat(get("/style.css").names()).doesNotContain("X-Content-Type-Options", "Referrer-Policy",
                "Cache-Control");
    }

    // Error pages and single page applications

    @Test
    void errorPageIsSentWithTheStatusOfTheRefusal() throws Exception {
        write("404.html", "<h1>lost</h1>");
        write("errors/405.html", "<h1>no</h1>");
        serve(files().cacheMaxAge(Duration.ofHours(1)).errorPages(Map.of(404, "404.html", 405, "/errors/405.html", 416,
                "missing.html")));
        for (int i = 0; i < 2; i++) {
            Emitted lost = get("/missing");
            assertThat(lost.status()).isEqualTo(404);
            assertThat(lost.text()).isEqualTo("<h1>lost</h1>");
            assertThat(lost.field("Content-Type")).isEqualTo("text/html; charset=utf-8");
            assertThat(lost.field("Servery-Reason")).isEqualTo("not_found");
            assertThat(lost.names()).doesNotContain("ETag", "Last-Modified", "Cache-Control", "Accept-Ranges");
        }
        assertThat(get("/.hidden").text()).isEqualTo("<h1>lost</h1>");
        Emitted head = send("HEAD", "/missing").answer();
        assertThat(head.content()).isEmpty();
        assertThat(head.head().contentLength()).isEqualTo(13);
        Emitted post = send("POST", "/").answer();
        assertThat(post.text()).isEqualTo("<h1>no</h1>");
        assertThat(post.field("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        Emitted range = get("/large.bin", "Range: bytes=9999-");
        assertThat(range.status()).as("its page is missing").isEqualTo(416);
        assertThat(range.text()).contains("416");
    }

    @Test
    void errorPageIsTheTreesOwnThoughAMountHasItsPath() throws Exception {
        Path other = Files.createDirectory(temporary.resolve("other"));
        Files.writeString(other.resolve("404.html"), "mounted");
        write("errors/404.html", "own");
        trees.put("/errors/", new StaticFilesFixture(other).build());
        serve(files().errorPages(Map.of(404, "errors/404.html")));
        for (int i = 0; i < 2; i++) {
            assertThat(get("/missing").text()).isEqualTo("own");
            assertThat(get("/errors/404.html").text()).isEqualTo("mounted");
        }
    }

    @Test
    void largeErrorPageIsSentFromDisk() throws Exception {
        write("404.html", "x".repeat(3000));
        serve(files().errorPages(Map.of(404, "404.html")));
        assertThat(get("/missing").text()).hasSize(3000);
        assertThat(send("HEAD", "/missing").answer().head().contentLength()).isEqualTo(3000);
    }

    @Test
    void singlePageApplicationAnswersNavigationsAlone() throws Exception {
        serve(files().spa());
        Emitted page = get("/orders/17", CHROME);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).isEqualTo("home");
        assertThat(page.field("Vary")).isEqualTo("Accept, Accept-Encoding");
        assertThat(get("/orders/17", CHROME, "If-None-Match: " + page.field("ETag")).status()).isEqualTo(304);
        assertThat(refusal("GET", "/orders/17", "Accept: */*")).isEqualTo(Refusal.NOT_FOUND);
        assertThat(refusal("GET", "/orders/17")).isEqualTo(Refusal.NOT_FOUND);
        assertThat(refusal("GET", "/app.old.js", CHROME)).isEqualTo(Refusal.NOT_FOUND);
        assertThat(refusal("GET", "/.env", CHROME)).isEqualTo(Refusal.NOT_FOUND);
        assertThat(get("/style.css", CHROME).text()).isEqualTo("body{}");
    }

    @Test
    void singlePageApplicationDoesNotFillTheCacheWithItsPaths() throws Exception {
        serve(files().spa());
        for (int i = 0; i < 50; i++) {
            assertThat(get("/path/" + i, CHROME).text()).isEqualTo("home");
        }
        assertThat(site.kept().small().size()).isEqualTo(1);
    }

    // Mounts

    @Test
    void longestMountedPrefixAtASegmentTakesThePath() throws Exception {
        Path assets = Files.createDirectory(temporary.resolve("assets"));
        Files.writeString(assets.resolve("x.txt"), "mounted");
        Files.createDirectories(assets.resolve("sub"));
        Path deep = Files.createDirectory(temporary.resolve("deep"));
        Files.writeString(deep.resolve("x.txt"), "deeper");
        write("static/x.txt", "shadowed");
        write("staticky.txt", "own");
        trees.put("/static/", new StaticFilesFixture(assets).build());
        trees.put("/static/deep/", new StaticFilesFixture(deep).build());
        serve(files());
        assertThat(get("/static/x.txt").text()).isEqualTo("mounted");
        assertThat(get("/static/deep/x.txt").text()).isEqualTo("deeper");
        assertThat(get("/staticky.txt").text()).isEqualTo("own");
        assertThat(get("/static?q").field("Location")).isEqualTo("/static/?q");
        assertThat(get("/static/deep").field("Location")).isEqualTo("/static/deep/");
        assertThat(get("/static/sub").field("Location")).isEqualTo("/static/sub/");
        assertThat(refusal("GET", "/static/style.css")).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void pathOutsideEveryMountIsNotFound() throws Exception {
        trees.put("/static/", files().build());
        serve();
        assertThat(get("/static/style.css").text()).isEqualTo("body{}");
        assertThat(refusal("GET", "/style.css")).isEqualTo(Refusal.NOT_FOUND);
        assertThat(refusal("POST", "/style.css")).isEqualTo(Refusal.METHOD_NOT_ALLOWED);
    }

    @Test
    void rootThatCannotBeOpenedLeavesNoneOpen() {
        List<Mount> mounts = List.of(new Mount("/", files().build()),
                new Mount("/x/", new StaticFilesFixture(temporary.resolve("missing")).build()));
        assertThatThrownBy(
                () -> FileSite.open(mounts, limits, new FileSite.Lanes(lane, lane), metrics.sharedShard(), time))
                .isInstanceOf(
                        IOException.class);
    }

    // The cache

    @Test
    void warmFileIsAnsweredOnTheLoopWithoutTheLane() throws Exception {
        serve(files());
        TestExchange cold = send("GET", "/style.css");
        cold.answer();
        lane.close();
        TestExchange warm = send("GET", "/style.css");
        assertThat(warm.answer().text()).isEqualTo("body{}");
        assertThat(warm.plan()).as("ready, not made anew").isSameAs(cold.plan());
        assertThat(get("/style.css", "Range: bytes=0-3").text()).isEqualTo("body");
        assertThat(send("HEAD", "/style.css").answer().status()).isEqualTo(200);
        assertThat(count(CacheResult.HIT)).isEqualTo(3);
        assertThat(count(CacheResult.MISS)).isEqualTo(1);
    }

    /// RFC 9110 §9.3.2 and §13.1.2: neither sends content, and neither is made anew.
    @Test
    void warmHeadAndNotModifiedAreAnsweredOnTheLoopWithoutTheLane() throws Exception {
        serve(files());
        String condition = "If-None-Match: " + get("/style.css").field("ETag");
        lane.close();
        ResponsePlan head = planOf(200, send("HEAD", "/style.css"));
        assertThat(planOf(200, send("HEAD", "/style.css"))).as("ready, not made anew").isSameAs(head);
        ResponsePlan current = planOf(304, send("GET", "/style.css", condition));
        assertThat(planOf(304, send("GET", "/style.css", condition))).as("ready, not made anew").isSameAs(current);
        assertThat(planOf(304, send("HEAD", "/style.css", condition))).as("that of GET").isSameAs(current);
        assertThat(count(CacheResult.HIT)).isEqualTo(5);
        assertThat(count(CacheResult.MISS)).isEqualTo(1);
    }

    private static ResponsePlan planOf(int status, TestExchange exchange) throws Exception {
        assertThat(exchange.answer().status()).isEqualTo(status);
        assertThat(exchange.answer().content()).isEmpty();
        return exchange.plan();
    }

    /// What is left are the path's and the answer's small records, and those only until they are compiled away.
    @Test
    void warmAnswerAllocatesNextToNothing() throws Exception {
        serve(files());
        get("/style.css");
        SilentExchange exchange = new SilentExchange(loop, TestRequest.head("GET", "/style.css"));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 10_000;
        long bytes = loop.submit(() -> {
            for (int i = 0; i < rounds; i++) {
                handler.handle(exchange);
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < rounds; i++) {
                handler.handle(exchange);
            }
            return threads.getCurrentThreadAllocatedBytes() - before;
        }).get(20, TimeUnit.SECONDS);
        assertThat(exchange.answers).isEqualTo(2 * rounds);
        assertThat(bytes / rounds).isLessThanOrEqualTo(128);
    }

    /// Counts its answers, and allocates nothing itself.
    private static final class SilentExchange extends TestExchange {
        private int answers;

        SilentExchange(DefaultEventExecutor executor, RequestHead head) {
            super(executor, head);
        }

        @Override
        public void respond(ResponsePlan response) {
            answers++;
        }
    }

    @Test
    void unchangedFileIsKeptWhenItIsLookedAtAgain() throws Exception {
        serve(files());
        ResponsePlan first = planOf("/style.css");
        settle();
        ResponsePlan read = planOf("/style.css");
        time.advance(Duration.ofSeconds(2));
        assertThat(planOf("/style.css")).isSameAs(read);
        time.advance(Duration.ofMillis(999));
        assertThat(planOf("/style.css")).isSameAs(read);
        assertThat(read.head().http1()).isEqualTo(first.head().http1());
    }

    @Test
    void changedReplacedAndDeletedFilesAreSeenOnceTheirTimeIsOver() throws Exception {
        serve(files());
        String etag = get("/style.css").field("ETag");
        Files.writeString(root.resolve("new"), "p{}");
        Files.move(root.resolve("new"), root.resolve("style.css"), StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
        assertThat(get("/style.css").text()).as("within cache_revalidate").isEqualTo("body{}");
        time.advance(Duration.ofSeconds(1));
        Emitted changed = get("/style.css", "If-None-Match: " + etag);
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.text()).isEqualTo("p{}");
        Files.delete(root.resolve("style.css"));
        time.advance(Duration.ofSeconds(1));
        assertThat(refusal("GET", "/style.css")).isEqualTo(Refusal.NOT_FOUND);
        assertThat(site.kept().find("/style.css")).isNull();
        write("style.css", "back");
        assertThat(get("/style.css").text()).as("nothing missing is remembered").isEqualTo("back");
    }

    /// A file in memory, one with a form beside it, one that is kept open, and a listing: each is as old as it may be for
    /// a nanosecond less than `cache_revalidate`.
    @Test
    void answerFromBeforeAChangeEndsWithTheNanosecondInWhichItsTimeIsOver() throws Exception {
        write("style.css.gz", "old form");
        serve(files().listing().cacheRevalidate(Duration.ofSeconds(3)));
        Map<String, String> changed = Map.of("style.css", "p{}", "style.css.gz", "new form", "large.bin",
                "N".repeat(5000), "empty/new.txt", "");
        Callable<List<String>> answers = () -> List.of(get("/style.css").text(),
                get("/style.css", "Accept-Encoding: gzip").text(), get("/large.bin").text(), get("/empty/").text());
        List<String> old = answers.call();
        for (Map.Entry<String, String> each : changed.entrySet()) {
            Path next = Files.writeString(temporary.resolve("next"), each.getValue());
            Files.setLastModifiedTime(next, FileTime.from(Instant.ofEpochSecond(1_600_000_001)));
            Files.move(next, root.resolve(each.getKey()), StandardCopyOption.REPLACE_EXISTING);
        }
        time.advance(Duration.ofSeconds(3).minusNanos(1));
        assertThat(answers.call()).isEqualTo(old);
        time.advance(Duration.ofNanos(1));
        List<String> now = answers.call();
        assertThat(now).startsWith("p{}", "new form", "N".repeat(5000)).hasSize(4);
        assertThat(now.get(3)).contains("new.txt");
    }

    @Test
    void fileRewrittenInTheInstantItWasReadIsSeenThoughItsTimesAreTheSame() throws Exception {
        serve(files());
        Path file = root.resolve("style.css");
        FileTime modified = Files.getLastModifiedTime(file);
        assertThat(get("/style.css").text()).isEqualTo("body{}");
        Files.writeString(file, "BODY{}");
        Files.setLastModifiedTime(file, modified);
        time.advance(Duration.ofSeconds(1));
        assertThat(get("/style.css").text()).isEqualTo("BODY{}");
    }

    @Test
    void cacheRevalidateOfZeroLooksEachTime() throws Exception {
        serve(files().cacheRevalidate(Duration.ZERO));
        assertThat(get("/style.css").text()).isEqualTo("body{}");
        write("style.css", "now");
        assertThat(get("/style.css").text()).isEqualTo("now");
        assertThat(count(CacheResult.HIT)).isZero();
    }

    // Large files that are kept open

    @Test
    void largeFileIsKeptOpenAndAnsweredWithoutALookAtTheDisk() throws Exception {
        serve(files());
        assertThat(get("/large.bin").text()).isEqualTo("L".repeat(5000));
        assertThat(Descriptors.beneath(root)).contains(root + "/large.bin");
        assertThat(get("/large.bin").text()).isEqualTo("L".repeat(5000));
        assertThat(send("HEAD", "/large.bin").answer().head().contentLength()).isEqualTo(5000);
        assertThat(count(CacheResult.HIT)).isEqualTo(2);
        assertThat(count(CacheResult.MISS)).isEqualTo(1);
    }

    @Test
    void largeFileThatIsWrittenToWhileItIsKeptOpenIsLookedAtAgainAMillisecondLater() throws Exception {
        serve(files());
        Emitted before = get("/large.bin");
        write("large.bin", "M".repeat(5000));
        Files.setLastModifiedTime(root.resolve("large.bin"), FileTime.from(Instant.ofEpochSecond(1_600_000_001)));
        String tag = before.field("ETag");
        await().until(() -> !Objects.equals(get("/large.bin").field("ETag"), tag));
        assertThat(get("/large.bin").text()).isEqualTo("M".repeat(5000));
        assertThat(count(CacheResult.MISS)).as("once at first, once after the change").isEqualTo(2);
    }

    @Test
    void largeFileThatIsReplacedIsAnsweredAnewAfterItsTime() throws Exception {
        serve(files().cacheRevalidate(Duration.ofSeconds(1)));
        assertThat(get("/large.bin").text()).startsWith("LLL");
        write("new.bin", "N".repeat(6000));
        Files.move(root.resolve("new.bin"), root.resolve("large.bin"), StandardCopyOption.REPLACE_EXISTING);
        time.advance(Duration.ofMillis(1100));
        assertThat(get("/large.bin").text()).isEqualTo("N".repeat(6000));
        Files.delete(root.resolve("large.bin"));
        time.advance(Duration.ofMillis(1100));
        assertThat(refusal("GET", "/large.bin")).isEqualTo(Refusal.NOT_FOUND);
        assertThat(Descriptors.beneath(root)).doesNotContain(root + "/large.bin (deleted)");
    }

    @Test
    void largeFileThatStaysTheSameIsNotOpenedTwice() throws Exception {
        serve(files().cacheRevalidate(Duration.ofSeconds(1)));
        get("/large.bin");
        for (int i = 0; i < 3; i++) {
            time.advance(Duration.ofMillis(1100));
            assertThat(get("/large.bin").text()).isEqualTo("L".repeat(5000));
        }
        assertThat(Descriptors.beneath(root)).containsOnlyOnce(root + "/large.bin");
    }

    @Test
    void formBesideALargeFileIsKeptOpenWithIt() throws Exception {
        write("app.js", "P".repeat(5000));
        write("app.js.br", "B".repeat(3000));
        serve(files());
        for (int i = 0; i < 2; i++) {
            assertThat(get("/app.js", "Accept-Encoding: br").text()).isEqualTo("B".repeat(3000));
            assertThat(get("/app.js").text()).isEqualTo("P".repeat(5000));
        }
        assertThat(count(CacheResult.MISS)).isEqualTo(1);
        assertThat(count(CacheResult.HIT)).isEqualTo(3);
    }

    @Test
    void fileThatNobodyAsksForIsClosedSoThatItsDiskIsFreed() throws Exception {
        serve(files());
        get("/large.bin");
        get("/large.bin");
        Files.delete(root.resolve("large.bin"));
        site.closeIdleFiles();
        site.closeIdleFiles();
        await().untilAsserted(() -> assertThat(Descriptors.beneath(root)).noneMatch(name -> name.contains("large")));
    }

    @Test
    void openFilesAreBoundedAndAnAnswerKeepsItsOwnOpen() throws Exception {
        serve(files());
        get("/large.bin");
        AcquiredFile held = onLoop(() -> ((DiskFile) site.kept().find("/large.bin").take(AcceptEncoding.PLAIN)).file());
        int files = KeptFiles.DESCRIPTORS_MAX + 50;
        for (int i = 0; i < files; i++) {
            write("many/" + i + ".bin", "x".repeat(2000));
            assertThat(get("/many/" + i + ".bin").text()).hasSize(2000);
        }
        assertThat(Descriptors.beneath(root)).hasSizeBetween(KeptFiles.DESCRIPTORS_MAX,
                KeptFiles.DESCRIPTORS_MAX + 3);
        assertThat(count(CacheResult.EVICTED)).isGreaterThanOrEqualTo(50);
        ByteBuffer bytes = ByteBuffer.allocate(5000);
        assertThat(held.channel().read(bytes, 0)).isEqualTo(5000);
        onLoop(() -> {
            held.close();
            return held;
        });
    }

    private <T> T onLoop(Callable<T> call) throws Exception {
        return loop.submit(call).get(10, TimeUnit.SECONDS);
    }

    @Test
    void withoutACacheEveryFileComesFromDisk() throws Exception {
        limits = new FileSite.Limits(1024, 0, StaticFilesFixture.forms(0));
        serve(files());
        TestExchange exchange = send("GET", "/style.css");
        assertThat(exchange.answer().text()).isEqualTo("body{}");
        assertThat(exchange.plan()).isInstanceOf(ResponsePlan.FileRange.class);
        assertThat(site.kept().small().size()).isZero();
    }

    @Test
    void cacheStaysWithinItsBytes() throws Exception {
        limits = new FileSite.Limits(1024, 20_000, StaticFilesFixture.forms(0));
        serve(files());
        for (int i = 0; i < 60; i++) {
            write("many/" + i + ".txt", "x".repeat(1000));
            assertThat(get("/many/" + i + ".txt").text()).hasSize(1000);
            assertThat(site.kept().small().weight()).isLessThanOrEqualTo(20_000);
        }
        assertThat(count(CacheResult.EVICTED)).isPositive();
        assertThat(metrics.snapshot().cacheBytes(CacheName.FILE)).isEqualTo(site.kept().small().weight());
    }

    /// A file truncated, grown and replaced while it is asked for is answered whole, as one version, or cut short.
    @Test
    void answerIsNeverAMixOfTwoVersions() throws Exception {
        serve(files().cacheRevalidate(Duration.ZERO));
        Path file = root.resolve("moving.txt");
        Files.writeString(file, "a".repeat(900));
        Thread writer = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 1_000; i++) {
                rewrite(file, String.valueOf((char) ('a' + i % 26)).repeat(300 + i % 5 * 400));
            }
        });
        int answered = 0;
        while (writer.isAlive() || answered == 0) {
            Emitted answer = get("/moving.txt");
            if (answer.status() == 200 && answer.complete()) {
                assertThat(answer.text().chars().distinct().count()).isLessThanOrEqualTo(1);
                answered++;
            }
        }
        writer.join();
    }

    private static void rewrite(Path file, String content) {
        try {
            Path next = file.resolveSibling("next");
            Files.writeString(next, content);
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ResponsePlan planOf(String target) throws Exception {
        TestExchange exchange = send("GET", target);
        exchange.answer();
        return exchange.plan();
    }

    /// Lets the files' last change lie far behind, and what was read before be read anew.
    private void settle() {
        time.advance(Duration.ofMinutes(1));
    }

    // Saturation, cancellation and the end

    @Test
    void fullLaneIsRefusedAndWarmFilesGoOn() throws Exception {
        serve(files());
        get("/style.css");
        CountDownLatch gate = blockLane(true);
        Emitted refused = get("/index.html");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.field("Retry-After")).isEqualTo("1");
        assertThat(refused.field("Servery-Reason")).isEqualTo("worker_queue_capacity");
        assertThat(get("/style.css").status()).isEqualTo(200);
        gate.countDown();
        soon().untilAsserted(() -> assertThat(get("/index.html").status()).isEqualTo(200));
    }

    @Test
    void errorPageIsLeftOutWhenTheLaneIsFull() throws Exception {
        write("404.html", "lost");
        serve(files().errorPages(Map.of(404, "404.html")));
        CountDownLatch gate = blockLane(true);
        assertThat(get("/.hidden").text()).contains("404 Not Found");
        gate.countDown();
        soon().untilAsserted(() -> assertThat(get("/.hidden").text()).isEqualTo("lost"));
    }

    @Test
    void requestsForOnePathTakeOnePlaceOfTheLane() throws Exception {
        serve(files());
        CountDownLatch gate = blockLane(false);
        List<TestExchange> small = new ArrayList<>();
        List<TestExchange> large = new ArrayList<>();
        List<TestExchange> missing = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            small.add(send("GET", "/style.css"));
            large.add(send("GET", "/large.bin"));
            missing.add(send("GET", "/missing"));
        }
        loop.submit(() -> assertThat(lane.snapshot().queued()).isEqualTo(3)).get();
        gate.countDown();
        for (int i = 0; i < 40; i++) {
            assertThat(small.get(i).answer().text()).isEqualTo("body{}");
            assertThat(large.get(i).answer().text()).hasSize(5000);
            assertThat(missing.get(i).answer().status()).isEqualTo(404);
        }
    }

    @Test
    void followersOfOnePathAreBounded() throws Exception {
        serve(files());
        CountDownLatch gate = blockLane(false);
        List<TestExchange> all = new ArrayList<>();
        for (int i = 0; i < Flights.FOLLOWERS_MAX + 11; i++) {
            all.add(send("GET", "/style.css"));
        }
        loop.submit(() -> {
        }).get();
        gate.countDown();
        int refused = 0;
        for (TestExchange exchange : all) {
            refused += exchange.answer().status() == 503 ? 1 : 0;
        }
        assertThat(refused).isEqualTo(10);
    }

    @Test
    void answersForCancelledExchangesAreGivenBack() throws Exception {
        write("404.html", "x".repeat(3000));
        serve(files().errorPages(Map.of(404, "404.html")));
        for (int round = 0; round < 200; round++) {
            time.advance(Duration.ofSeconds(1));
            CountDownLatch gate = blockLane(false);
            List<TestExchange> gone = new ArrayList<>();
            for (String target : List.of("/large.bin", "/large.bin", "/style.css", "/missing", "/docs")) {
                gone.add(send("GET", target));
            }
            loop.submit(() -> gone.forEach(TestExchange::cancel)).get();
            gate.countDown();
            soon().until(() -> lane.snapshot().active() + lane.snapshot().queued() == 0);
            loop.submit(() -> {
            }).get();
            assertThat(gone).noneMatch(TestExchange::answered);
        }
        site.kept().clear();
        assertThat(Descriptors.beneath(temporary)).containsExactly(root.toString());
    }

    @Test
    void thousandsOfRequestsLeaveOnlyTheRootOpen() throws Exception {
        serve(files().listing());
        for (int i = 0; i < 1_000; i++) {
            for (String target : List.of("/large.bin", "/style.css", "/missing", "/docs", "/empty/")) {
                get(target, i % 3 == 0 ? "Range: bytes=1-2,5-9" : i % 3 == 1 ? "If-None-Match: *" : "If-Match: \"x\"");
            }
        }
        site.kept().clear();
        assertThat(Descriptors.beneath(temporary)).containsExactly(root.toString());
    }

    @Test
    void closedLaneRefusesWhatWaitsBecauseTheServerGoesAway() throws Exception {
        serve(files());
        CountDownLatch gate = blockLane(false);
        TestExchange waiting = send("GET", "/large.bin");
        loop.submit(() -> {
        }).get();
        lane.close();
        assertThat(waiting.answer().status()).isEqualTo(503);
        assertThat(waiting.refusal()).isEqualTo(Refusal.DRAINING);
        gate.countDown();
    }

    @Test
    void resultForALoopThatIsGoneIsGivenBack() throws Exception {
        serve(files());
        CountDownLatch gate = blockLane(false);
        send("GET", "/large.bin");
        loop.submit(() -> {
        }).get();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).get();
        gate.countDown();
        soon().until(() -> lane.snapshot().active() + lane.snapshot().queued() == 0);
        site.kept().clear();
        assertThat(Descriptors.beneath(temporary)).containsExactly(root.toString());
    }

    private static ConditionFactory soon() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
    }

    /// Occupies the threads of the lane, and its queue if asked to, until the gate opens.
    private CountDownLatch blockLane(boolean queueToo) {
        soon().until(() -> lane.snapshot().active() == 0);
        CountDownLatch gate = new CountDownLatch(1);
        int count = queueToo ? 2 + 8 : 2;
        for (int i = 0; i < count; i++) {
            assertThat(lane.offer(new GatedWork(gate))).isTrue();
        }
        soon().until(() -> lane.snapshot().active() == 2);
        return gate;
    }

    // Faults of the host

    @Test
    void faultsOfTheHostAreToldAndTheServerGoesOn() throws Exception {
        serve(files().listing());
        record Row(String call, int errno, String target, Refusal refusal) {
        }
        for (Row row : List.of(new Row("openat2", ERRNO_EMFILE, "/large.bin", Refusal.DESCRIPTORS_EXHAUSTED),
                new Row("openat2", ERRNO_EACCES, "/large.bin", Refusal.FORBIDDEN),
                new Row("openat2", ERRNO_EACCES, "/docs/", Refusal.FORBIDDEN),
                new Row("openat2", ERRNO_EIO, "/large.bin", Refusal.STORAGE_FAILED),
                new Row("stat", ERRNO_EIO, "/large.bin", Refusal.STORAGE_FAILED),
                new Row("getdents", ERRNO_EIO, "/empty/", Refusal.STORAGE_FAILED))) {
            calls.fail(row.call(), row.errno());
            assertThat(refusal("GET", row.target())).as("%s", row).isEqualTo(row.refusal());
            calls.fail(row.call(), 0);
        }
        assertThat(get("/large.bin").status()).isEqualTo(200);
    }

    @Test
    void faultWhileAWarmFileIsLookedAtAgainIsToldNotHidden() throws Exception {
        serve(files());
        get("/style.css");
        time.advance(Duration.ofSeconds(1));
        calls.fail("openat2", ERRNO_EMFILE);
        assertThat(refusal("GET", "/style.css")).isEqualTo(Refusal.DESCRIPTORS_EXHAUSTED);
        calls.fail("openat2", 0);
        assertThat(get("/style.css").status()).isEqualTo(200);
    }

    // Listings

    @Test
    void listingNamesWhatIsThereAndIsTheSameForHead() throws Exception {
        write("dir/b.txt", "12345");
        write("dir/A.txt", "1");
        Files.createDirectories(root.resolve("dir/zsub"));
        serve(files().listing());
        TestExchange exchange = send("GET", "/dir/");
        Emitted page = exchange.answer();
        assertThat(exchange.workClass()).isEqualTo(WorkClass.LISTING);
        assertThat(page.field("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.field("Content-Security-Policy")).startsWith("default-src 'none'; style-src 'sha256-")
                .endsWith("'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
        assertThat(page.field("Cache-Control")).isEqualTo("no-cache");
        assertThat(page.field("Vary")).isEqualTo("Accept");
        assertThat(page.names()).doesNotContain("Last-Modified", "Accept-Ranges");
        assertThat(page.text()).containsSubsequence("href=\"zsub/\"", "href=\"A.txt\"", "href=\"b.txt\"", "5\u00a0B",
                "2020-09-13<span> 12:26</span>");
        Emitted head = send("HEAD", "/dir/").answer();
        assertThat(head.head().fields()).isEqualTo(page.head().fields());
        assertThat(head.head().contentLength()).isEqualTo(page.content().length);
        assertThat(site.kept().small().size()).isZero();
    }

    @Test
    void listingIsSortedFilteredAndJsonAsTheRequestSays() throws Exception {
        write("dir/b.txt", "12345");
        write("dir/Ba.txt", "1");
        write("dir/c.txt", "1");
        Files.createDirectories(root.resolve("dir/zb"));
        serve(files().listing());
        Emitted listed = get("/dir/?q=B&sort=size&order=desc&utm=1", "Accept: application/json");
        assertThat(listed.field("Content-Type")).isEqualTo("application/json");
        assertThat(listed.field("Vary")).isEqualTo("Accept");
        Map<?, ?> json = (Map<?, ?>) StrictJson.parse(listed.text());
        assertThat(json.get("total")).isEqualTo(3L);
        assertThat(((List<?>) json.get("entries")).stream().map(entry -> ((Map<?, ?>) entry).get("name")))
                .isEqualTo(List.of("zb", "b.txt", "Ba.txt"));
        assertThat(get("/dir/?sort=size", "Accept: text/html;q=0.9, application/json;q=0.8").field("Content-Type"))
                .startsWith("text/html");
    }

    /// RFC 9110 §8.8.1 and §13: the validator is a digest of what is sent, so a file that grows changes it although the
    /// directory's own time stays.
    @Test
    void listingThatIsStillTheSameIsNotSentAgain() throws Exception {
        write("dir/a.txt", "1");
        serve(files().listing().headers(Map.of("Vary", "Cookie")));
        String etag = get("/dir/").field("ETag");
        assertThat(etag).startsWith("\"");
        Emitted same = get("/dir/", "If-None-Match: " + etag);
        assertThat(same.status()).isEqualTo(304);
        assertThat(same.head().fields().stream().map(field -> field.name() + ": " + field.value()))
                .containsExactly("ETag: " + etag, "Cache-Control: no-cache", "Vary: Accept", "Vary: Cookie");
        assertThat(send("HEAD", "/dir/", "If-None-Match: *").answer().status()).isEqualTo(304);
        assertThat(get("/dir/", "If-Modified-Since: Sat, 29 Oct 2044 19:43:31 GMT").status()).isEqualTo(200);
        assertThat(refusal("GET", "/dir/", "If-Match: \"other\"")).isEqualTo(Refusal.PRECONDITION_FAILED);
        assertThat(get("/dir/", "Range: bytes=0-1", "If-Match: " + etag).status()).isEqualTo(200);
        assertThat(get("/dir/", "If-None-Match: " + etag, "Accept: application/json").status()).isEqualTo(200);
        write("dir/a.txt", "12");
        time.advance(Duration.ofSeconds(1));
        assertThat(get("/dir/", "If-None-Match: " + etag).status()).isEqualTo(200);
    }

    @Test
    void requestsThatWaitTogetherAreEachAnsweredWithTheirOwnView() throws Exception {
        write("dir/a.txt", "1");
        write("dir/b.txt", "1");
        serve(files().listing());
        CountDownLatch gate = blockLane(false);
        List<TestExchange> waiting = List.of(send("GET", "/dir/"), send("GET", "/dir/?q=b"), send("GET", "/dir/"),
                send("GET", "/dir/", "Accept: application/json"));
        loop.submit(() -> {
        }).get();
        gate.countDown();
        assertThat(waiting.get(0).answer().text()).contains("a.txt", "b.txt").startsWith("<!DOCTYPE html>");
        assertThat(waiting.get(1).answer().text()).contains("b.txt").doesNotContain("a.txt");
        assertThat(waiting.get(2).answer().text()).isEqualTo(waiting.get(0).answer().text());
        assertThat(waiting.get(3).answer().text()).startsWith("{");
    }

    @Test
    void namesInAListingAreEscapedAndTheirLinksLeadToThem() throws Exception {
        Path directory = Files.createDirectories(root.resolve("odd"));
        List<String> names = List.of("<script>alert(1)</script>.txt", "a\"b'c.txt", "two words&amp.txt", "späß.txt",
                "100%.txt", "a:b?c#d.txt", "back\\slash.txt", "new\nline.txt", "..;x", " lead", "evil\u202egnp.exe");
        for (String name : names) {
            Files.writeString(directory.resolve(name.replace("</script>", "<script>")), "x");
        }
        serve(files().listing());
        String page = get("/odd/").text();
        assertThat(page).doesNotContain("<script", "a\"b", "b'c", "new\nline", "\u202e");
        assertThat(page).contains("a&quot;b&#39;c.txt", "sp%C3%A4%C3%9F.txt", "100%25.txt", "a%3Ab%3Fc%23d.txt",
                "title=\"No address can name this\"", "<bdi>back\\slash.txt</bdi></span></span>");
        Matcher links = Pattern.compile("<th scope=\"row\"><a href=\"([^\"]+)\">").matcher(page);
        int followed = 0;
        while (links.find()) {
            if (!links.group(1).equals("../")) {
                assertThat(get("/odd/" + links.group(1)).text()).isEqualTo("x");
                followed++;
            }
        }
        assertThat(followed).isEqualTo(8);
    }

    @Test
    void directoryOfTheTargetIsEscapedInTitleAndBreadcrumbs() throws Exception {
        Files.createDirectories(root.resolve("<b>&\"/in"));
        serve(files().listing());
        String page = get("/%3Cb%3E&%22/in/?sort=size").text();
        assertThat(page).contains("<title>Index of /&lt;b&gt;&amp;&quot;/in/</title>",
                "<a href=\"/%3Cb%3E&amp;%22/?sort=size\"><bdi>&lt;b&gt;&amp;&quot;</bdi></a>",
                "<a href=\"/%3Cb%3E&amp;%22/in/?sort=size\" aria-current=\"page\"><bdi>in</bdi></a>");
    }

    @Test
    void listingPastItsBoundSaysSoAndAFilterFindsTheRest() throws Exception {
        Path directory = Files.createDirectories(root.resolve("many"));
        for (int i = 0; i <= Listing.ENTRIES_MAX; i++) {
            Files.createFile(directory.resolve("f" + i));
        }
        serve(files().listing());
        String page = get("/many/").text();
        assertThat(page).contains("Not everything is here.", "10,000 files", "page 1 of 50");
        assertThat(page.split("<tr>", -1)).hasSize(ListingContents.PAGE_ENTRIES_MAX + 3);
        for (int i : new int[]{0, 4_999, Listing.ENTRIES_MAX}) {
            assertThat(get("/many/?q=f" + i).text()).contains("href=\"f" + i + "\"").doesNotContain("Not everything");
        }
        assertThat(get("/many/?q=f", "Accept: application/json").text()).contains("\"complete\":false");
    }

    @Test
    void listingOfNothingSaysSo() throws Exception {
        Files.createDirectories(root.resolve("empty"));
        write("full/a.txt", "1");
        serve(files().listing());
        assertThat(get("/empty/").text()).contains("This folder is empty.");
        assertThat(get("/full/").text()).doesNotContain("is empty");
        assertThat(get("/full/?q=b").text()).contains("No name here contains that.");
    }

    @Test
    void listingOfLongNamesGoesOutInParts() throws Exception {
        Path directory = Files.createDirectories(root.resolve("long"));
        for (int i = 0; i < 250; i++) {
            Files.createFile(directory.resolve("\u00e9".repeat(120) + i));
        }
        serve(files().listing());
        TestExchange exchange = send("GET", "/long/");
        Emitted page = exchange.answer();
        assertThat(exchange.plan()).isInstanceOf(ResponsePlan.Stream.class);
        assertThat(page.content()).hasSizeBetween(100_000, 1024 * 1024);
        assertThat(page.head().contentLength()).isEqualTo(page.content().length);
    }

    @Test
    void directoryIsReadAgainNoMoreOftenThanAFileIsLookedAt() throws Exception {
        write("dir/a.txt", "1");
        serve(files().listing());
        get("/dir/");
        write("dir/b.txt", "1");
        assertThat(get("/dir/").text()).contains("a.txt").doesNotContain("b.txt");
        assertThat(get("/dir/?q=b").text()).contains("b.txt");
        time.advance(Duration.ofSeconds(1));
        assertThat(get("/dir/").text()).contains("a.txt", "b.txt");
        Files.delete(root.resolve("dir/a.txt"));
        Files.delete(root.resolve("dir/b.txt"));
        Files.delete(root.resolve("dir"));
        time.advance(Duration.ofSeconds(1));
        assertThat(refusal("GET", "/dir/")).isEqualTo(Refusal.NOT_FOUND);
    }

    @Test
    void listingThatTakesTooLongIsCutAndSaysSo() throws Exception {
        write("dir/a.txt", "1");
        write("dir/b.txt", "1");
        serve(files().listing());
        calls.before("stat", () -> time.advance(Duration.ofSeconds(4)));
        assertThat(get("/dir/").text()).contains("Not everything is here.", "1 file,");
    }

    @Test
    void directoryWithoutIndexAndListingIsNotFound() throws Exception {
        serve(files());
        assertThat(refusal("GET", "/empty/")).isEqualTo(Refusal.NOT_FOUND);
    }
}

package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.servery.core.config.StaticFiles;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.netty.files.open.Descriptors;
import io.servery.netty.files.open.FaultyCalls;
import io.servery.netty.files.open.Roots;
import io.servery.netty.lane.Lane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compressed files beside a file, in the order of RFC 9110: each is a representation of its own. Small ones come from
/// memory, large ones from disk; the answers differ in nothing else.
class CodedFilesTest {
    private static final String LARGE = "large text\n".repeat(500);
    private static final Instant LONG_AGO = Instant.ofEpochSecond(1_600_000_000);

    @TempDir
    Path temporary;

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final MetricRegistry metrics = new MetricRegistry(MetricScope.http1Files());
    private final FakeTime time = new FakeTime();
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private final Lane lane = new Lane("filesystem", new Lane.Bounds(2, 8), Lane.QueueObserver.NONE, bugs::add);

    private Path root;
    private FileSite site;
    private FilesHandler handler;

    @BeforeEach
    void makeSite() throws IOException {
        root = Files.createDirectory(temporary.toRealPath().resolve("root"));
        write("page.html", "plain", LONG_AGO);
        write("page.html.gz", "gzipped bytes", LONG_AGO);
        write("page.html.br", "brotli", LONG_AGO.plusSeconds(1));
        write("large.txt", LARGE, LONG_AGO);
        write("large.txt.zst", "zstd" + LARGE, LONG_AGO);
    }

    @AfterEach
    void closeAndFindNoDescriptorLeft() throws Exception {
        lane.close();
        assertThat(lane.awaitEnd(Duration.ofSeconds(10))).isTrue();
        loop.submit(() -> {
        }).get(10, TimeUnit.SECONDS);
        site.close();
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        assertThat(Descriptors.beneath(temporary.toRealPath())).isEmpty();
        assertThat(bugs).isEmpty();
    }

    private void write(String path, String content, Instant modified) throws IOException {
        Path file = root.resolve(path);
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, FileTime.from(modified));
    }

    private StaticFilesFixture files() {
        return new StaticFilesFixture(root);
    }

    private void serve(StaticFilesFixture files) throws IOException {
        StaticFiles built = files.build();
        FileTree tree = new FileTree("/", Roots.open(root, built.symlinks(), new FaultyCalls()),
                new FilePolicy(built));
        site = new FileSite(List.of(tree), new FileSite.Limits(1024, 64 * 1024, StaticFilesFixture.forms(0)),
                new FileSite.Lanes(lane, lane),
                metrics.sharedShard(), time);
        handler = new FilesHandler(site, metrics.loopShard());
    }

    private Emitted send(String method, String target, String... fields) throws Exception {
        TestExchange exchange = new TestExchange(loop, TestRequest.head(method, target, fields));
        loop.execute(() -> handler.handle(exchange));
        return exchange.answer();
    }

    private Emitted get(String target, String... fields) throws Exception {
        return send("GET", target, fields);
    }

    // §8.4 Content-Encoding, §8.3 Content-Type

    @Test
    void formThatIsLikedBestIsSentColdAndWarm() throws Exception {
        serve(files());
        for (int i = 0; i < 2; i++) {
            Emitted answer = get("/page.html", "Accept-Encoding: gzip, deflate, br, zstd");
            assertThat(answer.text()).isEqualTo("brotli");
            assertThat(answer.field("Content-Encoding")).isEqualTo("br");
            assertThat(answer.field("Content-Type")).isEqualTo("text/html; charset=utf-8");
            assertThat(answer.head().contentLength()).isEqualTo(6);
            assertThat(get("/page.html", "Accept-Encoding: gzip").text()).isEqualTo("gzipped bytes");
            assertThat(get("/large.txt", "Accept-Encoding: gzip, zstd").text()).isEqualTo("zstd" + LARGE);
        }
    }

    @Test
    void plainIsSentToWhoDoesNotAcceptWhatThereIs() throws Exception {
        serve(files());
        for (String[] fields : new String[][]{{}, {"Accept-Encoding: identity"}, {"Accept-Encoding: zstd"},
                {"Accept-Encoding: br;q=2"}, {"Accept-Encoding: br;q=0.5, identity"}}) {
            Emitted answer = get("/page.html", fields);
            assertThat(answer.text()).isEqualTo("plain");
            assertThat(answer.names()).doesNotContain("Content-Encoding");
        }
        assertThat(get("/large.txt", "Accept-Encoding: gzip").text()).isEqualTo(LARGE);
    }

    @Test
    void formAskedForByItsNameIsItself() throws Exception {
        serve(files());
        Emitted answer = get("/page.html.gz", "Accept-Encoding: gzip");
        assertThat(answer.text()).isEqualTo("gzipped bytes");
        assertThat(answer.field("Content-Type")).isEqualTo("application/gzip");
        assertThat(answer.names()).doesNotContain("Content-Encoding", "Vary");
    }

    @Test
    void indexOfADirectoryHasItsFormsToo() throws Exception {
        write("index.html", "home", LONG_AGO);
        write("index.html.br", "small home", LONG_AGO);
        serve(files());
        assertThat(get("/", "Accept-Encoding: br").text()).isEqualTo("small home");
    }

    @Test
    void olderFormsDirectoriesAndLinksThatLeaveAreNotServed() throws Exception {
        write("old.css", "new", LONG_AGO.plusSeconds(10));
        write("old.css.gz", "old", LONG_AGO.plusSeconds(9));
        Files.createDirectory(root.resolve("old.css.br"));
        Files.writeString(temporary.toRealPath().resolve("outside"), "secret");
        Files.createSymbolicLink(root.resolve("old.css.zst"), temporary.toRealPath().resolve("outside"));
        serve(files());
        assertThat(get("/old.css", "Accept-Encoding: *").text()).isEqualTo("new");
    }

    @Test
    void imagesAndArchivesAreNotLookedBeside() throws Exception {
        write("a.png", "image", LONG_AGO);
        write("a.png.gz", "zipped", LONG_AGO);
        serve(files());
        Emitted answer = get("/a.png", "Accept-Encoding: gzip");
        assertThat(answer.text()).isEqualTo("image");
        assertThat(answer.names()).doesNotContain("Vary");
    }

    @Test
    void nothingIsChosenWhenItIsTurnedOffOrTheOperatorSaysTheCoding() throws Exception {
        serve(files().withoutPrecompressed());
        assertThat(get("/page.html", "Accept-Encoding: br").text()).isEqualTo("plain");
        assertThat(get("/page.html").names()).doesNotContain("Vary");
        site.close();
        serve(files().headers(Map.of("Content-Encoding", "x")));
        assertThat(get("/page.html", "Accept-Encoding: br").text()).isEqualTo("plain");
    }

    // §8.8.3.3 and §13: validators of each

    @Test
    void everyFormHasItsStrongTagAndIsComparedByIt() throws Exception {
        serve(files());
        for (String target : List.of("/page.html", "/large.txt")) {
            String plain = get(target).field("ETag");
            Emitted coded = get(target, "Accept-Encoding: *");
            String tag = coded.field("ETag");
            assertThat(tag).isNotEqualTo(plain).doesNotStartWith("W/");
            Emitted current = get(target, "Accept-Encoding: *", "If-None-Match: " + tag);
            assertThat(current.status()).isEqualTo(304);
            assertThat(current.field("ETag")).isEqualTo(tag);
            assertThat(current.field("Vary")).isEqualTo("Accept-Encoding");
            assertThat(get(target, "If-None-Match: " + tag).status()).isEqualTo(200);
            assertThat(get(target, "Accept-Encoding: *", "If-None-Match: " + plain).status()).isEqualTo(200);
            assertThat(get(target, "Accept-Encoding: *", "If-Match: " + plain).status()).isEqualTo(412);
        }
    }

    @Test
    void timeIsThatOfTheForm() throws Exception {
        serve(files());
        assertThat(get("/page.html", "Accept-Encoding: br").field("Last-Modified"))
                .isEqualTo("Sun, 13 Sep 2020 12:26:41 GMT");
        assertThat(get("/page.html").field("Last-Modified")).isEqualTo("Sun, 13 Sep 2020 12:26:40 GMT");
    }

    // §9.3.2 HEAD, §12.5.5 Vary

    @Test
    void headIsThatOfGet() throws Exception {
        serve(files());
        for (String target : List.of("/page.html", "/large.txt")) {
            Emitted get = get(target, "Accept-Encoding: *");
            Emitted head = send("HEAD", target, "Accept-Encoding: *");
            assertThat(head.head().http1()).isEqualTo(get.head().http1());
            assertThat(head.content()).isEmpty();
        }
    }

    @Test
    void everyAnswerOfAFileThatMayVarySaysSo() throws Exception {
        write("alone.css", "x", LONG_AGO);
        serve(files());
        for (String target : List.of("/page.html", "/large.txt", "/alone.css")) {
            assertThat(get(target).field("Vary")).isEqualTo("Accept-Encoding");
            assertThat(get(target, "Accept-Encoding: *").field("Vary")).isEqualTo("Accept-Encoding");
            assertThat(get(target, "Range: bytes=0-0").field("Vary")).isEqualTo("Accept-Encoding");
        }
    }

    @Test
    void operatorsVaryIsCompleted() throws Exception {
        serve(files().headers(Map.of("Vary", "Cookie")));
        assertThat(get("/page.html").head().fields().stream().filter(field -> field.name().equals("Vary"))
                .map(field -> field.value())).containsExactlyInAnyOrder("Accept-Encoding", "Cookie");
        site.close();
        serve(files().headers(Map.of("Vary", "accept-encoding, Cookie")));
        assertThat(get("/page.html").field("Vary")).isEqualTo("accept-encoding, Cookie");
    }

    // §14 ranges over the coded bytes

    @Test
    void rangesAreOfTheCodedBytes() throws Exception {
        serve(files());
        Emitted part = get("/page.html", "Accept-Encoding: br", "Range: bytes=1-2");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("ro");
        assertThat(part.field("Content-Range")).isEqualTo("bytes 1-2/6");
        assertThat(part.field("Content-Encoding")).isEqualTo("br");
        assertThat(get("/large.txt", "Accept-Encoding: zstd", "Range: bytes=0-3").text()).isEqualTo("zstd");
    }

    @Test
    void eachOfSeveralPartsSaysItsCodingAndTheirSumDoesNot() throws Exception {
        serve(files());
        Emitted parts = get("/page.html", "Accept-Encoding: br", "Range: bytes=0-0,2-2");
        assertThat(parts.names()).doesNotContain("Content-Encoding");
        assertThat(parts.text()).contains("Content-Encoding: br\r\nContent-Range: bytes 0-0/6\r\n\r\nb\r\n");
    }

    @Test
    void ifRangeOfAnotherFormGetsTheWhole() throws Exception {
        serve(files());
        String plain = get("/page.html").field("ETag");
        String coded = get("/page.html", "Accept-Encoding: br").field("ETag");
        assertThat(get("/page.html", "Accept-Encoding: br", "Range: bytes=1-2", "If-Range: " + plain).text())
                .isEqualTo("brotli");
        assertThat(get("/page.html", "Range: bytes=1-2", "If-Range: " + coded).text()).isEqualTo("plain");
        assertThat(get("/page.html", "Accept-Encoding: br", "Range: bytes=1-2", "If-Range: " + coded).text())
                .isEqualTo("ro");
    }

    // Forms that come, change and go

    @Test
    void formsAreLookedAtAgainWithTheFile() throws Exception {
        time.advance(Duration.ofSeconds(3));
        serve(files());
        assertThat(get("/page.html", "Accept-Encoding: br").text()).isEqualTo("brotli");
        write("page.html.br", "again!", LONG_AGO.plusSeconds(2));
        time.advance(Duration.ofSeconds(3));
        assertThat(get("/page.html", "Accept-Encoding: br").text()).isEqualTo("again!");
        Files.delete(root.resolve("page.html.br"));
        time.advance(Duration.ofSeconds(3));
        assertThat(get("/page.html", "Accept-Encoding: br").text()).isEqualTo("plain");
        write("page.html.zst", "zst", LONG_AGO);
        time.advance(Duration.ofSeconds(3));
        assertThat(get("/page.html", "Accept-Encoding: zstd").text()).isEqualTo("zst");
    }

    @Test
    void formThatIsTooLargeForMemoryIsSentFromDisk() throws Exception {
        write("page.html.zst", LARGE, LONG_AGO);
        serve(files());
        assertThat(get("/page.html", "Accept-Encoding: zstd").text()).isEqualTo(LARGE);
        assertThat(get("/page.html", "Accept-Encoding: gzip").text()).isEqualTo("gzipped bytes");
        assertThat(get("/page.html").text()).isEqualTo("plain");
    }
}

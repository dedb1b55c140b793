package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.servery.core.config.StaticFiles;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.http.exchange.ResponseHead.Field;
import io.servery.netty.files.open.FaultyCalls;
import io.servery.netty.files.open.Roots;
import io.servery.netty.lane.Lane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a shared cache is told where the tree of a single page application answers one path by 404 or by its page, as
/// `Accept` says. Without Vary it may keep the 404 by its own rules (RFC 9110 §15.1 and §15.5.5, RFC 9111 §4.2.2), and
/// answer navigations with it, or others with the page (RFC 9111 §4.1, RFC 9110 §12.5.5).
class SinglePageTest {
    private static final String NAVIGATION = "Accept: text/html,application/xhtml+xml,*/*;q=0.8";

    @TempDir
    Path temporary;

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final MetricRegistry metrics = new MetricRegistry(MetricScope.http1Files());
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private final Lane lane = new Lane("filesystem", new Lane.Bounds(2, 8), Lane.QueueObserver.NONE, bugs::add);

    private Path root;
    private FileSite site;
    private FilesHandler handler;

    @BeforeEach
    void makeTree() throws IOException {
        root = Files.createDirectory(temporary.toRealPath().resolve("root"));
        Files.writeString(root.resolve("index.html"), "home");
        Files.writeString(root.resolve("404.html"), "lost");
        Files.writeString(root.resolve("style.css"), "body{}");
    }

    @AfterEach
    void close() throws Exception {
        lane.close();
        assertThat(lane.awaitEnd(Duration.ofSeconds(10))).isTrue();
        site.close();
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        assertThat(bugs).isEmpty();
    }

    private StaticFilesFixture application() {
        return new StaticFilesFixture(root).spa().withoutPrecompressed();
    }

    private void serve(StaticFilesFixture files) throws IOException {
        StaticFiles built = files.build();
        FileTree tree = new FileTree("/", Roots.open(root, built.symlinks(), new FaultyCalls()),
                new FilePolicy(built));
        site = new FileSite(List.of(tree), new FileSite.Limits(1024, 64 * 1024, StaticFilesFixture.forms(0)),
                new FileSite.Lanes(lane, lane), metrics.sharedShard(), new FakeTime());
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

    private static List<String> vary(Emitted answer, int status) {
        assertThat(answer.status()).isEqualTo(status);
        return answer.head().fields().stream().filter(field -> field.name().equals("Vary")).map(Field::value)
                .toList();
    }

    @Test
    void notFoundWhereANavigationGetsThePageVariesByAcceptAsThePageDoes() throws Exception {
        serve(application());
        assertThat(vary(get("/orders/17", "Accept: */*"), 404)).containsExactly("Accept");
        assertThat(vary(get("/orders/17"), 404)).containsExactly("Accept");
        assertThat(vary(send("HEAD", "/orders/17"), 404)).containsExactly("Accept");
        assertThat(get("/orders/17").text()).as("but for that the page of every 404").startsWith("404 ");
        Emitted page = get("/orders/17", NAVIGATION);
        assertThat(vary(page, 200)).containsExactly("Accept");
        assertThat(vary(send("HEAD", "/orders/17", NAVIGATION), 200)).containsExactly("Accept");
        assertThat(vary(get("/orders/17", NAVIGATION, "If-None-Match: " + page.field("ETag")), 304))
                .containsExactly("Accept");
        assertThat(vary(get("/orders/17", NAVIGATION, "Range: bytes=0-1"), 206)).containsExactly("Accept");
    }

    @Test
    void errorPageThatStandsForThatNotFoundVariesByAcceptToo() throws Exception {
        serve(application().errorPages(Map.of(404, "404.html")).headers(Map.of("X-Site", "ours")));
        for (int i = 0; i < 2; i++) {
            Emitted lost = get("/orders/17", "Accept: */*");
            assertThat(vary(lost, 404)).containsExactly("Accept");
            assertThat(lost.text()).isEqualTo("lost");
            assertThat(lost.field("X-Site")).isEqualTo("ours");
            assertThat(vary(send("HEAD", "/orders/17"), 404)).containsExactly("Accept");
        }
    }

    /// The page of the application may be the page of its errors, too.
    @Test
    void indexThatIsTheErrorPageVariesByAcceptOnce() throws Exception {
        serve(application().errorPages(Map.of(404, "index.html")));
        assertThat(vary(get("/orders/17"), 404)).containsExactly("Accept");
        assertThat(vary(get("/orders/17", NAVIGATION), 200)).containsExactly("Accept");
    }

    @Test
    void varyOfTheOperatorIsCompletedForThePage() throws Exception {
        serve(application().headers(Map.of("Vary", "Cookie")));
        assertThat(vary(get("/orders/17", NAVIGATION), 200)).containsExactlyInAnyOrder("Accept", "Cookie");
        assertThat(vary(get("/orders/17"), 404)).containsExactly("Accept");
        assertThat(vary(get("/style.css"), 200)).containsExactly("Cookie");
        site.close();
        serve(new StaticFilesFixture(root).spa().headers(Map.of("Vary", "accept-encoding")));
        assertThat(vary(get("/orders/17", NAVIGATION), 200)).as("another field, though its name begins the same")
                .containsExactlyInAnyOrder("Accept", "accept-encoding");
        for (String complete : List.of("accept, Cookie", "*")) {
            site.close();
            serve(application().headers(Map.of("Vary", complete)));
            assertThat(vary(get("/orders/17", NAVIGATION), 200)).containsExactly(complete);
        }
    }

    /// A path that says by itself what it means, another refusal and another tree are answered alike whatever is accepted.
    @Test
    void whatDoesNotDependOnAcceptDoesNotVaryByIt() throws Exception {
        serve(application());
        assertThat(vary(get("/app.old.js", NAVIGATION), 404)).isEmpty();
        assertThat(vary(get("/.env", NAVIGATION), 404)).isEmpty();
        assertThat(vary(get("/style.css", "If-Match: \"x\""), 412)).isEmpty();
        assertThat(vary(send("POST", "/orders/17"), 405)).isEmpty();
        site.close();
        serve(new StaticFilesFixture(root).withoutPrecompressed());
        assertThat(vary(get("/orders/17", NAVIGATION), 404)).isEmpty();
        assertThat(vary(get("/"), 200)).isEmpty();
    }
}

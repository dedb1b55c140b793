package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys of `[application.static]` that change what an answer says, from a file to the wire, in the order of their page
/// (docs/reference/configuration.md).
class StaticKeysTest {
    private static final String NAVIGATION = "Accept: text/html,application/xhtml+xml,*/*;q=0.8";
    private static final String KEYS = """
            index = ["start.html"]
            listing = true
            spa = true
            digests = true
            cache_max_age = "10m"
            immutable = ["assets/**", "fonts/*.woff2"]
            error_pages = { "404" = "lost.html", "405" = "errors/method.html", "416" = "errors/range.txt" }
            headers = { X-Team = "files", Content-Language = "en" }
            """;

    @TempDir
    static Path folder;
    private static ServeryProcess server;

    @BeforeAll
    static void start() {
        var site = new Site(folder.resolve("site"));
        site.put("start.html", "<title>Start</title>");
        site.put("page.html", "<title>Page</title>");
        site.put("lost.html", "<title>Lost</title>");
        site.put("errors/method.html", "<title>Not so</title>");
        site.put("errors/range.txt", "no such part\n");
        site.put("assets/app/main.1a2b.js", "let a\n");
        site.put("fonts/text.woff2", "font");
        site.put("fonts/more/text.woff2", "font");
        site.put("folder/one.txt", "one\n");
        server = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root()).files(KEYS));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Answer get(String target, String... fields) {
        return ask("GET", target, fields);
    }

    private static Answer ask(String method, String target, String... fields) {
        try (WireConnection connection = server.connect()) {
            String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
            return connection.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n").answer();
        }
    }

    private static void assertPage(Answer answer, int status, String text) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.text()).isEqualTo(text);
    }

    @Test
    void indexNamesTheFileOfADirectory() {
        assertPage(get("/"), 200, "<title>Start</title>");
    }

    @Test
    void listingShowsADirectoryWithoutOne() {
        Answer listing = get("/folder/");
        assertThat(listing.status()).isEqualTo(200);
        assertThat(listing.text()).contains("href=\"one.txt\"");
        assertThat(listing.value("Cache-Control")).as("a listing is no file").isEqualTo("no-cache");
        assertThat(listing.value("X-Team")).as("headers are of listings too").isEqualTo("files");
    }

    @Test
    void spaAnswersAnUnknownPathWithTheIndexForWhoWantsAPage() {
        Answer page = get("/settings/profile", NAVIGATION);
        assertPage(page, 200, "<title>Start</title>");
        assertThat(page.value("Vary")).contains("Accept");
    }

    @Test
    void spaLeavesMissingFilesAndOtherRequestsNotFound() {
        assertPage(get("/settings/missing.js", NAVIGATION), 404, "<title>Lost</title>");
        Answer other = get("/settings/profile", "Accept: application/json");
        assertPage(other, 404, "<title>Lost</title>");
        assertThat(other.value("Vary")).isEqualTo("Accept");
    }

    @Test
    void digestsComeWithFilesInMemoryAndContentDigestWithWhoAsks() throws Exception {
        String digest = "sha-256=:" + Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256")
                .digest("<title>Page</title>".getBytes(StandardCharsets.UTF_8))) + ":";
        assertThat(get("/page.html").value("Repr-Digest")).isEqualTo(digest);
        assertThat(get("/page.html").value("Content-Digest")).isEmpty();
        assertThat(get("/page.html", "Want-Content-Digest: sha-256=1").value("Content-Digest")).isEqualTo(digest);
    }

    @Test
    void cacheMaxAgeIsSaidOfFiles() {
        assertThat(get("/page.html").value("Cache-Control")).isEqualTo("max-age=600");
        assertThat(get("/page.html", "If-None-Match: *").value("Cache-Control")).as("RFC 9110 §15.4.5")
                .isEqualTo("max-age=600");
    }

    @Test
    void immutableFilesNeverChange() {
        String never = "public, max-age=31536000, immutable";
        assertThat(get("/assets/app/main.1a2b.js").value("Cache-Control")).isEqualTo(never);
        assertThat(get("/fonts/text.woff2").value("Cache-Control")).isEqualTo(never);
        assertThat(get("/fonts/more/text.woff2").value("Cache-Control")).as("one star, one segment")
                .isEqualTo("max-age=600");
    }

    @Test
    void errorPagesStandForWhatIsRefused() {
        Answer lost = get("/missing.txt");
        assertPage(lost, 404, "<title>Lost</title>");
        assertThat(lost.value("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(lost.value("Cache-Control")).as("what the page's file may say is not said of a 404").isEmpty();
        Answer method = ask("DELETE", "/page.html");
        assertPage(method, 405, "<title>Not so</title>");
        assertThat(method.value("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        Answer range = get("/page.html", "Range: bytes=1000-");
        assertPage(range, 416, "no such part\n");
        assertThat(range.value("Content-Range")).isEqualTo("bytes */19");
    }

    @Test
    void refusalWithoutAPageHasTheServersOwnLine() {
        Answer failed = get("/page.html", "If-Match: \"other\"");
        assertThat(failed.status()).isEqualTo(412);
        assertThat(failed.text()).isNotEmpty().doesNotContain("<title>");
        assertThat(failed.value("X-Team")).as("no page, no fields of the operator").isEmpty();
    }

    @Test
    void headersAreSentWithFilesAndPagesAndNotRepeatedBy304() {
        for (Answer answer : new Answer[]{get("/page.html"), get("/page.html", "Range: bytes=0-1"),
                get("/missing.txt")}) {
            assertThat(answer.value("X-Team")).as(answer.toString()).isEqualTo("files");
            assertThat(answer.value("Content-Language")).as(answer.toString()).isEqualTo("en");
        }
        Answer current = get("/page.html", "If-None-Match: *");
        assertThat(current.status()).isEqualTo(304);
        assertThat(current.value("X-Team") + current.value("Content-Language")).isEmpty();
    }
}

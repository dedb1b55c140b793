package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Listings of the packaged jar, read by a browser where there is one.
class ListingTest {
    /// Names that would run a script, or lead elsewhere, where one escape is forgotten. A slash is in none: no name has one.
    private static final List<String> HOSTILE = List.of("<img src=x onerror=document.title='ran'>",
            "<script>document.title='ran'<!--", "\"><svg onload=document.title='ran'>", "' onfocus='x' autofocus x='",
            "javascript:document.title='ran'", "&lt;img src=x onerror=document.title='ran'&gt;", "?q=<b>#f", "100%41%",
            " lead and trail ", "evil\u202egnp.exe", "a:b;c=d&e+f", "sp\u00e4\u00df");
    private static final Pattern LINK = Pattern.compile("<a (?:[a-z]+=\"[^\"]*\" )*href=\"([^\"]*)\"");
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");

    @TempDir
    static Path folder;
    private static ServeryProcess server;

    @BeforeAll
    static void start() {
        var site = new Site(folder.resolve("site"));
        HOSTILE.forEach(name -> site.put("hostile/" + name, "x"));
        site.put("hostile/sub<b>/x", "x");
        site.put("control.html",
                "<!doctype html><title>idle</title><script>document.title = 'ran'; console.log('spoken')</script>");
        for (int i = 0; i < 201; i++) {
            site.put("many/f" + i, "");
        }
        server = ServeryProcess.start(ServeryProcess.Settings.of(folder, site.root()));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    // In a browser

    @Test
    void namesRunNoScriptInABrowserAndEveryLinkLeadsToSomething() throws Exception {
        Path browser = browser();
        Rendered control = dom(browser, "/control.html");
        assertThat(control.dom()).as("a page with a script, for comparison").contains("<title>ran</title>");
        assertThat(control.console()).contains("spoken");
        Rendered page = dom(browser, "/hostile/?q=&sort=modified&order=desc");
        assertThat(page.dom()).contains("<title>Index of /hostile/</title>", "<bdi>sub&lt;b&gt;/</bdi>").doesNotContain(
                "<script", "<img", "<b>");
        assertThat(page.console()).as("what the policy refused").doesNotContain("Content Security Policy");
        List<String> links = links(page.dom());
        assertThat(links).hasSizeGreaterThan(HOSTILE.size() + 5).noneMatch(link -> link.contains("javascript:"));
        for (String link : links) {
            assertThat(server.get(resolved(link)).status()).as(link).isEqualTo(200);
        }
        for (String name : HOSTILE) {
            String encoded = new URI("http", "h", "/" + name, null).toASCIIString().substring(9);
            assertThat(server.get("/hostile/" + encoded.replace("+", "%2B")).status()).as(name).isEqualTo(200);
        }
    }

    private static Path browser() {
        Stream<Path> found = BROWSERS.stream()
                .flatMap(name -> Stream.of("/usr/bin", "/usr/local/bin", "/snap/bin").map(bin -> Path.of(bin, name)))
                .filter(Files::isExecutable);
        Path browser = found.findFirst().orElse(null);
        assumeThat(browser).as("there is no Chromium here to read a listing").isNotNull();
        return browser;
    }

    private record Rendered(String dom, String console) {
    }

    private static Rendered dom(Path browser, String target) throws IOException, InterruptedException {
        Path profile = Files.createTempDirectory(folder, "browser");
        Path dom = profile.resolve("dom.html");
        Path console = profile.resolve("console.txt");
        Process process = new ProcessBuilder(browser.toString(), "--headless", "--no-sandbox", "--disable-gpu",
                "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                "--disable-sync", "--user-data-dir=" + profile.resolve("profile"), "--enable-logging=stderr",
                "--dump-dom", "http://127.0.0.1:" + server.port() + target).redirectOutput(dom.toFile())
                .redirectError(console.toFile()).start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("the browser ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Rendered(Files.readString(dom), Files.readString(console));
    }

    private static List<String> links(String page) {
        List<String> links = new ArrayList<>();
        for (Matcher link = LINK.matcher(page); link.find();) {
            links.add(link.group(1).replace("&amp;", "&"));
        }
        return links;
    }

    private static String resolved(String link) {
        if (link.startsWith("../")) {
            return link.substring(2);
        }
        return link.startsWith("/") ? link : "/hostile/" + (link.startsWith("./") ? link.substring(2) : link);
    }

    // On the wire

    @Test
    void pagesAreTurnedAndFiltered() {
        assertThat(entries(json("/many/"))).hasSize(200);
        assertThat(entries(json("/many/?page=2"))).containsExactly("f200");
        assertThat(entries(json("/many/?page=9999999"))).containsExactly("f200");
        assertThat(entries(json("/many/?q=F19&order=desc"))).startsWith("f199", "f198").endsWith("f19").hasSize(11);
        assertThat(json("/many/?page=x&sort=&order=sideways&q=%FF&other").text()).isEqualTo(json("/many/").text());
    }

    @Test
    void jsonIsReadByAnotherImplementation() throws Exception {
        Path python = Path.of("/usr/bin/python3");
        assumeThat(Files.isExecutable(python)).as("there is no Python here to read JSON").isTrue();
        Path file = Files.write(folder.resolve("listing.json"), json("/hostile/").body());
        Process process = new ProcessBuilder(python.toString(), "-c",
                "import json,sys\nd=json.load(open(sys.argv[1],encoding='utf-8'))\n"
                        + "sys.stdout.buffer.write('\\n'.join(e['name'] for e in d['entries'] if e['kind']=='file').encode())",
                file.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String names = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(names.lines()).containsExactlyInAnyOrderElementsOf(HOSTILE);
    }

    @Test
    void listingIsNegotiatedRevalidatedAndHasNoOtherMethods() {
        Answer page = server.get("/hostile/");
        assertThat(page.value("Content-Type")).isEqualTo("text/html; charset=utf-8");
        Answer json = json("/hostile/");
        assertThat(json.value("Content-Type")).isEqualTo("application/json");
        assertThat(List.of(page.value("Vary"), json.value("Vary"))).containsOnly("Accept");
        assertThat(page.value("ETag")).isNotEqualTo(json.value("ETag"));
        assertThat(ask("GET", "If-None-Match: " + page.value("ETag")).status()).isEqualTo(304);
        assertThat(ask("GET", "If-Match: \"none\"").status()).isEqualTo(412);
        assertThat(ask("POST", "Content-Length: 0").value("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        assertThat(ask("OPTIONS", "Accept: */*").status()).isEqualTo(204);
    }

    private static Answer json(String target) {
        return ask("GET", target, "Accept: application/json");
    }

    private static Answer ask(String method, String field) {
        return ask(method, "/hostile/", field);
    }

    private static Answer ask(String method, String target, String field) {
        try (WireConnection connection = server.connect()) {
            connection.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + field
                    + "\r\n\r\n");
            return connection.answer();
        }
    }

    private static List<String> entries(Answer json) {
        return Pattern.compile("\"name\":\"([^\"]*)\"").matcher(json.text()).results().map(found -> found.group(1))
                .toList();
    }
}

package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
        Browser browser = Browser.in(folder);
        Browser.Page control = browser.open(url("/control.html"));
        assertThat(control.dom()).as("a page with a script, for comparison").contains("<title>ran</title>");
        assertThat(control.said()).singleElement().asString().contains("spoken");
        Browser.Page page = browser.open(url("/hostile/?q=&sort=modified&order=desc"));
        assertThat(page.dom()).contains("<title>Index of /hostile/</title>", "<bdi>sub&lt;b&gt;/</bdi>").doesNotContain(
                "<script", "<img", "<b>");
        assertThat(page.said()).as("what the policy refused").isEmpty();
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

    private static String url(String target) {
        return "http://127.0.0.1:" + server.port() + target;
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
        Path python = Installed.anyOf("python3");
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

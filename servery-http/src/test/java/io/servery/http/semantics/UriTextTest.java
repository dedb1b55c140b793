package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What this server writes of a peer's text: segments (RFC 3986 §2 and §4.2), Location (RFC 9110 §10.2.2), pages.
class UriTextTest {
    // RFC 3986 §2.1 and §2.3

    @Test
    void unreservedCharactersStayAsTheyAre() {
        String name = "AZaz09-._~";
        assertThat(PercentEncoding.pathSegment(name)).isSameAs(name);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {"a b, a%20b", "a/b, a%2Fb", "100%, 100%25", "a?b#c, a%3Fb%23c",
            "caf\u00e9, caf%C3%A9", "\u20ac, %E2%82%AC", "\ud83d\ude00, %F0%9F%98%80", "a:b, a%3Ab",
            "javascript:x, javascript%3Ax", "a&b, a%26b", "a'b, a%27b", "<b>, %3Cb%3E", "a\"b, a%22b", "\\, %5C",
            "%41, %2541", "a;b, a%3Bb"})
    void everythingElseIsEncodedAsUtf8(String name, String segment) {
        assertThat(PercentEncoding.pathSegment(name)).isEqualTo(segment);
    }

    @Test
    void unpairedSurrogatesBecomeTheReplacementCharacter() {
        assertThat(PercentEncoding.pathSegment("a\ud800b")).isEqualTo("a%EF%BF%BDb");
        assertThat(PercentEncoding.pathSegment("\udc00")).isEqualTo("%EF%BF%BD");
        assertThat(PercentEncoding.pathSegment("\r\n\0")).isEqualTo("%0D%0A%00");
    }

    @Property
    void segmentIsPlainAndIsReadBack(@ForAll String name) {
        String segment = PercentEncoding.pathSegment(name);
        assertThat(segment.replaceAll("%[0-9A-F]{2}", "")).matches("[A-Za-z0-9._~-]*");
        String wellFormed = new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        if (wellFormed.equals(name)) {
            assertThat(URI.create("/" + segment).getPath()).isEqualTo("/" + name);
        }
    }

    // RFC 9110 §10.2.2 Location

    @ParameterizedTest
    @CsvSource({"/a, /a/", "/a/, /a/", "/, /", "/a b, /a%20b/", "/caf\u00e9/x, /caf%C3%A9/x/", "/a:b, /a:b/",
            "/%41, /%2541/", "a, /a/"})
    void directoryIsRedirectedToItsPathWithASlash(String path, String location) {
        assertThat(LocationPath.ofDirectory(path, null)).isEqualTo(location);
    }

    @Test
    void queryIsKeptAsReceived() {
        assertThat(LocationPath.ofDirectory("/a", "q=%41&b=/?")).isEqualTo("/a/?q=%41&b=/?");
        assertThat(LocationPath.ofDirectory("/a", "")).isEqualTo("/a/?");
    }

    @ParameterizedTest
    @CsvSource({"//evil.com, /evil.com/", "///evil.com/%2f.., /evil.com/%252f../", "/\\evil.com, /%5Cevil.com/",
            "\\\\evil.com, /%5C%5Cevil.com/", "//, /", "/a//b, /a/b/", "/\u00a0/evil, /%C2%A0/evil/"})
    void locationNeverNamesAnotherHost(String path, String location) {
        assertThat(LocationPath.ofDirectory(path, null)).isEqualTo(location);
    }

    @Test
    void locationIsWrittenByTheGrammarEvenOfWhatBrowsersSendUnencoded() {
        assertThat(LocationPath.ofDirectory("/[a]", "b={c|d}")).isEqualTo("/%5Ba%5D/?b=%7Bc%7Cd%7D");
    }

    @Test
    void locationNeverSplitsTheResponse() {
        assertThat(LocationPath.ofDirectory("/a\r\nSet-Cookie: x", "b\r\nc"))
                .isEqualTo("/a%0D%0ASet-Cookie:%20x/?b%0D%0Ac");
    }

    @Property
    void locationIsAnAbsolutePathOfThisHost(@ForAll String path, @ForAll String query) {
        for (String hostile : new String[]{path, "/" + path, "//" + path, "/\\" + path}) {
            String location = LocationPath.ofDirectory(hostile, query);
            assertThat(location.replaceAll("%[0-9A-Fa-f]{2}", ""))
                    .matches("/[A-Za-z0-9._~!$&'()*+,;=:@/-]*\\?[A-Za-z0-9._~!$&'()*+,;=:@/?-]*");
            String target = location.substring(0, location.indexOf('?'));
            assertThat(target).endsWith("/").doesNotContain("//");
            assertThat(URI.create("http://here.example/x").resolve(location).getHost()).isEqualTo("here.example");
        }
    }

    @Property
    void locationIsATargetThatThisServerAccepts(@ForAll String path, @ForAll String query) {
        assertThat(RequestTarget.parse(LocationPath.ofDirectory(path, query), Method.GET))
                .isInstanceOf(RequestTarget.Origin.class);
    }

    // Pages

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "caf\u00e9 \ud83d\ude00", "a\tb\n"})
    void plainTextIsItself(String text) {
        assertThat(Html.escape(text)).isSameAs(text);
    }

    @Test
    void markupIsEscaped() {
        assertThat(Html.escape("<script>alert('&\"')</script>"))
                .isEqualTo("&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;");
        assertThat(Html.escape("&amp;")).isEqualTo("&amp;amp;");
    }

    @Test
    void controlsAndUnpairedSurrogatesAreReplaced() {
        assertThat(Html.escape("a\0b\u001b[31m\r\u007f\u0085")).isEqualTo("a\ufffdb\ufffd[31m\ufffd\ufffd\ufffd");
        assertThat(Html.escape("\ud800a\udc00")).isEqualTo("\ufffda\ufffd");
        assertThat(Html.escape("\udc00\ud800")).isEqualTo("\ufffd\ufffd");
    }

    @Property
    void escapedTextHoldsNoMarkup(@ForAll String text) {
        String escaped = Html.escape(text);
        assertThat(escaped).doesNotContain("<", ">", "\"", "'");
        assertThat(escaped.replaceAll("&(amp|lt|gt|quot|#39);", "")).doesNotContain("&");
        assertThat(new String(escaped.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)).isEqualTo(escaped);
    }
}

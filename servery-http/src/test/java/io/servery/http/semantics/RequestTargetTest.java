package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.semantics.RequestTarget.Absolute;
import io.servery.http.semantics.RequestTarget.Asterisk;
import io.servery.http.semantics.RequestTarget.AuthorityForm;
import io.servery.http.semantics.RequestTarget.Fault;
import io.servery.http.semantics.RequestTarget.Invalid;
import io.servery.http.semantics.RequestTarget.Origin;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 §3.2, with the grammar of RFC 3986.
class RequestTargetTest {
    // §3.2.1 origin-form

    @Test
    void originFormIsPathAndQuery() {
        assertThat(get("/where?q=now")).isEqualTo(new Origin("/where", "q=now"));
        assertThat(get("/")).isEqualTo(new Origin("/", null));
        assertThat(get("/?")).isEqualTo(new Origin("/", ""));
        assertThat(get("/a?b?c/d")).isEqualTo(new Origin("/a", "b?c/d"));
        assertThat(get("//a//b/")).isEqualTo(new Origin("//a//b/", null));
    }

    @Test
    void pathAndQueryStayAsSent() {
        assertThat(get("/%7e/%2F/../a?%00%0a")).isEqualTo(new Origin("/%7e/%2F/../a", "%00%0a"));
        assertThat(get("/-._~!$&'()*+,;=:@?-._~!$&'()*+,;=:@/?"))
                .isEqualTo(new Origin("/-._~!$&'()*+,;=:@", "-._~!$&'()*+,;=:@/?"));
    }

    @Test
    void pathWithoutQueryIsTheTextItself() {
        String raw = "/index.html";
        assertThat(((Origin) get(raw)).path()).isSameAs(raw);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "\t", "\n", "\r", "\u001f", " ", "\"", "#", "<", ">", "\\", "\u007f", "\u0080",
            "\u00e9", "\u00ff", "\u0100", "\u2028", "\ud83d\ude00", "\ud800"})
    void charactersThatAUriDoesNotHoldAreRefused(String character) {
        assertThat(get("/a" + character + "b")).isEqualTo(new Invalid(Fault.CHARACTER));
        assertThat(get("/a?b" + character + "c")).isEqualTo(new Invalid(Fault.CHARACTER));
        assertThat(get("http://example.com/a" + character)).isEqualTo(new Invalid(Fault.CHARACTER));
        assertThat(get("http://example.com?" + character)).isEqualTo(new Invalid(Fault.CHARACTER));
    }

    /// A laxer reading than RFC 3986, on purpose: the URL standard of browsers leaves these unencoded.
    @ParameterizedTest
    @ValueSource(strings = {"[", "]", "^", "`", "{", "|", "}"})
    void charactersThatBrowsersSendUnencodedAreAcceptedInPathAndQueryAlone(String character) {
        assertThat(get("/a" + character)).isEqualTo(new Origin("/a" + character, null));
        assertThat(get("/?a" + character)).isEqualTo(new Origin("/", "a" + character));
        assertThat(get("http://a" + character + "/")).isEqualTo(new Invalid(Fault.AUTHORITY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%a", "%ag", "%g0", "%%41", "%u0041", "% 1", "%\uff11\uff11"})
    void percentWithoutTwoDigitsIsRefused(String escape) {
        assertThat(get("/" + escape)).isEqualTo(new Invalid(Fault.ESCAPE));
        assertThat(get("/?" + escape)).isEqualTo(new Invalid(Fault.ESCAPE));
    }

    // §3.2.2 absolute-form

    @Test
    void absoluteFormIsAWholeUri() {
        assertThat(get("http://www.example.org/pub/WWW/TheProject.html")).isEqualTo(
                new Absolute("http", new Authority("www.example.org", -1), "/pub/WWW/TheProject.html", null));
        assertThat(get("HTTPS://EXAMPLE.org:8443/a?b"))
                .isEqualTo(new Absolute("https", new Authority("example.org", 8443), "/a", "b"));
        assertThat(get("http://[::1]:80/"))
                .isEqualTo(new Absolute("http", new Authority("[::1]", 80), "/", null));
    }

    @Test
    void emptyPathOfAUriIsTheRoot() {
        assertThat(get("http://a")).isEqualTo(new Absolute("http", new Authority("a", -1), "/", null));
        assertThat(get("http://a?q")).isEqualTo(new Absolute("http", new Authority("a", -1), "/", "q"));
        assertThat(get("http://a:?")).isEqualTo(new Absolute("http", new Authority("a", -1), "/", ""));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', value = {"ftp://a/, SCHEME", "file:///etc/passwd, SCHEME", "httpx://a/, SCHEME",
            "ws://a/, SCHEME", "javascript:alert(1), SCHEME", "example.com:443, SCHEME", "http:/a, AUTHORITY",
            "http:a, AUTHORITY", "http:, AUTHORITY", "http://, AUTHORITY", "http:///a, AUTHORITY",
            "http://:80/, AUTHORITY", "http://user@a/, AUTHORITY", "http://user:pw@a/, AUTHORITY",
            "http://@a/, AUTHORITY", "http://a b/, AUTHORITY", "http://a\\b/, AUTHORITY", "http://a:99999/, AUTHORITY",
            "http://[::1/, AUTHORITY", "http://a%/, AUTHORITY", "http://a#f, CHARACTER", "http://a/#f, CHARACTER",
            "//a/b, ORIGIN", "a/b, FORM", "1http://a/, FORM", "ht tp://a/, FORM", "'h\u212at:/', FORM",
            "example.com, FORM", "index.html, FORM", "?q, FORM", "%2f, FORM", "**, FORM", "*/, FORM", "., FORM",
            ":, FORM", "\\\\a, FORM"})
    void otherTextsAreInvalidForTheirReason(String raw, String fault) {
        RequestTarget expected = fault.equals("ORIGIN") ? new Origin(raw, null) : new Invalid(Fault.valueOf(fault));
        assertThat(get(raw)).isEqualTo(expected);
    }

    @Test
    void emptyTargetIsInvalid() {
        assertThat(get("")).isEqualTo(new Invalid(Fault.FORM));
        assertThat(RequestTarget.parse("", Method.CONNECT)).isInstanceOf(Invalid.class);
    }

    // §3.2.3 authority-form

    @Test
    void connectNamesAHostAndItsPort() {
        assertThat(RequestTarget.parse("www.example.com:80", Method.CONNECT))
                .isEqualTo(new AuthorityForm(new Authority("www.example.com", 80)));
        assertThat(RequestTarget.parse("[::1]:443", Method.CONNECT))
                .isEqualTo(new AuthorityForm(new Authority("[::1]", 443)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.com", "example.com:", ":80", "/", "*", "http://example.com/", "example.com:80/",
            "user@example.com:80", "example.com:65536", "example.com:80?q"})
    void connectToAnythingElseIsInvalid(String raw) {
        assertThat(RequestTarget.parse(raw, Method.CONNECT)).isInstanceOf(Invalid.class);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONNECT")
    void authorityFormIsForConnectAlone(Method method) {
        assertThat(RequestTarget.parse("www.example.com:80", method)).isInstanceOf(Invalid.class);
    }

    // §3.2.4 asterisk-form

    @ParameterizedTest
    @EnumSource(Method.class)
    void asteriskIsForOptionsAlone(Method method) {
        RequestTarget target = RequestTarget.parse("*", method);
        if (method == Method.OPTIONS) {
            assertThat(target).isEqualTo(new Asterisk());
        } else {
            assertThat(target).isInstanceOf(Invalid.class);
        }
    }

    @Property
    void whatIsAcceptedIsMadeOfWhatWasSent(@ForAll String text, @ForAll Method method) {
        for (String raw : new String[]{text, "/" + text, "http://h/" + text, "http://" + text}) {
            String reassembled = switch (RequestTarget.parse(raw, method)) {
                case Origin(var path, var query) -> query == null ? path : path + "?" + query;
                case Absolute(var scheme, var authority, var path, var query) -> {
                    assertThat(scheme).isEqualTo("http");
                    assertThat(path).startsWith("/");
                    assertThat(authority.host()).isNotEmpty();
                    assertThat(query == null || raw.endsWith(query)).isTrue();
                    yield raw;
                }
                case AuthorityForm(var authority) -> authority.toString();
                case Asterisk() -> "*";
                case Invalid(var fault) -> {
                    assertThat(fault).isNotNull();
                    yield raw;
                }
            };
            assertThat(reassembled).isEqualToIgnoringCase(raw);
        }
    }

    private static RequestTarget get(String raw) {
        return RequestTarget.parse(raw, Method.GET);
    }
}

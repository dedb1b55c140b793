package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.http.semantics.TargetPath.Accepted;
import io.servery.http.semantics.TargetPath.Fault;
import io.servery.http.semantics.TargetPath.Rejected;
import io.servery.http.semantics.TargetPath.Result;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 3986 §2.1, §3.3, §5.2.4 and §7.3, RFC 3629 §3.
class TargetPathTest {
    // RFC 3986 §2.1 Percent-encoding

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a/b.html", "/a//b/./c", "/-._~!$&'()*+,;=:@/", "/...", "/..a", "/a..", "/a..b",
            "/.a", "/a;x=..", "/....//", "/[slug].js", "/a^`{|}"})
    void pathWithoutEscapesIsItself(String raw) {
        Accepted accepted = (Accepted) TargetPath.resolve(raw);
        assertThat(accepted.decoded()).isSameAs(raw);
        assertThat(accepted.directory()).isEqualTo(raw.endsWith("/"));
        assertThat(accepted.encodedSeparator()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"/%41, /A", "/%7e%7E, /~~", "/a%20b, /a b", "/caf%C3%A9, /caf\u00e9", "/%e2%82%ac, /\u20ac",
            "/%F0%9F%98%80, /\ud83d\ude00", "/%3f%23, /?#", "/a%2Eb, /a.b", "/%2e, /.", "/%2e%2e%2e, /...",
            "/+, /+", "/%EF%BF%BD, /\ufffd", "/%F4%8F%BF%BF, /\udbff\udfff"})
    void escapesAreDecoded(String raw, String decoded) {
        assertThat(TargetPath.resolve(raw)).isEqualTo(new Accepted(decoded, false, false));
    }

    /// CVE-2021-42013 came of decoding twice.
    @ParameterizedTest
    @CsvSource({"/%252e%252e/a, /%2e%2e/a", "/%25%32%65, /%2e", "/%252F, /%2F", "/%2500, /%00", "/%255c, /%5c"})
    void escapesAreDecodedOnce(String raw, String decoded) {
        assertThat(TargetPath.resolve(raw)).isEqualTo(new Accepted(decoded, false, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%", "/%4", "/%4/", "/%g1", "/%1g", "/%%35%63", "/.%%32%65/", "/%u002e", "/%-1", "/% 1",
            "/%\uff12\uff12"})
    void incompleteEscapesAreRefused(String raw) {
        assertThat(TargetPath.resolve(raw)).isEqualTo(new Rejected(Fault.ESCAPE));
    }

    @Test
    void encodedSeparatorsAreDecodedAndTold() {
        assertThat(TargetPath.resolve("/a%2Fb")).isEqualTo(new Accepted("/a/b", false, true));
        assertThat(TargetPath.resolve("/a%2fb/")).isEqualTo(new Accepted("/a/b/", true, true));
        assertThat(TargetPath.resolve("/a%5Cb")).isEqualTo(new Accepted("/a\\b", false, true));
        assertThat(TargetPath.resolve("/%41%5cb")).isEqualTo(new Accepted("/A\\b", false, true));
        assertThat(TargetPath.resolve("/a%2F")).isEqualTo(new Accepted("/a/", false, true));
    }

    // RFC 3986 §3.3 Path

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "*", "a/b", "http://a/", "%2f", "\\", "?"})
    void pathThatDoesNotStartWithASlashIsRefused(String raw) {
        assertThat(TargetPath.resolve(raw)).isEqualTo(new Rejected(Fault.FORM));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/\u0000", "/\n", "/ ", "/\"", "/#", "/<", "/>", "/?", "/\\", "/\u007f", "/\u0080",
            "/\u00e9", "/\uff0e\uff0e", "/\u2215"})
    void rawCharactersOutsideAPathAreRefused(String raw) {
        assertThat(TargetPath.resolve(raw)).isEqualTo(new Rejected(Fault.CHARACTER));
    }

    // RFC 3986 §5.2.4 Dot segments, §7.3 Back-end transcoding

    /// CVE-2021-41773 (Apache) and its kin: every spelling of the parent.
    @ParameterizedTest
    @ValueSource(strings = {"/..", "/../", "/../a", "/a/..", "/a/../b", "/a/..//b", "/%2e%2e", "/%2E%2E/", "/.%2e/a",
            "/%2e./a", "/a/%2e%2e/b", "/..%2f", "/..%2Fa", "/a%2f..", "/a%2F..%2Fb", "/%2e%2e%2fetc", "/..%5c",
            "/..%5Ca",
            "/a%5c..%5cb", "/a%5C%2e%2E", "/%5c..", "/..;", "/..;/a", "/a/..;x=1/b", "/..%3b/a", "/%2e%2e;/",
            "/%2e%2e%3B",
            "/a%5c..;b", "/.../../a", "/..a/.."})
    void parentIsRefusedInAnyForm(String raw) {
        assertThat(TargetPath.resolve(raw)).isEqualTo(new Rejected(Fault.PARENT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/...", "/..a", "/a..", "/a../b", "/..a/b", "/a/..b", "/..%20/x", "/;..", "/a;..",
            "/..,", "/..%20", "/%20..", "/..:"})
    void namesThatOnlyContainTwoDotsAreNames(String raw) {
        Result result = TargetPath.resolve(raw);
        assertThat(result).isInstanceOf(Accepted.class);
    }

    // RFC 3986 §7.3: NUL and controls

    @ParameterizedTest
    @ValueSource(strings = {"/%00", "/a%00.html", "/a/%00/b", "/..%00/", "/%00%0a"})
    void nulIsRefused(String raw) {
        assertThat(TargetPath.resolve(raw)).isEqualTo(new Rejected(Fault.NUL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%01", "/%09", "/%0a", "/%0d%0aSet-Cookie:x", "/%1b31m", "/%1F", "/%7f",
            "/%C2%80", "/%C2%85", "/%c2%9b", "/%C2%9F"})
    void controlsAreRefused(String raw) {
        assertThat(TargetPath.resolve(raw)).isEqualTo(new Rejected(Fault.CONTROL));
    }

    // RFC 3629 §3 and §10: UTF-8, and nothing that only looks like it

    @ParameterizedTest
    @ValueSource(strings = {"/%80", "/%bf", "/%C3", "/%C3/", "/%C3a", "/%C3%41", "/%E2%82", "/%F0%9F%98", "/%c0%ae",
            "/%C0%AF", "/%c0%80", "/%C1%BF", "/%e0%80%ae", "/%E0%9F%BF", "/%f0%80%80%ae", "/%F0%8F%BF%BF", "/%ED%A0%80",
            "/%ed%bf%bf", "/%ED%A0%BD%ED%B8%80", "/%F4%90%80%80", "/%F5%80%80%80", "/%F8%88%80%80%80", "/%FE", "/%ff",
            "/caf%E9", "/%c0%ae%c0%ae/"})
    void octetsThatAreNoUtf8AreRefused(String raw) {
        assertThat(TargetPath.resolve(raw)).isEqualTo(new Rejected(Fault.ENCODING));
    }

    @Property(tries = 5000)
    void acceptedPathIsNeverOutsideItsRoot(@ForAll("hostile") String raw) {
        if (TargetPath.resolve(raw) instanceof Accepted(var decoded, _, var encodedSeparator)) {
            assertThat(decoded).startsWith("/").doesNotContain("\0");
            assertThat(decoded.chars()).noneMatch(Character::isISOControl);
            assertThat(List.of(decoded.split("[/\\\\]", -1))).doesNotContain("..")
                    .noneMatch(name -> name.startsWith("..;"));
            assertThat(encodedSeparator).isEqualTo(raw.toLowerCase(Locale.ROOT).matches(".*%(2f|5c).*"));
        }
    }

    @Property
    void decodedPathEncodedAgainIsTheSamePath(@ForAll String text) {
        String raw = "/" + PercentEncoding.pathSegment(text);
        switch (TargetPath.resolve(raw)) {
            case Accepted(var decoded, _, _) -> {
                assertThat("/" + PercentEncoding.pathSegment(decoded.substring(1))).isEqualTo(raw);
                assertThat(TargetPath.resolve(PercentEncoding.path(decoded))).isNotNull();
            }
            case Rejected(var fault) -> assertThat(fault).isIn(Fault.NUL, Fault.CONTROL, Fault.PARENT);
        }
    }

    @Property
    void resolveNeverThrows(@ForAll String text) {
        assertThat(TargetPath.resolve(text)).isNotNull();
        assertThat(TargetPath.resolve("/" + text)).isNotNull();
    }

    @Provide
    Arbitrary<String> hostile() {
        return Arbitraries.of("/", ".", "..", "%2e", "%2E", "%2f", "%5C", "%00", "%25", "2e", ";", "%3b", "a", "%c0%ae",
                "%C3%A9", "%", "\\", "%0d", ".well-known", "%252e").list().ofMinSize(1).ofMaxSize(12)
                .map(parts -> "/" + String.join("", parts));
    }
}

package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 3986 §3.2, RFC 9110 §4.2 and §7.2, RFC 9112 §3.2.
class AuthorityTest {
    // RFC 3986 §3.2.2 Host

    @ParameterizedTest
    @ValueSource(strings = {"example.com", "a", "localhost", "my_host", "xn--bcher-kva.example", "example.com.", "-",
            "a..b", "1.2.3", "256.1.1.1", "01.02.03.04", "a~b", "a!$&'()*+,;=b", "%41bc", "caf%C3%A9.example", "0"})
    void registeredNames(String host) {
        assertThat(Authority.parse(host)).isEqualTo(new Authority(lower(host), Authority.NO_PORT));
        assertThat(Authority.isValid(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "127.0.0.1", "255.255.255.255"})
    void ipv4Addresses(String host) {
        assertThat(Authority.parse(host)).isEqualTo(new Authority(host, Authority.NO_PORT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[::]", "[::1]", "[1::]", "[2001:db8::1]", "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7::]",
            "[::2:3:4:5:6:7:8]", "[1::3:4:5:6:7:8]", "[1:2:3::8]", "[::ffff:192.0.2.1]", "[::192.0.2.1]",
            "[1:2:3:4:5:6:192.0.2.1]", "[64:ff9b::192.0.2.33]", "[FE80::ABCD]", "[0000:0000::0001]",
            "[1:2:3:4:5::192.0.2.1]"})
    void ipv6Addresses(String host) {
        assertThat(Authority.parse(host)).isEqualTo(new Authority(lower(host), Authority.NO_PORT));
        assertThat(Authority.parse(host + ":8080")).isEqualTo(new Authority(lower(host), 8080));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[", "]", "[:]", "[:::]", "[1]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]",
            "[1:2:3:4:5:6:7:8::]", "[::1:2:3:4:5:6:7:8]", "[1::2::3]", "[1:]", "[:1]", "[1:2:3:4:5:6:7:8:]",
            "[12345::]", "[g::]", "[::1", "::1", "[::1]]", "[[::1]]", "[::1]x", "[::1]:x", "[::1 ]", "[ ::1]",
            "[::192.0.2]", "[::192.0.2.256]", "[::192.0.2.01]", "[::192.0.2.1.1]", "[::192.0.2.1:1]", "[::192.0.2.]",
            "[1:2:3:4:5:6:7:192.0.2.1]", "[192.0.2.1]", "[192.0.2.1::]", "[fe80::1%25eth0]", "[fe80::1%eth0]",
            "[::1.2.3.4.]", "[::\uff11]", "[::.1.2.3]", "[1:2:3:4:5:6::1.2.3.4]", "[:::1]", "[1:::2]"})
    void whatIsNoIpv6AddressIsRefused(String text) {
        assertThat(Authority.parse(text)).isNull();
        assertThat(Authority.isValid(text)).isFalse();
    }

    @Test
    void futureLiteralsAreReadByTheirForm() {
        assertThat(Authority.parse("[v1.fe80::a+en1]")).isEqualTo(new Authority("[v1.fe80::a+en1]", -1));
        assertThat(Authority.parse("[VF.x]:1")).isEqualTo(new Authority("[vf.x]", 1));
        assertThat(Authority.parse("[v0.a]")).isEqualTo(new Authority("[v0.a]", -1));
        assertThat(Authority.parse("[v10F.a]")).isEqualTo(new Authority("[v10f.a]", -1));
        assertThat(Authority.parse("[v1.]")).isNull();
        assertThat(Authority.parse("[v.x]")).isNull();
        assertThat(Authority.parse("[vg.x]")).isNull();
        assertThat(Authority.parse("[v1.a/b]")).isNull();
        assertThat(Authority.parse("[v1./]")).isNull();
        assertThat(Authority.parse("[v1]")).isNull();
    }

    /// CVE-2025-12543: a Host that is passed on unchecked poisons caches and links.
    @ParameterizedTest
    @ValueSource(strings = {"a b", "a, b", "a\tb", "a\u0000", "a\r", "a\n", "a/b", "a?b", "a#b", "a\\b", "a\"b", "<a>",
            "a^b", "a`b", "{a}", "a|b", "a@b", "user@host", "user:pw@host", "@", "http://a", "caf\u00e9", "\u212a",
            "\u3002", "a%", "a%4", "a%4g", "%zz", "a\u007f", " a", "a "})
    void otherCharactersAreRefused(String text) {
        assertThat(Authority.parse(text)).isNull();
        assertThat(Authority.isValid(text)).isFalse();
    }

    @Test
    void emptyHostIsRefused() {
        assertThat(Authority.parse("")).isNull();
        assertThat(Authority.parse(":")).isNull();
        assertThat(Authority.parse(":80")).isNull();
        assertThat(Authority.isValid("")).isFalse();
        assertThat(Authority.isValid(":80")).isFalse();
    }

    @Test
    void hostIsInLowerCase() {
        assertThat(Authority.parse("EXAMPLE.Com")).isEqualTo(new Authority("example.com", Authority.NO_PORT));
    }

    @Test
    void textLongerThan255IsRefused() {
        assertThat(Authority.parse("a".repeat(255))).isNotNull();
        assertThat(Authority.parse("a".repeat(256))).isNull();
        assertThat(Authority.parse("a".repeat(252) + ":80")).isNotNull();
        assertThat(Authority.parse("a".repeat(253) + ":80")).isNull();
    }

    // RFC 3986 §3.2.3 Port

    @ParameterizedTest
    @CsvSource({"a:0, 0", "a:9, 9", "a:80, 80", "a:65535, 65535", "a:0080, 80", "a:0000000065535, 65535", "a:, -1",
            "a, -1"})
    void portIsAnyNumberOfDigits(String text, int port) {
        assertThat(Authority.parse(text)).isEqualTo(new Authority("a", port));
        assertThat(Authority.isValid(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:65536", "a:99999999999999999999", "a:4294967376", "a:-1", "a:+1", "a:8 0", "a:80 ",
            "a: 80", "a:8a", "a:80:80", "a::80", "a:0x50", "a:\u0668\u0660", "a:80/"})
    void otherPortsAreRefused(String text) {
        assertThat(Authority.parse(text)).isNull();
    }

    // RFC 9110 §4.2.3 Normalization and comparison

    @ParameterizedTest
    @CsvSource({"example.com, EXAMPLE.COM, http, true", "example.com, example.com:80, http, true",
            "example.com:, example.com:80, http, true", "example.com, example.com:443, http, false",
            "example.com, example.com:443, https, true", "example.com, example.com:80, https, false",
            "example.com:8080, example.com:8080, http, true", "example.com:8080, example.com, http, false",
            "example.com, example.org, http, false", "example.com, example.com., http, false",
            "[::1], [0:0:0:0:0:0:0:1], http, true", "[::1]:80, [0::0001], http, true",
            "[::ffff:1.2.3.4], [::FFFF:102:304], http, true", "[::1], [::2], http, false",
            "[::1], localhost, http, false",
            "[v1.a], [v1.b], http, false", "[v1.A], [V1.a], http, true", "[1::], [::1], http, false"})
    void equivalenceFollowsSchemeAndCase(String one, String other, String scheme, boolean same) {
        assertThat(Authority.equivalent(Authority.parse(one), Authority.parse(other), scheme)).isEqualTo(same);
        assertThat(Authority.equivalent(Authority.parse(other), Authority.parse(one), scheme)).isEqualTo(same);
    }

    @Property
    void everyAuthorityIsReadBackFromItsText(
            @ForAll @Chars({'a', 'F', '1', ':', '.', '[', ']', '%', '0', '4', 'v'}) String text) {
        Authority authority = Authority.parse(text);
        assertThat(Authority.isValid(text)).isEqualTo(authority != null);
        if (authority != null) {
            assertThat(Authority.parse(authority.toString())).isEqualTo(authority);
            assertThat(Authority.equivalent(authority, authority, "http")).isTrue();
        }
    }

    @Property
    void parseNeverThrows(@ForAll String text) {
        Authority plain = Authority.parse(text);
        assertThat(plain == null || plain.port() <= 65_535).isTrue();
        assertThat(Authority.isValid("[" + text + "]")).isEqualTo(Authority.parse("[" + text + "]") != null);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}

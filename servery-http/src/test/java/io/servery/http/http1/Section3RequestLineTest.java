package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112 §3: the request line, the target and Host.
class Section3RequestLineTest {
    private static String request(String line) {
        return line + "\r\nHost: h\r\n\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET  / HTTP/1.1", "GET /  HTTP/1.1", " GET / HTTP/1.1", "GET / HTTP/1.1 ",
            "GET\t/ HTTP/1.1",
            "GET /\tHTTP/1.1", "GET /", "GET", "/ HTTP/1.1", "G@T / HTTP/1.1", "GET / x HTTP/1.1", "GET HTTP/1.1",
            "G\u00c9T / HTTP/1.1", "GET: / HTTP/1.1"})
    void exactlyOneSpaceStandsBetweenThreeParts(String line) { // §3
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(request(line)).statuses()).containsExactly(400);
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void anUnknownMethodReachesTheHandlerAsItWasSent() { // §3.1
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(request("get /a HTTP/1.1")).answers()).endsWith("get /a");
            assertThat(peer.send(request("M-SEARCH!#$%&'*+-.^_`|~ /a HTTP/1.1")).answers()).endsWith("|~ /a");
        }
    }

    @Test
    void aMethodOfThirtyTwoLettersIsReadAndOneMoreIsAnswered501() { // §3
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(request("A".repeat(32) + " / HTTP/1.1")).statuses()).containsExactly(200);
            assertThat(peer.send(request("A".repeat(33) + " / HTTP/1.1")).statuses()).containsExactly(501);
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void aTargetOfTheLimitIsReadAndOneMoreIsAnswered414() { // §3
        String longest = "/" + "a".repeat(Peer.LIMITS.targetBytesMax() - 1);
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.sendBytewise(request("GET " + longest + " HTTP/1.1")).statuses()).containsExactly(200);
            assertThat(peer.send(request("GET " + longest + "a HTTP/1.1")).statuses()).containsExactly(414);
            assertThat(peer.rejections(Reason.TARGET_TOO_LONG)).isOne();
        }
    }

    @Test
    void aRequestLineWithoutAnEndIsRefusedAtItsLimitWhateverTheSegments() { // §3
        String endless = "GET /" + "a".repeat(Peer.LIMITS.targetBytesMax() + 100);
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(endless).statuses()).containsExactly(414);
        }
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.sendBytewise(endless).statuses()).containsExactly(414);
        }
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("A".repeat(9000)).statuses()).containsExactly(501);
        }
    }

    @ParameterizedTest
    @CsvSource({"/a, /a", "/a?b=/../c, /a", "/%61, /a", "/a%2Fb, /a/b", "/%C3%A9, /\u00e9", "http://h/a, /a",
            "HTTP://h:80/a?q, /a", "http://h, /", "http://h?q, /"})
    void theTargetIsDecodedOnce(String target, String path) { // §3.2
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(request("GET " + target + " HTTP/1.1")).answers()).endsWith("GET " + path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "*", "/..", "/a/../b", "/a/%2e%2E/b", "/%2e./", "/..;x/", "/a%5c..%5cb", "/%00",
            "/%0a",
            "/%zz", "/%", "/%2", "/%c0%af", "/%ed%a0%80", "/a#b", "/a\"b", "/a<b", "/a>b", "/a\\b", "/\u00e9",
            "/\u007f",
            "http:///a", "http://u@h/a", "ftp://h/a", "http:a", "//../x", "h:80"})
    void aMalformedOrEscapingTargetIsRefused(String target) { // §3.2
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(request("GET " + target + " HTTP/1.1")).statuses()).containsExactly(400);
            assertThat(peer.ended()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h", "h:80", "h:", "127.0.0.1:8080", "[::1]", "[::1]:443", "a.b-c_d"})
    void oneValidHostIsAccepted(String host) { // §3.2
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n").statuses()).containsExactly(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Host: a\r\nHost: a\r\n", "Host:\r\n", "Host: a b\r\n", "Host: u@h\r\n",
            "Host: h:99999\r\n",
            "Host: h/\r\n", "Host: [::1\r\n", "Host: a, b\r\n", "hOST: a\r\nHost: b\r\n"})
    void noHostOrMoreThanOneOrAMalformedOneIsRefused(String fields) { // §3.2
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("GET / HTTP/1.1\r\n" + fields + "\r\n").statuses()).containsExactly(400);
            assertThat(peer.rejections(Reason.BAD_HOST)).isOne();
            assertThat(peer.ended()).isTrue();
        }
    }

    @Test
    void http10MayDoWithoutHostButMustNotRepeatIt() { // §3.2
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("GET / HTTP/1.0\r\n\r\n").statuses()).containsExactly(200);
        }
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n").statuses()).containsExactly(400);
        }
    }

    @ParameterizedTest
    @CsvSource({"http://h/, h, 200", "http://h:80/, h, 200", "http://H/, h:80, 200", "https://h/, h:443, 421",
            "http://h/, i, 400", "http://h:81/, h, 400", "https://h/, h:80, 400"})
    void anAbsoluteTargetMustAgreeWithHost(String target, String host, int status) { // §3.2.2
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n").statuses())
                    .containsExactly(status);
        }
    }

    @Test
    void connectTakesAnAuthorityWithAPort() { // §3.2.3
        for (String target : new String[]{"h", "/", "http://h/", "*", "h:x"}) {
            try (Peer peer = new Peer(Plans.NAMES)) {
                assertThat(peer.send(request("CONNECT " + target + " HTTP/1.1")).statuses()).containsExactly(400);
            }
        }
    }

    @Test
    void theAsteriskIsForOptionsAlone() { // §3.2.4
        try (Peer peer = new Peer(Plans.NAMES)) {
            assertThat(peer.send(request("OPTIONS * HTTP/1.1")).statuses()).containsExactly(200);
            assertThat(peer.send(request("HEAD * HTTP/1.1")).statuses()).containsExactly(400);
        }
    }
}

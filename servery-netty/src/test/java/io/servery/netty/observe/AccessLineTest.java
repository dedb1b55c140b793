package io.servery.netty.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.unix.DomainSocketAddress;
import io.servery.http.exchange.HttpVersion;
import io.servery.http.exchange.RequestHead;
import io.servery.netty.files.TestRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// One line a request, whatever its peer sent.
class AccessLineTest {
    private static final SocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final Pattern LINE = Pattern.compile(
            "127\\.0\\.0\\.1 - - \\[\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d \\+0000\\] "
                    + "\"(\\S+) (\\S+) HTTP/1\\.[01]\" (\\d{3}) (\\d+)\n");

    private final AccessLine line = new AccessLine(16);

    private String of(SocketAddress peer, RequestHead head, int status, long contentBytes) {
        line.append(peer, head, status, contentBytes);
        return new String(line.take(), StandardCharsets.ISO_8859_1);
    }

    private String targetOf(String target) {
        Matcher found = LINE.matcher(of(PEER, TestRequest.head("GET", target), 200, 1));
        assertThat(found.matches()).as("a line of the Common Log Format for %s", target).isTrue();
        return found.group(2);
    }

    @Test
    void partsStandInTheOrderOfTheCommonLogFormat() {
        String text = of(PEER, TestRequest.head("GET", "/a/b.html"), 206, Long.MAX_VALUE);

        assertThat(text).matches(LINE).endsWith("\"GET /a/b.html HTTP/1.1\" 206 9223372036854775807\n");
    }

    @Test
    void versionAndMethodAreThoseOfTheRequest() {
        RequestHead head = TestRequest.head("BREW", "/");
        head.recordVersion(HttpVersion.HTTP_1_0);

        assertThat(of(PEER, head, 501, 0)).endsWith("\"BREW / HTTP/1.0\" 501 0\n");
    }

    @Test
    void queryIsLeftOut() {
        assertThat(targetOf("/a?token=secret")).isEqualTo("/a");
    }

    @Test
    void everyByteThatIsNotVisibleAsciiAndQuoteAndBackslashAreEscaped() {
        for (int value = 0; value < 256; value++) {
            char sent = (char) value;
            String written = targetOf("/x" + sent + "y");
            if (sent == '?') {
                assertThat(written).isEqualTo("/x");
            } else if (sent > ' ' && sent < 0x7f && sent != '"' && sent != '\\') {
                assertThat(written).isEqualTo("/x" + sent + "y");
            } else {
                assertThat(written).isEqualTo("/x\\x%02xy", value);
            }
        }
    }

    /// A target that tries to end its line and to begin another one.
    @Test
    void targetCannotForgeALine() {
        assertThat(targetOf("/\" 200 1\r\n10.0.0.1 - - [x] \"GET /")).isEqualTo(
                "/\\x22\\x20200\\x201\\x0d\\x0a10.0.0.1\\x20-\\x20-\\x20[x]\\x20\\x22GET\\x20/");
    }

    @Test
    void recordIsAtMostFourKibibytesHoweverLongTheTargetAndTheCutIsMarked() {
        for (String unit : new String[]{"a", "\u00ff"}) {
            String text = of(PEER, TestRequest.head("GET", "/" + unit.repeat(10_000)), 404, Long.MAX_VALUE);

            assertThat(text.length()).isBetween(3800, AccessLine.RECORD_BYTES_MAX);
            assertThat(text).contains("... HTTP/1.1\" 404 ");
        }
    }

    @Test
    void cutStandsAtTheLengthOfItsOwnRecordNotOfAllThatIsGathered() {
        line.append(PEER, TestRequest.head("GET", "/" + "a".repeat(3000)), 200, 1);
        line.append(PEER, TestRequest.head("GET", "/" + "b".repeat(3000)), 200, 1);

        assertThat(line.records()).isEqualTo(2);
        assertThat(new String(line.take(), StandardCharsets.US_ASCII)).doesNotContain("...").contains("b".repeat(3000));
        assertThat(line.records()).isZero();
        assertThat(line.length()).isZero();
    }

    @Test
    void refusedRequestLineIsADash() {
        assertThat(of(PEER, new RequestHead(), 400, 21)).endsWith(" \"-\" 400 21\n");
    }

    @Test
    void peerOfAUnixSocketAndOfIpv6HaveTheirOwnWords() throws UnknownHostException {
        RequestHead head = TestRequest.head("GET", "/");

        assertThat(of(new DomainSocketAddress(""), head, 200, 1)).startsWith("unix - - [");
        assertThat(of(new InetSocketAddress(InetAddress.getByName("2001:db8::1"), 1), head, 200, 1))
                .startsWith("2001:db8:0:0:0:0:0:1 - - [");
    }
}

package io.servery.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.servery.core.tls.CertificateNames;
import io.servery.http.exchange.RequestHead;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110 §15.5.20: which values of Host an identity stands for.
class HostMemoTest {
    private static final int RUNS = 20_000;

    private final HostMemo hosts = new HostMemo(
            CertificateNames.of(List.of("site.example", "*.wild.example", "127.0.0.1", "::1")));
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private int sink;

    @ParameterizedTest
    @ValueSource(strings = {"site.example", "SITE.example:8443", "site.example.", "a.wild.example", "127.0.0.1:443",
            "[::1]", "[0:0:0:0:0:0:0:1]:8443"})
    void hostOfTheIdentityIsCoveredWithAnyPort(String host) {
        assertThat(hosts.covered(head(host))).isNotNull();
        assertThat(hosts.covered(head(host))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "other.example", "wild.example", "a.b.wild.example", "127.0.0.2", "[::2]",
            "site.example:x",
            "site.example@other", "*.wild.example"})
    void anyOtherHostIsNotEvenAfterOneThatIs(String host) {
        assertThat(hosts.covered(head("site.example"))).isNotNull();
        assertThat(hosts.covered(head(host))).isNull();
        assertThat(hosts.covered(head("site.example"))).isNotNull();
    }

    @Test
    void sameHostAgainAllocatesNothing() {
        RequestHead head = head("site.example:8443");
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < RUNS; i++) {
                sink += hosts.covered(head) == null ? 1 : 2;
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(sink).isEqualTo(2 * 5 * RUNS);
        assertThat(least / RUNS).isZero();
    }

    static RequestHead head(String host) {
        RequestHead head = new RequestHead();
        byte[] line = ("Host:" + host).getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(line, 0, head.bytesWithRoomFor(line.length), 0, line.length);
        head.length(line.length);
        head.recordField(0, 4, 5, line.length - 5);
        return head;
    }
}

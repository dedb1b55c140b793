package io.servery.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPolicyTest {
    private final HostPolicy loopback = HostPolicy.loopback(List.of("Admin.internal", "::1", "127.0.0.1"));

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LocalHost:9090", "127.0.0.1", "127.0.0.1:9090", "127.8.9.10:1", "[::1]",
            "[::1]:9090", "admin.internal", "ADMIN.INTERNAL:9090", "localhost:"})
    void nameThatCanOnlyBeThisHostIsAccepted(String host) {
        assertThat(loopback.accepts(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "evil.example", "evil.example:9090", "localhost.evil.example", "127.0.0.1.evil.example",
            "127.0.0.1.nip.io", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "127.00.0.1", "128.0.0.1", "::1",
            "[::2]", "0.0.0.0", "localhost@evil.example", "evil.example:localhost", "localhost:9090:9090",
            "localhost:999999", " localhost", "notadmin.internal", "10.0.0.5"})
    void anyOtherNameIsRefused(String host) {
        assertThat(loopback.accepts(host)).isFalse();
    }

    @Test
    void absentHostIsAcceptedBecauseNoBrowserLeavesItOut() {
        assertThat(loopback.accepts(null)).isTrue();
    }

    @Test
    void unixSocketAndPublicBindLookAtNoName() {
        assertThat(HostPolicy.unixSocket().accepts("anything.example")).isTrue();
        assertThat(new HostPolicy.PublicBind().accepts("anything.example")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, true", "127.9.9.9, true", "::1, true", "0.0.0.0, false", "::, false", "10.0.0.5, false",
            "192.0.2.1, false", "::ffff:10.0.0.5, false"})
    void policyFollowsTheBoundAddress(String address, boolean loopback) throws UnknownHostException {
        HostPolicy policy = HostPolicy.boundTo(InetAddress.getByName(address), "admin.internal");

        assertThat(policy.accepts("evil.example")).isEqualTo(!loopback);
        assertThat(policy.accepts("admin.internal:9090")).isTrue();
    }
}

package io.servery.core.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9525 §6: which host a certificate stands for, and which identity a host is for.
class CertificateNamesTest {
    private static final CertificateNames NAMES = CertificateNames
            .of(List.of("example.org", "*.Example.net", "192.0.2.7", "2001:DB8::7", "localhost",
                    "my_host.example.org"));

    @ParameterizedTest
    @ValueSource(strings = {"example.org", "EXAMPLE.ORG", "example.org.", "a.example.net", "A-b.EXAMPLE.net.",
            "xn--bcher-kva.example.net", "192.0.2.7", "[2001:db8::7]", "2001:db8:0::7", "[2001:DB8:0:0:0:0:0:7]",
            "localhost", "my_host.example.org"})
    void hostIsCoveredHoweverItIsWritten(String host) {
        assertThat(NAMES.covers(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "example.com", "www.example.org", "example.net", ".example.net",
            "a.b.example.net", "*.example.net", "example.org..", "example..org", "192.0.2.8", "192.0.2.007",
            "192.0.519",
            "3221225991", "[192.0.2.7]", "[2001:db8::8]", "[2001:db8::7", "2001:db8::7%eth0", "example.org:443",
            "exämple.net", "a%62.example.net", "example.org/", "a .example.net"})
    void otherHostIsNot(String host) {
        assertThat(NAMES.covers(host)).isFalse();
    }

    @Test
    void wildcardStandsForNoAddress() {
        CertificateNames names = CertificateNames.of(List.of("*.0.2.7", "*.2.7"));
        assertThat(names.covers("192.0.2.7")).isFalse();
        assertThat(names.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "f*.example.org", "*f.example.org", "a.*.example.org", "*.*.example.org",
            "*example.org",
            "*..example.org", "*.", "exa mple.org", "bücher.example", "192.0.2", "::1%lo"})
    void textThatNoHostMatchesIsNoName(String text) {
        assertThat(CertificateNames.of(List.of(text)).isEmpty()).isTrue();
    }

    @Test
    void labelsAndNamesHaveTheirLengths() {
        String label = "a".repeat(63);
        assertThat(CertificateNames.of(List.of(label + ".example")).covers(label + ".example")).isTrue();
        assertThat(CertificateNames.of(List.of(label + "a.example")).isEmpty()).isTrue();
        String longest = (label + ".").repeat(3) + "a".repeat(61);
        assertThat(CertificateNames.of(List.of(longest)).covers(longest)).isTrue();
        assertThat(CertificateNames.of(List.of(longest + "a")).isEmpty()).isTrue();
    }

    @Test
    void indexPrefersTheExactNameAndThenTheFirstIdentity() {
        IdentityNames<String> index = new IdentityNames<>(List.of(
                new IdentityNames.Entry<>(CertificateNames.of(List.of("*.example.org", "both.example")), "wild"),
                new IdentityNames.Entry<>(CertificateNames.of(List.of("a.example.org", "both.example")), "exact"),
                new IdentityNames.Entry<>(CertificateNames.of(List.of("::1", "127.0.0.1")), "address")));
        assertThat(index.find("a.example.org")).isEqualTo("exact");
        assertThat(index.find("A.EXAMPLE.ORG.")).isEqualTo("exact");
        assertThat(index.find("b.example.org")).isEqualTo("wild");
        assertThat(index.find("both.example")).isEqualTo("wild");
        assertThat(index.find("[::1]")).isEqualTo("address");
        assertThat(index.find("127.0.0.1")).isEqualTo("address");
        assertThat(index.find("example.org")).isNull();
        assertThat(index.find("a.b.example.org")).isNull();
        assertThat(index.find("no host")).isNull();
    }
}

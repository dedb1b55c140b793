package io.servery.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The identity that a service makes for itself.
class SelfSignedTest {
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

    @TempDir
    Path directory;

    @Test
    void itStandsForTheHostsOfTheListenerAndForThisHost() {
        Identity identity = make(List.of("dev.example", "0.0.0.0", "::", "192.0.2.9"), NOW);
        assertThat(identity.names().texts()).containsExactly("[0:0:0:0:0:0:0:1]", "[127.0.0.1]", "[192.0.2.9]",
                "dev.example", "localhost");
    }

    @Test
    void itPassesTheJudgementOfEveryOtherIdentity() {
        Identity identity = make(List.of(), NOW);
        assertThat(IdentityReader.read(new IdentityText("tls", "certificate", identity.certificatesPem(), "key",
                identity.keyPem(), Optional.empty(), List.of("localhost")), NOW))
                .isEqualTo(new IdentityReading.Accepted(identity));
    }

    @Test
    void itIsShortLivedAndNoAuthority() throws Exception {
        Identity identity = make(List.of(), NOW);
        X509Certificate certificate = identity.chain().getFirst();
        assertThat(identity.notBefore()).isEqualTo(NOW.minus(Duration.ofHours(1)));
        assertThat(Duration.between(identity.notBefore(), identity.notAfter())).isEqualTo(SelfSigned.LIFETIME_MAX);
        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
        assertThat(certificate.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.19", "2.5.29.15");
        assertThat(certificate.getKeyUsage()).startsWith(true, false, false);
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getSerialNumber().bitLength()).isEqualTo(127);
        assertThatThrownBy(() -> SelfSigned.make(List.of(), NOW, SelfSigned.LIFETIME_MAX.plusSeconds(1),
                new SecureRandom())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void eachIsAnother() {
        assertThat(make(List.of(), NOW).chain()).isNotEqualTo(make(List.of(), NOW).chain());
    }

    @Test
    void datesOfEitherFormAreRight() {
        Identity identity = make(List.of(), Instant.parse("2049-12-31T12:00:00Z"));
        assertThat(identity.notBefore()).isEqualTo(Instant.parse("2049-12-31T11:00:00Z"));
        assertThat(identity.notAfter()).isEqualTo(Instant.parse("2051-02-01T11:00:00Z"));
    }

    @Test
    void opensslVerifiesItAndFindsItsNames() throws Exception {
        Authority openssl = new Authority(directory);
        Files.writeString(directory.resolve("site.pem"), make(List.of("dev.example"), Instant.now()).certificatesPem());
        openssl.openssl("verify", "-x509_strict", "-CAfile", "site.pem", "-verify_hostname", "dev.example", "site.pem");
        openssl.openssl("verify", "-x509_strict", "-CAfile", "site.pem", "-verify_ip", "::1", "site.pem");
    }

    private static Identity make(List<String> hosts, Instant now) {
        return SelfSigned.make(hosts, now, SelfSigned.LIFETIME_MAX, new SecureRandom());
    }
}

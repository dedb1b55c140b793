package io.servery.acme.challenge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.servery.core.config.Tls;
import io.servery.core.control.Challenges;
import io.servery.core.tls.Identity;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 8555, section 8.3; RFC 8737, section 3; RFC 8738, section 6.
class OpenChallengeTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String AUTHORIZATION = "abc-DEF_123.thumbprint";

    @Test
    void http01AnswersTheTokenWithTheKeyAuthorization() {
        assertThat(answers(Tls.AcmeChallenge.HTTP_01, "example.com", AUTHORIZATION)).isEqualTo(
                new Challenges(List.of(new Challenges.Http("abc-DEF_123", AUTHORIZATION)), List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".thumb", "../../etc/passwd.thumb", "a/b.thumb", "a b.thumb", "no-dot", "ä.thumb"})
    void tokenThatIsNotBase64urlIsRefused(String authorization) {
        assertThatThrownBy(() -> answers(Tls.AcmeChallenge.HTTP_01, "example.com", authorization))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("expected");
    }

    @Test
    void tlsAlpn01CertificateHasOneNameAndTheDigestInACriticalExtension() throws Exception {
        Challenges.Alpn response = alpn("Example.COM");
        X509Certificate certificate = identity(response).chain().getFirst();
        assertThat(response.serverName()).isEqualTo("example.com");
        assertThat(certificate.getSubjectAlternativeNames()).containsExactly(List.of(2, "example.com"));
        assertThat(certificate.getCriticalExtensionOIDs()).containsExactly("1.3.6.1.5.5.7.1.31");
        byte[] extension = certificate.getExtensionValue("1.3.6.1.5.5.7.1.31");
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(AUTHORIZATION.getBytes(
                StandardCharsets.US_ASCII));
        // An OCTET STRING of 34 bytes around one of 32.
        assertThat(Arrays.copyOf(extension, 4)).containsExactly(4, 34, 4, 32);
        assertThat(Arrays.copyOfRange(extension, 4, 36)).isEqualTo(digest);
        certificate.verify(certificate.getPublicKey());
        Signature signing = Signature.getInstance("SHA256withECDSA");
        signing.initSign(identity(response).key());
        signing.update(digest);
        byte[] signature = signing.sign();
        signing.initVerify(certificate);
        signing.update(digest);
        assertThat(signing.verify(signature)).isTrue();
    }

    @Test
    void tlsAlpn01CertificateOfAnAddressHasTheAddress() throws Exception {
        Challenges.Alpn response = alpn("192.0.2.7");
        X509Certificate certificate = identity(response).chain().getFirst();
        assertThat(response.serverName()).isEqualTo("7.2.0.192.in-addr.arpa");
        assertThat(certificate.getSubjectAlternativeNames()).containsExactly(List.of(7, "192.0.2.7"));
    }

    private static Challenges.Alpn alpn(String name) {
        return answers(Tls.AcmeChallenge.TLS_ALPN_01, name, AUTHORIZATION).alpn().getFirst();
    }

    private static Identity identity(Challenges.Alpn response) {
        return Identity.of(response.certificate(), response.key());
    }

    private static Challenges answers(Tls.AcmeChallenge kind, String name, String authorization) {
        return OpenChallenge.answers(kind, List.of(new OpenChallenge(Name.of(name), authorization)), NOW);
    }

    /// The second is the example of RFC 3596, section 2.5.
    @ParameterizedTest
    @CsvSource({"127.0.0.1, 1.0.0.127.in-addr.arpa",
            "4321:0:1:2:3:4:567:89ab, "
                    + "b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa",
            "[4321:0:1:2:3:4:567:89ab], "
                    + "b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa",
            "Example.org, example.org"})
    void serverNameIsWhatComesInSni(String text, String serverName) {
        assertThat(Name.of(text).serverName()).isEqualTo(serverName);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*.example.com", "example..com", "", "bücher.example", "a b", "1.2.3", "1.2.3.4.5"})
    void nameThatTheseChallengesCannotProveIsRefused(String text) {
        assertThatThrownBy(() -> Name.of(text)).isInstanceOf(IllegalArgumentException.class);
    }
}

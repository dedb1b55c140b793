package io.servery.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an authority is asked to sign, as `openssl` reads it, and the key that it is for.
class CertificateRequestTest {
    private final KeyPair keys = KeyPairs.make(new SecureRandom());

    @TempDir
    Path directory;

    @Test
    void opensslVerifiesItAndFindsItsNamesAndItsKey() throws Exception {
        Authority openssl = new Authority(directory);
        Files.write(directory.resolve("request.der"),
                CertificateRequest.of(
                        CertificateNames.of(List.of("b.example", "192.0.2.7", "2001:db8::1", "a.example")),
                        keys));
        openssl.openssl("req", "-in", "request.der", "-inform", "DER", "-verify", "-noout", "-text", "-pubkey");
        assertThat(openssl.text("output")).contains("verify OK")
                .contains("DNS:a.example, DNS:b.example")
                .contains("IP Address:192.0.2.7").contains("IP Address:2001:DB8:0:0:0:0:0:1")
                .contains(PemText.write("PUBLIC KEY", keys.getPublic().getEncoded()).strip());
    }

    @Test
    void namesThatNoAuthorityVerifiesByAHandshakeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CertificateRequest.of(CertificateNames.of(List.of("*.example")), keys));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CertificateRequest.of(CertificateNames.of(List.of()), keys));
    }

    @Test
    void keysAreReadAsTheyWereWritten() {
        KeyPair read = KeyPairs.of("some line before\n" + KeyPairs.pem(keys));
        assertThat(read.getPrivate()).isEqualTo(keys.getPrivate());
        assertThat(read.getPublic()).isEqualTo(keys.getPublic());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUBLIC KEY", "PRIVATE KEY"})
    void halfOfAPairIsNone(String label) {
        String pem = KeyPairs.pem(keys);
        int from = pem.indexOf("-----BEGIN " + label);
        String without = pem.substring(0, from) + pem.substring(pem.indexOf("-----END " + label)
                + ("-----END " + label + "-----\n").length());
        assertThatIllegalArgumentException().isThrownBy(() -> KeyPairs.of(without))
                .withMessageContaining("expected");
    }

    @Test
    void keysOfTwoPairsAreNone() {
        String one = KeyPairs.pem(keys);
        String other = KeyPairs.pem(KeyPairs.make(new SecureRandom()));
        String mixed = one.substring(0, one.indexOf("-----BEGIN PUBLIC"))
                + other.substring(other.indexOf("-----BEGIN PUBLIC"));
        assertThatIllegalArgumentException().isThrownBy(() -> KeyPairs.of(mixed))
                .withMessageContaining("do not belong together");
    }
}

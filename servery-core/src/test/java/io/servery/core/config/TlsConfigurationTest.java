package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Order;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The table `[tls]`: what it means, what it refuses, what a change of it needs, and what workers are told of it.
class TlsConfigurationTest {
    private static final String MANUAL = """
            [tls]
            mode = "manual"
            [tls.manual]
            certificate_file = "c.pem"
            private_key_file = "/k.pem"
            """;

    @TempDir
    Path directory;

    private Loaded loaded(String text) {
        return Loaded.in(directory).env("P", "p").file(text);
    }

    private Tls.On tls(String text) {
        return (Tls.On) loaded(text).config().tls();
    }

    @Test
    void whatIsNotSaidIsTheDefault() {
        Tls.On tls = tls("tls.mode = \"self-signed\"\n");

        assertThat(tls).isEqualTo(new Tls.On(new Tls.SelfSigned(), TlsVersion.TLS_1_2,
                List.of(KeyGroup.X25519_MLKEM768, KeyGroup.X25519, KeyGroup.P_256), Tls.ClientCertificates.OFF,
                Optional.empty(), Duration.ZERO));
        assertThat(loaded("tls.mode = \"self-signed\"\n").config().scheme()).isEqualTo("https");
        assertThat(loaded("").config().scheme()).isEqualTo("http");
    }

    @Test
    void everyKeyHasItsMeaning() {
        Tls.On tls = tls("""
                [tls]
                mode = "manual"
                minimum_version = "1.3"
                groups = ["P-256", "X25519"]
                client_ca_file = "ca.pem"
                client_certificates = "required"
                hsts = "365d"
                [tls.manual]
                certificate_file = "c.pem"
                private_key_file = "/k.pem"
                private_key_password = { env = "P" }
                [[tls.identity]]
                names = ["a.example", "*.b.example", "192.0.2.1"]
                certificate_file = "a.pem"
                private_key_file = "a.key"
                """);

        assertThat(tls.source()).isInstanceOfSatisfying(Tls.Manual.class, manual -> {
            assertThat(manual.byDefault().certificate()).isEqualTo(directory.resolve("c.pem"));
            assertThat(manual.byDefault().privateKey()).isEqualTo(Path.of("/k.pem"));
            assertThat(manual.byDefault().password()).map(Secret::reveal).contains("p");
            assertThat(manual.others()).containsExactly(
                    new Tls.Identity(List.of("a.example", "*.b.example", "192.0.2.1"),
                            new Tls.Files(directory.resolve("a.pem"), directory.resolve("a.key"), Optional.empty())));
        });
        assertThat(tls.minimumVersion()).isEqualTo(TlsVersion.TLS_1_3);
        assertThat(tls.groups()).containsExactly(KeyGroup.P_256, KeyGroup.X25519);
        assertThat(tls.clientCertificates()).isEqualTo(Tls.ClientCertificates.REQUIRED);
        assertThat(tls.clientCaFile()).contains(directory.resolve("ca.pem"));
        assertThat(tls.hsts()).isEqualTo(Duration.ofDays(365));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "tls.mode = 'manual'; `tls.manual.certificate_file`: found none beside `tls.mode = \"manual\"`",
            "tls.mode = 'manual'; `tls.manual.private_key_file`: found none beside `tls.mode = \"manual\"`",
            "tls.manual.certificate_file = 'c'; `tls.manual.certificate_file`: found beside `tls.mode = \"off\"`",
            "tls.mode = 'acme'; `tls.acme.domains`: found none beside `tls.mode = \"acme\"`; expected an array",
            "tls.acme.domains = ['a']; `tls.acme.domains`: found beside `tls.mode = \"off\"`; expected `tls.mode = \"acme\"`",
            "tls.acme.domains = ['*.a']; `tls.acme.domains`: found \"*.a\"; expected an IP address or a host name",
            "tls.acme.directory = 'http://ca.example/'; `tls.acme.directory`: found \"http://ca.example/\"; expected",
            "tls.acme.directory = 'ca.example'; `tls.acme.directory`: found \"ca.example\"; expected \"staging\"",
            "tls.acme.challenge = 'dns-01'; `tls.acme.challenge`: found \"dns-01\"; expected \"http-01\" or \"tls-alpn-01\"",
            "tls.acme.renew_before = '1s'; `tls.acme.renew_before`: found",
            "tls = { mode = 'acme', acme = { domains = ['a'] } }; `tls.acme.challenge`: found \"http-01\" without `listener.redirect_port`",
            "tls.mode = 'on'; `tls.mode`: found \"on\"; expected \"off\" or \"manual\" or \"acme\" or \"self-signed\"",
            "tls.minimum_version = '1.1'; `tls.minimum_version`: found \"1.1\"; expected \"1.2\" or \"1.3\"",
            "tls.groups = []; `tls.groups`: found an array of 0",
            "tls.hsts = '1d'; `tls.hsts`: found a time beside `tls.mode = \"off\"`; expected TLS",
            "tls.client_certificates = 'optional'; `tls.client_certificates`: found \"optional\" without `tls.client_ca_file`",
            "tls.client_ca_file = 'x'; `tls.client_ca_file`: found without `tls.client_certificates`"})
    void whatCannotBeIsRefusedByName(String text, String error) {
        assertThat(loaded(text.replace('\'', '"') + "\n").errors()).startsWith("servery.toml:").contains(error);
    }

    /// Something in front brings what comes to port 80 here.
    @ParameterizedTest
    @ValueSource(strings = {"redirect_port = 0", "redirect_port = 8080", "unix = 's'", "inherit = 's'"})
    void httpChallengesAreTakenWhereverTheyMayCome(String listener) {
        assertThat(loaded("[listener]\n" + listener.replace('\'', '"')
                + "\n[tls]\nmode = \"acme\"\n[tls.acme]\ndomains = [\"a.example\"]\n").errors()).isEmpty();
    }

    @Test
    void authorityIsTakenWithAllThatItWants() throws Exception {
        Files.writeString(directory.resolve("hmac"), "c2VjcmV0\n");
        Tls.On tls = tls("""
                [listener]
                port = 8443
                redirect_port = 8080
                [tls]
                mode = "acme"
                [tls.acme]
                domains = ["a.example", "192.0.2.7"]
                email = "admin@a.example"
                directory = "https://ca.example:14000/dir"
                directory_ca_file = "ca.pem"
                profile = "shortlived"
                renew_before = "2d"
                accept_terms = true
                external_account = { key_id = "kid", hmac_key = { file = "hmac" } }
                """);
        Tls.Acme acme = (Tls.Acme) tls.source();
        assertThat(acme.domains()).containsExactly("a.example", "192.0.2.7");
        assertThat(acme.email()).contains("admin@a.example");
        assertThat(acme.directory()).isEqualTo(URI.create("https://ca.example:14000/dir"));
        assertThat(acme.directoryCaFile()).contains(directory.resolve("ca.pem"));
        assertThat(acme.challenge()).isEqualTo(Tls.AcmeChallenge.HTTP_01);
        assertThat(acme.profile()).contains("shortlived");
        assertThat(acme.renewBefore()).contains(Duration.ofDays(2));
        assertThat(acme.termsAccepted()).isTrue();
        assertThat(acme.externalAccount().orElseThrow().hmacKey().reveal()).isEqualTo("c2VjcmV0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"c2VjcmV0+/", "c2VjcmV0 c2VjcmV0", "geheim!", "cafecafe0"})
    void keyOfAnExternalAccountThatIsNoneIsNamedAndNotShown(String key) throws Exception {
        Files.writeString(directory.resolve("hmac"), key);
        assertThat(loaded("""
                [tls]
                mode = "acme"
                [tls.acme]
                domains = ["a"]
                challenge = "tls-alpn-01"
                external_account = { key_id = "kid", hmac_key = { file = "hmac" } }
                """).errors()).contains("`tls.acme.external_account.hmac_key`: found what is not base64url; expected")
                .doesNotContain(key);
    }

    @Test
    void authorityIsForTryingOutUntilItIsForProduction() {
        String acme = "[tls]\nmode = \"acme\"\n[tls.acme]\ndomains = [\"a\"]\nchallenge = \"tls-alpn-01\"\n";
        assertThat(((Tls.Acme) tls(acme).source()).directory())
                .isEqualTo(URI.create("https://acme-staging-v02.api.letsencrypt.org/directory"));
        assertThat(loaded(acme + "directory = \"http://127.0.0.1:4000/dir\"\n").errors()).isEmpty();
        assertThat(loaded(acme + "external_account = { key_id = \"x\" }\n").errors())
                .contains("`tls.acme.external_account.key_id`: found one of the two keys of an external account");
    }

    @Test
    void identityHasToBeComplete() {
        assertThat(loaded(MANUAL + "[[tls.identity]]\nnames = [\"a\"]\n").errors())
                .contains("`tls.identity.certificate_file`: found none in a `[[tls.identity]]`; expected a path")
                .contains("`tls.identity.private_key_file`: found none in a `[[tls.identity]]`");
        assertThat(loaded("[[tls.identity]]\nnames = [\"a\"]\ncertificate_file = \"c\"\nprivate_key_file = \"k\"\n")
                .errors()).contains("`tls.identity`: found beside `tls.mode = \"off\"`");
        assertThat(loaded(MANUAL + "[[tls.identity]]\nnames = [\"a*.b\"]\n").errors())
                .contains("`tls.identity.names`: found \"a*.b\"; expected an IP address, a host name, or one whose");
    }

    @Test
    void productionTakesWhatClientsTrust() {
        assertThat(loaded("profile = \"production\"\n" + MANUAL).errors()).isEmpty();
        assertThat(loaded("profile = \"production\"\ntls.mode = \"self-signed\"\n").errors())
                .contains("`tls.mode`: found \"self-signed\"; profile production needs \"manual\"");
        assertThat(loaded("profile = \"production\"\ntls.mode = \"self-signed\"\n").unsafeDevelopmentTls().errors())
                .isEmpty();
    }

    @Test
    void workersAreToldHowToSpeakAndNothingOfFiles() {
        Loaded loaded = loaded(MANUAL + """
                private_key_password = { env = "P" }
                [[tls.identity]]
                names = ["a"]
                certificate_file = "a.pem"
                private_key_file = "a.key"
                """);
        String text = loaded.accepted().effective().workerText();

        assertThat(text).contains("tls.mode = \"manual\"").doesNotContain(".pem", "password", "identity");
        assertThat(WorkerConfiguration.read(text).config().tls()).isEqualTo(new Tls.On(new Tls.OfParent(),
                TlsVersion.TLS_1_2, List.of(KeyGroup.X25519_MLKEM768, KeyGroup.X25519, KeyGroup.P_256),
                Tls.ClientCertificates.OFF, Optional.empty(), Duration.ZERO));
    }

    @Test
    void otherFilesNeedNoGenerationAndOtherTermsDo() {
        String identity = "[[tls.identity]]\nnames = [\"a\"]\ncertificate_file = \"a.pem\"\nprivate_key_file = \"a.key\"\n";

        assertThat(change(MANUAL, MANUAL.replace("c.pem", "d.pem")))
                .isEqualTo(new ConfigurationChange.Hot(List.of(), List.of("tls.manual.certificate_file")));
        assertThat(change(MANUAL, MANUAL + identity))
                .isEqualTo(new ConfigurationChange.Hot(List.of(), List.of("tls.identity")));
        assertThat(change(MANUAL + identity, MANUAL + identity.replace("\"a\"", "\"b\"")))
                .isEqualTo(new ConfigurationChange.Hot(List.of(), List.of("tls.identity")));
        assertThat(change(MANUAL, MANUAL.replace("c.pem", "d.pem") + "[logging]\nlevel = \"warn\"\n"))
                .isEqualTo(new ConfigurationChange.Hot(List.of(new Order.Setting("logging.level", "\"warn\"")),
                        List.of("tls.manual.certificate_file", "logging.level")));
        assertThat(change(MANUAL, MANUAL.replace("mode =", "hsts = 9\nmode =")))
                .isEqualTo(new ConfigurationChange.Generation(List.of("tls.hsts")));
        assertThat(change("", "tls.mode = \"self-signed\"\n"))
                .isEqualTo(new ConfigurationChange.Generation(List.of("tls.mode")));
    }

    private ConfigurationChange change(String before, String after) {
        return ConfigurationChange.between(loaded(before).accepted().effective(),
                loaded(after).accepted().effective());
    }
}

package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            "tls.mode = 'acme'; `tls.mode`: \"acme\" is not yet available",
            "tls.mode = 'on'; `tls.mode`: found \"on\"; expected \"off\" or \"manual\" or \"self-signed\"",
            "tls.minimum_version = '1.1'; `tls.minimum_version`: found \"1.1\"; expected \"1.2\" or \"1.3\"",
            "tls.groups = []; `tls.groups`: found an array of 0",
            "tls.hsts = '1d'; `tls.hsts`: found a time beside `tls.mode = \"off\"`; expected TLS",
            "tls.client_certificates = 'optional'; `tls.client_certificates`: found \"optional\" without `tls.client_ca_file`",
            "tls.client_ca_file = 'x'; `tls.client_ca_file`: found without `tls.client_certificates`"})
    void whatCannotBeIsRefusedByName(String text, String error) {
        assertThat(loaded(text.replace('\'', '"') + "\n").errors()).startsWith("servery.toml:").contains(error);
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

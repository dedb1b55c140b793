package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.ServeryProcess;
import io.servery.interop.Site;
import io.servery.interop.fleet.Commands;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `check` says of certificates and keys: the key of the configuration and the reason, before anything is started.
class CheckTest {
    private static final int CONFIGURATION = 78;
    private static final String CERTIFICATE = "tls.manual.certificate_file";
    private static final String KEY = "tls.manual.private_key_file";
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir
    static Path folder;
    private static Authority authority;
    private static Pair site;

    @BeforeAll
    static void issue() {
        Site.generate(folder.resolve("site"));
        authority = Authority.create(folder, "authority");
        site = authority.issue(Wanted.of("site", "localhost", "site.example"));
    }

    private static Configuration configuration(String... tls) {
        return Configuration.of(folder, folder.resolve("site")).ports(8443, 9090).tls(tls);
    }

    private static Said check(String... tls) {
        return checkText(configuration(tls).toml());
    }

    private static Said checkText(String toml) {
        Path file = authority.text("servery.toml", toml);
        return new Commands(folder, file).run("check");
    }

    private static void assertAccepted(Said said) {
        assertThat(said.code()).as(said.toString()).isZero();
    }

    /// @param why a pattern for the reason
    private static void assertRefused(Said said, String key, String why) {
        assertThat(said.code()).as(said.toString()).isEqualTo(CONFIGURATION);
        assertThat(said.all().lines().filter(line -> line.contains("error: ") && line.contains(key)))
                .as("of " + key + ": " + said).isNotEmpty();
        assertThat(said.all()).as("the reason").containsPattern("(?i)" + why).doesNotContain("\tat ", "Exception");
    }

    // Certificates

    @Test
    void wholeChainWithItsKeyIsAccepted() {
        assertAccepted(check(site.manual()));
    }

    @Test
    void furtherIdentitiesAreAccepted() {
        Pair other = authority.issue(Wanted.of("further", "other.example", "*.other.example"));
        assertAccepted(check(site.manual(), other.identity("other.example")));
    }

    @Test
    void certificateThatHasExpiredIsRefused() {
        Pair expired = authority.issue(Wanted.of("expired", "site.example").valid(DAY.multipliedBy(-3), DAY.negated()));
        assertRefused(check(expired.manual()), CERTIFICATE, "expired");
    }

    @Test
    void certificateThatIsNotYetValidIsRefused() {
        Pair early = authority.issue(Wanted.of("early", "site.example").valid(DAY, DAY.multipliedBy(3)));
        assertRefused(check(early.manual()), CERTIFICATE, "not (yet )?valid");
    }

    @Test
    void intermediateThatHasExpiredIsRefused() {
        Path expired = authority.between("between-expired", DAY.multipliedBy(-3), DAY.negated());
        Pair pair = authority.leaf(Wanted.of("below-expired", "site.example"));
        Path chain = authority.joined("below-expired-chain.pem", pair.chain(), expired);
        assertRefused(check(new Pair(chain, pair.key()).manual()), CERTIFICATE, "expired");
    }

    @Test
    void chainWithoutItsIntermediateIsRefused() {
        assertRefused(check(authority.leaf(Wanted.of("alone", "site.example")).manual()), CERTIFICATE,
                "incomplete|intermediate|issuer");
    }

    @Test
    void chainOfCertificatesThatDidNotSignEachOtherIsRefused() {
        Authority stranger = Authority.create(folder, "stranger");
        Pair pair = authority.leaf(Wanted.of("foreign", "site.example"));
        Path chain = authority.joined("foreign-chain.pem", pair.chain(), stranger.file("between.pem"));
        assertRefused(check(new Pair(chain, pair.key()).manual()), CERTIFICATE, "sign|issue|chain");
    }

    @Test
    void fileWithoutACertificateIsRefused() {
        Path nothing = authority.text("nothing.pem", "no certificate\n");
        assertRefused(check(new Pair(nothing, site.key()).manual()), CERTIFICATE, "certificate");
        assertRefused(check(new Pair(site.key(), site.key()).manual()), CERTIFICATE, "certificate");
    }

    @Test
    void certificateThatIsCutIsRefused() throws IOException {
        String text = Files.readString(site.chain());
        Path cut = authority.text("cut.pem", text.substring(0, text.length() / 2));
        assertRefused(check(new Pair(cut, site.key()).manual()), CERTIFICATE, "certificate");
    }

    @Test
    void missingFilesAreRefusedBothAtOnce() {
        Pair gone = new Pair(folder.resolve("gone.pem"), folder.resolve("gone.key"));
        Said said = check(gone.manual());
        assertRefused(said, CERTIFICATE, "gone\\.pem");
        assertRefused(said, KEY, "gone\\.key");
    }

    @Test
    void certificateWithoutTheNamesOfItsIdentityIsRefused() {
        assertRefused(check(site.manual(), site.identity("another.example")), "tls.identity", "another\\.example");
    }

    // Keys

    @Test
    void keyOfAnotherCertificateIsRefused() {
        Pair other = authority.issue(Wanted.of("other", "other.example"));
        assertRefused(check(new Pair(site.chain(), other.key()).manual()), KEY, "match|belong");
    }

    @Test
    void keyOfAnotherCertificateIsRefusedInAFurtherIdentityToo() {
        Pair other = authority.issue(Wanted.of("further-mismatch", "other.example"));
        assertRefused(check(site.manual(), new Pair(other.chain(), site.key()).identity("other.example")),
                "private_key_file", "match|belong");
    }

    @Test
    void fileWithoutAKeyIsRefused() {
        assertRefused(check(new Pair(site.chain(), site.chain()).manual()), KEY, "key");
    }

    @Test
    void encryptedKeyNeedsItsPassword() throws IOException {
        Pair locked = authority.rewritten(site, "locked", "pkcs8", "-topk8", "-v2", "aes-256-cbc", "-passout",
                "pass:correct horse");
        Path right = secret("right", "correct horse\n");
        Path wrong = secret("wrong", "battery staple\n");
        assertAccepted(check(locked.manual(), "private_key_password = { file = \"" + right + "\" }"));
        assertRefused(check(locked.manual()), "tls.manual.private_key", "password|encrypted");
        Said said = check(locked.manual(), "private_key_password = { file = \"" + wrong + "\" }");
        assertRefused(said, "tls.manual.private_key", "password|encrypted");
        assertThat(said.all()).as("no secret is said").doesNotContain("battery");
        assertRefused(check(locked.manual(), "private_key_password = { file = \"" + wrong + ".gone\" }"),
                "tls.manual.private_key_password", "gone");
        assertRefused(check(locked.manual(), "private_key_password = \"correct horse\""),
                "tls.manual.private_key_password", "file|env|reference");
    }

    @Test
    void passwordMayComeFromTheEnvironment() {
        Pair locked = authority.rewritten(site, "locked-env", "pkcs8", "-topk8", "-v2", "aes-256-cbc", "-passout",
                "pass:correct horse");
        Path file = authority.text("environment.toml",
                configuration(locked.manual(), "private_key_password = { env = \"KEY_PASSWORD\" }").toml());
        for (Map<String, String> environment : List.of(Map.of("KEY_PASSWORD", "correct horse"),
                Map.<String, String>of())) {
            Program java = new Program(ServeryProcess.java(), folder, environment);
            Said said = java.run("", List.of("-jar", ServeryProcess.JAR.toString(), "check", "--config",
                    file.toString()));
            if (environment.isEmpty()) {
                assertRefused(said, "tls.manual.private_key_password", "KEY_PASSWORD");
            } else {
                assertAccepted(said);
            }
        }
    }

    private static Path secret(String name, String text) throws IOException {
        Path file = authority.text(name, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /// A start says what `check` says, and leaves nothing.
    @Test
    void serviceDoesNotStartWithWhatIsRefused() {
        Pair expired = authority.issue(
                Wanted.of("expired-start", "site.example").valid(DAY.multipliedBy(-3), DAY.negated()));
        Configuration wanted = configuration(expired.manual()).ports(ServeryProcess.freePort(),
                ServeryProcess.freePort());
        try (Service none = Service.launch(wanted)) {
            int code = none.exitCode(Service.PATIENCE);
            assertRefused(new Said(code, "", none.errorText()), CERTIFICATE, "expired");
            assertThat(none.events("worker.started", 0)).isEmpty();
        }
    }

    // Choices

    @Test
    void manualWithoutItsFilesIsRefused() {
        Said said = check("mode = \"manual\"");
        assertRefused(said, CERTIFICATE, "certificate_file");
        assertRefused(said, KEY, "private_key_file");
    }

    @Test
    void valuesThatDoNotExistAreRefused() {
        assertRefused(check("minimum_version = \"1.1\"", site.manual()), "tls.minimum_version", "1\\.2");
        assertRefused(check("groups = [\"X25519\", \"P-257\"]", site.manual()), "tls.groups", "P-257");
        assertRefused(check("client_certificates = \"perhaps\"", site.manual()), "tls.client_certificates", "perhaps");
        assertRefused(check("mode = \"yes\""), "tls.mode", "manual");
    }

    @Test
    void clientCertificatesNeedTheirAuthorities() {
        assertRefused(check("client_certificates = \"required\"", site.manual()), "tls.client_ca_file",
                "client_certificates|required");
        Path nothing = authority.text("no-authorities.pem", "none\n");
        assertRefused(check("client_certificates = \"optional\"", "client_ca_file = \"" + nothing + "\"",
                site.manual()), "tls.client_ca_file", "certificate");
        assertAccepted(check("client_certificates = \"optional\"",
                "client_ca_file = \"" + authority.root() + "\"", site.manual()));
    }

    // The profile

    private static String production(String... tls) {
        return """
                schema_version = 1
                profile = "production"
                [runtime]
                runtime_directory = "%s"
                state_directory = "%s"
                [tls]
                %s
                [application]
                mode = "static"
                [application.static]
                root = "%s"
                """.formatted(folder.resolve("run"), folder.resolve("state"), String.join("\n", tls),
                folder.resolve("site"));
    }

    @Test
    void productionTakesCertificatesThatSomebodyVouchesFor() {
        assertAccepted(checkText(production(site.manual())));
        assertAccepted(check("mode = \"self-signed\""));
        assertRefused(checkText(production("mode = \"self-signed\"")), "tls.mode",
                "self-signed.*production|production");
        assertRefused(checkText(production("mode = \"off\"")), "tls.mode", "production");
    }

    @Test
    void productionTakesNoSecretThatOthersCanRead() throws IOException {
        Pair locked = authority.rewritten(site, "locked-production", "pkcs8", "-topk8", "-v2", "aes-256-cbc",
                "-passout", "pass:correct horse");
        Path password = secret("password", "correct horse\n");
        String toml = production(locked.manual(), "private_key_password = { file = \"" + password + "\" }");
        assertAccepted(checkText(toml));
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r--r--"));
        assertRefused(checkText(toml), "tls.manual.private_key_password", "group|others|mode|permission");
    }
}

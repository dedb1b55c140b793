package io.servery.core.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Secret;
import io.servery.core.fault.ExitCode;
import io.servery.core.fault.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that `openssl` made, and what is said of them.
class IdentityReaderTest {
    private static final String NAMES = "DNS:example.org,DNS:*.example.org,IP:192.0.2.7,IP:2001:db8::7";

    @TempDir
    Path directory;

    private Authority authority;

    @BeforeEach
    void makeAnAuthority() {
        authority = new Authority(directory);
    }

    // ---- keys

    @ParameterizedTest
    @ValueSource(strings = {"RSA:2048", "RSA:3072", "EC:P-256", "EC:P-384", "EC:P-521", "ED25519"})
    void keyOfEveryKindIsReadFromPkcs8(String kind) throws Exception {
        authority.key("site", kind);
        authority.certificate("site", "site", "subjectAltName=DNS:example.org");
        Identity identity = accepted("site.pem", "site.key");
        assertThat(identity.chain()).hasSize(1);
        assertThat(identity.names().texts()).containsExactly("example.org");
    }

    @Test
    void rsaKeyIsReadFromPkcs1() throws Exception {
        authority.key("site", "RSA:2048");
        authority.certificate("site", "site", "subjectAltName=DNS:example.org");
        authority.openssl("rsa", "-traditional", "-in", "site.key", "-out", "old.key");
        assertThat(authority.text("old.key")).contains("BEGIN RSA PRIVATE KEY");
        assertThat(accepted("site.pem", "old.key")).isEqualTo(accepted("site.pem", "site.key"));
    }

    @Test
    void ecKeyIsReadFromSec1WithParametersBeforeItOrWithout() throws Exception {
        authority.openssl("ecparam", "-name", "prime256v1", "-genkey", "-out", "site.key");
        assertThat(authority.text("site.key")).contains("BEGIN EC PARAMETERS").contains("BEGIN EC PRIVATE KEY");
        authority.certificate("site", "site", "subjectAltName=DNS:example.org");
        authority.openssl("ec", "-in", "site.key", "-out", "bare.key");
        assertThat(accepted("site.pem", "site.key").key()).isEqualTo(accepted("site.pem", "bare.key").key());
    }

    @Test
    void encryptedKeyIsOpenedByItsPassword() throws Exception {
        site("EC:P-256");
        for (String prf : List.of("hmacWithSHA1", "hmacWithSHA256", "hmacWithSHA512")) {
            authority.openssl("pkcs8", "-topk8", "-in", "site.key", "-out", "locked.key", "-v2", "aes-256-cbc",
                    "-v2prf", prf, "-passout", "pass:correct");
            assertThat(read("site.pem", "locked.key", Optional.of(secret("correct")))).as(prf)
                    .isInstanceOf(IdentityReading.Accepted.class);
        }
    }

    @Test
    void wrongPasswordNoneAndOneTooManyAreTold() throws Exception {
        site("EC:P-256");
        authority.openssl("pkcs8", "-topk8", "-in", "site.key", "-out", "locked.key", "-passout", "pass:correct");
        assertThat(faults(read("site.pem", "locked.key", Optional.of(secret("wrong"))))).containsExactly(
                "locked.key:1:1: `tls.manual.private_key_file`: found an encrypted key that the password does not open; "
                        + "expected its password in private_key_password");
        assertThat(faults(read("site.pem", "locked.key", Optional.empty()))).containsExactly(
                "locked.key:1:1: `tls.manual.private_key_file`: found an encrypted key; "
                        + "expected private_key_password, which opens it");
        assertThat(faults(read("site.pem", "site.key", Optional.of(secret("any"))))).containsExactly(
                "site.key:1:1: `tls.manual.private_key_file`: found a key that is not encrypted; "
                        + "expected one that the password opens");
    }

    @Test
    void encryptionThatIsNotKnownIsToldWithTheCommandThatMendsIt() throws Exception {
        site("EC:P-256");
        authority.openssl("pkcs8", "-topk8", "-in", "site.key", "-out", "locked.key", "-scrypt", "-passout", "pass:x");
        IdentityReading.Refused refused = (IdentityReading.Refused) read("site.pem", "locked.key",
                Optional.of(secret("x")));
        assertThat(refused.faults()).singleElement().satisfies(fault -> {
            assertThat(fault.what()).contains("an encryption that is not known here");
            assertThat(fault.hint()).hasValueSatisfying(hint -> assertThat(hint).startsWith("openssl pkcs8"));
        });
    }

    @Test
    void oldEncryptedFormIsTold() throws Exception {
        authority.key("site", "RSA:2048");
        authority.certificate("site", "site", "subjectAltName=DNS:example.org");
        authority.openssl("rsa", "-traditional", "-aes256", "-in", "site.key", "-out", "old.key", "-passout", "pass:x");
        assertThat(faults(read("site.pem", "old.key", Optional.of(secret("x"))))).containsExactly(
                "old.key:2:1: `tls.manual.private_key_file`: found a key in the old encrypted form; "
                        + "expected an encrypted key in PKCS #8");
    }

    @Test
    void keyOnAnotherCurveOrOfAnotherKindIsTold() throws Exception {
        site("EC:P-256");
        authority.key("odd", "EC:secp256k1");
        assertThat(faults(read("site.pem", "odd.key", Optional.empty()))).singleElement().asString()
                .contains("found an EC key on another curve; expected RSA of 2048");
        authority.openssl("genpkey", "-algorithm", "ED448", "-out", "odd.key");
        assertThat(faults(read("site.pem", "odd.key", Optional.empty()))).singleElement().asString()
                .contains("found a key of another kind; expected RSA of 2048");
    }

    @Test
    void keyOfAnotherCertificateIsTold() throws Exception {
        site("EC:P-256");
        authority.key("other", "EC:P-256");
        assertThat(faults(read("site.pem", "other.key", Optional.empty()))).containsExactly(
                "other.key: `tls.manual.private_key_file`: found a key that does not belong to the certificate of "
                        + "CN=site; expected the key of that certificate");
    }

    @Test
    void fileOfAnotherKindIsTold() throws Exception {
        site("EC:P-256");
        assertThat(faults(read("site.key", "site.pem", Optional.empty()))).containsExactly(
                "site.key: `tls.manual.certificate_file`: found no certificate but PRIVATE KEY; "
                        + "expected a CERTIFICATE",
                "site.pem: `tls.manual.private_key_file`: found no private key but CERTIFICATE; "
                        + "expected a PRIVATE KEY");
    }

    @Test
    void oneFileMayHoldBoth() throws Exception {
        site("EC:P-256");
        String both = authority.text("site.key", "site.pem");
        assertThat(IdentityReader.read(text(both, both, Optional.empty(), List.of()), Instant.now()))
                .isInstanceOf(IdentityReading.Accepted.class);
    }

    // ---- chains

    @Test
    void chainIsReadWithItsRootAndWithout() throws Exception {
        authority.chain(NAMES);
        assertThat(accepted("site.key", "site.pem", "between.pem", "root.pem").chain()).hasSize(3);
        Identity identity = accepted("site.key", "site.pem", "between.pem");
        assertThat(identity.chain()).hasSize(2);
        assertThat(identity.names().texts()).containsExactly("*.example.org", "[192.0.2.7]", "[2001:db8:0:0:0:0:0:7]",
                "example.org");
    }

    @Test
    void chainOutOfOrderIsTold() throws Exception {
        authority.chain(NAMES);
        assertThat(faults(readChain("site.key", "site.pem", "root.pem", "between.pem"))).containsExactly(
                "chain.pem: `tls.manual.certificate_file`: found after CN=site the certificate of CN=root; "
                        + "expected that of its issuer, CN=between, which is elsewhere in it",
                "chain.pem: `tls.manual.certificate_file`: found after CN=root the certificate of CN=between; "
                        + "expected that of its issuer, CN=root");
    }

    @Test
    void missingIntermediateIsNamed() throws Exception {
        authority.chain(NAMES);
        assertThat(faults(readChain("site.key", "site.pem", "root.pem"))).containsExactly(
                "chain.pem: `tls.manual.certificate_file`: found after CN=site the certificate of CN=root; "
                        + "expected that of its issuer, CN=between");
    }

    @Test
    void missingIssuerIsNamedWhereTheCertificateTellsThatItIsNoRoot() throws Exception {
        authority.chain(NAMES);
        String told = "chain.pem: `tls.manual.certificate_file`: found a chain that ends with CN=site; "
                + "expected the certificate of its issuer after it, CN=between";
        authority.certificate("site", "between", "subjectAltName=" + NAMES,
                "authorityInfoAccess=caIssuers;URI:http://ca.example/between.der");
        assertThat(faults(readChain("site.key", "site.pem"))).containsExactly(told);
        authority.certificate("site", "between", "subjectAltName=" + NAMES, "authorityKeyIdentifier=issuer:always");
        assertThat(faults(readChain("site.key", "site.pem"))).containsExactly(told);
        assertThat(accepted("site.key", "site.pem", "between.pem").chain()).hasSize(2);
    }

    @Test
    void certificateOfAPrivateRootNeedsNoOther() throws Exception {
        authority.chain(NAMES);
        authority.certificate("site", "root", "subjectAltName=" + NAMES, "authorityKeyIdentifier=keyid,issuer:always");
        assertThat(accepted("site.key", "site.pem").chain()).hasSize(1);
    }

    @Test
    void keyOfALaterCertificateIsToldAsAnOrder() throws Exception {
        authority.chain(NAMES);
        assertThat(faults(readChain("site.key", "between.pem", "site.pem", "root.pem"))).anySatisfy(
                fault -> assertThat(fault).contains("found the certificate of the private key in place 2"));
    }

    @Test
    void expiredAndNotYetValidCertificatesAreToldWithTheTime() throws Exception {
        site("EC:P-256");
        IdentityText text = text(authority.text("site.pem"), authority.text("site.key"), Optional.empty(), List.of());
        Identity identity = ((IdentityReading.Accepted) IdentityReader.read(text, Instant.now())).identity();
        Instant late = identity.notAfter().plusSeconds(1);
        Instant early = identity.notBefore().minusSeconds(1);
        assertThat(identity.notAfter()).isEqualTo(identity.notBefore().plus(Duration.ofDays(90)));
        assertThat(faults(IdentityReader.read(text, late))).containsExactly(
                "chain.pem: `tls.manual.certificate_file`: found the certificate of CN=site, which expired at "
                        + identity.notAfter() + "; expected one that is valid at " + late);
        assertThat(faults(IdentityReader.read(text, early))).containsExactly(
                "chain.pem: `tls.manual.certificate_file`: found the certificate of CN=site, which is not valid before "
                        + identity.notBefore() + "; expected one that is valid at " + early);
        assertThat(IdentityReader.read(text, identity.notAfter())).isInstanceOf(IdentityReading.Accepted.class);
        assertThat(IdentityReader.read(text, identity.notBefore())).isInstanceOf(IdentityReading.Accepted.class);
    }

    @Test
    void certificateThatNamesNoHostIsToldEvenIfItHasACommonName() throws Exception {
        authority.key("example.org", "EC:P-256");
        authority.certificate("example.org", "example.org", "basicConstraints=CA:FALSE");
        assertThat(faults(readChain("example.org.key", "example.org.pem"))).containsExactly(
                "chain.pem: `tls.manual.certificate_file`: found the certificate of CN=example.org, which names no "
                        + "host; expected a DNS name or an address in its subjectAltName");
    }

    @Test
    void weakKeysAndSignaturesAreTold() throws Exception {
        authority.key("site", "RSA:1024");
        authority.certificateSigned("-sha1", "site", "site", "subjectAltName=DNS:example.org");
        assertThat(faults(readChain("site.key", "site.pem"))).containsExactly(
                "chain.pem: `tls.manual.certificate_file`: found an RSA key of 1024 bits in the certificate of CN=site; "
                        + "expected RSA of 2048 to 8192 bits, EC on P-256, P-384 or P-521, or Ed25519",
                "chain.pem: `tls.manual.certificate_file`: found the certificate of CN=site signed with SHA1withRSA; "
                        + "expected a signature with SHA-256 or better");
    }

    @Test
    void signatureOfARootDoesNotMatter() throws Exception {
        authority.chain(NAMES);
        authority.certificateSigned("-sha1", "root", "root", "basicConstraints=critical,CA:TRUE");
        assertThat(accepted("site.key", "site.pem", "between.pem", "root.pem").chain()).hasSize(3);
    }

    @Test
    void certificateForClientsIsTold() throws Exception {
        authority.key("site", "EC:P-256");
        authority.certificate("site", "site", "subjectAltName=DNS:example.org", "extendedKeyUsage=clientAuth");
        assertThat(faults(readChain("site.key", "site.pem"))).singleElement().asString()
                .contains("which is not for servers");
    }

    @Test
    void signerThatIsNoAuthorityIsTold() throws Exception {
        authority.chain(NAMES);
        authority.certificate("between", "root", "basicConstraints=critical,CA:FALSE");
        assertThat(faults(readChain("site.key", "site.pem", "between.pem"))).containsExactly(
                "chain.pem: `tls.manual.certificate_file`: found a certificate signed by CN=between, which is no "
                        + "authority; expected one signed by an authority");
    }

    @Test
    void wantedNamesMustBeOnTheCertificate() throws Exception {
        authority.chain(NAMES);
        String chain = authority.text("site.pem", "between.pem");
        IdentityReading reading = IdentityReader.read(text(chain, authority.text("site.key"), Optional.empty(),
                List.of("www.example.org", "*.example.org", "192.0.2.7", "example.com")), Instant.now());
        assertThat(faults(reading)).containsExactly("chain.pem: `tls.manual.names`: found \"example.com\"; "
                + "expected names of the certificate: *.example.org [192.0.2.7] [2001:db8:0:0:0:0:0:7] example.org");
    }

    @Test
    void everyIndependentFaultIsToldAtOnceAsAFaultOfTheConfiguration() throws Exception {
        authority.key("site", "RSA:1024");
        authority.certificate("site", "site", "extendedKeyUsage=clientAuth");
        IdentityReading.Refused refused = (IdentityReading.Refused) IdentityReader.read(
                text(authority.text("site.pem"), "no key", Optional.empty(), List.of()), Instant.EPOCH);
        assertThat(refused.faults()).hasSize(5).extracting(Fault::exitCode).containsOnly(ExitCode.CONFIGURATION);
    }

    // ---- as values

    @Test
    void identityIsHandedOverAsText() throws Exception {
        authority.chain(NAMES);
        Identity identity = accepted("site.key", "site.pem", "between.pem");
        Identity copy = Identity.of(identity.certificatesPem(), identity.keyPem());
        assertThat(copy).isEqualTo(identity).hasSameHashCodeAs(identity);
        assertThat(copy.names()).isEqualTo(identity.names());
    }

    @Test
    void nothingPrintsAKey() throws Exception {
        site("EC:P-256");
        IdentityText text = text(authority.text("site.pem"), authority.text("site.key"), Optional.empty(), List.of());
        assertThat(text.toString()).doesNotContain("PRIVATE");
        assertThat(accepted("site.pem", "site.key").toString()).startsWith("Identity[example.org, until ");
    }

    @Test
    void authoritiesAreReadFromOneFile() throws Exception {
        authority.chain(NAMES);
        AuthoritiesReading reading = AuthoritiesReading.read("tls.client_ca_file", "ca.pem",
                authority.text("root.pem", "between.pem"));
        assertThat(((AuthoritiesReading.Accepted) reading).certificates()).hasSize(2);
        reading = AuthoritiesReading.read("tls.client_ca_file", "ca.pem", authority.text("site.pem"));
        assertThat(((AuthoritiesReading.Refused) reading).faults()).singleElement().satisfies(
                fault -> assertThat(fault.what()).isEqualTo("`tls.client_ca_file`: found the certificate of CN=site, "
                        + "which is no authority; expected certificates of authorities"));
    }

    private void site(String kind) throws Exception {
        authority.key("site", kind);
        authority.certificate("site", "site", "subjectAltName=DNS:example.org");
    }

    private Identity accepted(String first, String... more) throws Exception {
        IdentityReading reading = first.endsWith(".pem")
                ? read(first, more[0], Optional.empty())
                : readChain(first, more);
        assertThat(reading).as(() -> reading.toString()).isInstanceOf(IdentityReading.Accepted.class);
        return ((IdentityReading.Accepted) reading).identity();
    }

    private IdentityReading readChain(String key, String... certificates) throws Exception {
        return IdentityReader.read(text(authority.text(certificates), authority.text(key), Optional.empty(), List.of()),
                Instant.now());
    }

    private IdentityReading read(String certificate, String key, Optional<Secret> password) throws Exception {
        return IdentityReader.read(new IdentityText("tls.manual", certificate, authority.text(certificate), key,
                authority.text(key), password, List.of()), Instant.now());
    }

    private static IdentityText text(String certificates, String key, Optional<Secret> password, List<String> names) {
        return new IdentityText("tls.manual", "chain.pem", certificates, "site.key", key, password, names);
    }

    private static Secret secret(String value) {
        return new Secret(value, new Secret.Reference.InEnvironment("PASSWORD"));
    }

    private static List<String> faults(IdentityReading reading) {
        assertThat(reading).isInstanceOf(IdentityReading.Refused.class);
        return ((IdentityReading.Refused) reading).faults().stream()
                .map(fault -> fault.place().text() + ": " + fault.what()).toList();
    }
}

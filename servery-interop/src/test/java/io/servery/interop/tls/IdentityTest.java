package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.servery.interop.Answer;
import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Several identities of one service, a kind of key each: which one a client is shown, and which hosts it may ask for then.
class IdentityTest {
    private static final long SOONEST_DAYS = 10;

    @TempDir
    static Path folder;
    private static final Map<String, Pair> IDENTITIES = new LinkedHashMap<>();
    private static Service service;
    private static Pair fallback;
    private static Peer peer;

    @BeforeAll
    static void start() throws IOException {
        Authority authority = Authority.create(folder, "authority");
        fallback = authority.issue(Wanted.of("fallback", "fallback.example", "localhost", "127.0.0.1"));
        Pair rsa = authority.issue(Wanted.of("rsa", "pkcs8-rsa.example").key("RSA:2048"));
        Pair one = authority.issue(Wanted.of("one", "pkcs1.example").key("RSA:2048"));
        Pair sec = authority.issue(Wanted.of("sec", "sec1.example").key("EC:P-384"));
        Pair locked = authority.issue(Wanted.of("locked", "encrypted.example"));
        IDENTITIES.put("pkcs8-rsa.example", rsa);
        IDENTITIES.put("pkcs1.example", authority.rewritten(one, "one-pkcs1", "rsa", "-traditional"));
        IDENTITIES.put("pkcs8-ec.example", authority.issue(Wanted.of("ec", "pkcs8-ec.example", "*.wild.example")
                .valid(Duration.ofHours(-1), Duration.ofDays(SOONEST_DAYS))));
        IDENTITIES.put("sec1.example", authority.rewritten(sec, "sec-sec1", "ec"));
        IDENTITIES.put("ed25519.example", authority.issue(Wanted.of("ed", "ed25519.example").key("ED25519")));
        IDENTITIES.put("encrypted.example", authority.rewritten(locked, "locked-aes", "pkcs8", "-topk8", "-v2",
                "aes-256-cbc", "-passout", "pass:correct horse"));
        Path password = authority.text("password", "correct horse\n");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        List<String> tls = new ArrayList<>(List.of(fallback.manual()));
        IDENTITIES.forEach((host, pair) -> tls.add(host.startsWith("pkcs8-ec")
                ? pair.identity(host, "*.wild.example")
                : pair.identity(host)));
        tls.add("private_key_password = { file = \"" + password + "\" }");
        Site site = Site.generate(folder.resolve("site"));
        service = Service.start(Configuration.of(folder, site.root()).tls(tls.toArray(String[]::new)));
        peer = new Peer(service.port(), authority.root(), folder);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pkcs8-rsa.example", "pkcs1.example", "pkcs8-ec.example", "sec1.example",
            "ed25519.example", "encrypted.example"})
    void identityIsChosenByTheNameThatIsAskedForWhateverItsKindOfKey(String host) {
        Pair expected = IDENTITIES.getOrDefault(host, fallback);
        assertThat(peer.shown(host)).as("the whole chain").isEqualTo(expected.certificates());
        Answer answer = peer.get(host, "/hello.txt");
        assertThat(answer.text()).isEqualTo("hello\n");
        for (String version : List.of("-tls1_2", "-tls1_3")) {
            Said said = peer.openssl(Peer.request(host, "/hello.txt"), "-servername", host, "-verify_hostname", host,
                    version);
            assertThat(said.all()).contains("Verification: OK", "HTTP/1.1 200", "hello");
        }
    }

    @Test
    void wildcardStandsForOneLabel() {
        Pair wild = IDENTITIES.getOrDefault("pkcs8-ec.example", fallback);
        assertThat(peer.serial("any.wild.example")).isEqualTo(wild.serial());
        assertThat(peer.get("any.wild.example", "/hello.txt").status()).isEqualTo(200);
        assertThat(peer.serial("one.more.wild.example")).isEqualTo(fallback.serial());
    }

    @Test
    void nameIsComparedWithoutCase() {
        assertThat(peer.serial("SEC1.Example")).isEqualTo(IDENTITIES.getOrDefault("sec1.example", fallback).serial());
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown.example", "fallback.example", "example", "127.0.0.1"})
    void unknownOrAbsentNameGetsTheDefault(String host) {
        assertThat(peer.shown(host)).isEqualTo(fallback.certificates());
    }

    // Hosts, RFC 9110 §7.4 and §15.5.20

    private static Answer ask(String shown, String host) {
        try (WireConnection connection = peer.connect(shown)) {
            return connection.get(host, "/hello.txt").answer();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sec1.example", "other.example", "localhost", "127.0.0.1", "a.ed25519.example"})
    void hostOutsideTheIdentityThatWasShownIsMisdirected(String host) {
        Answer answer = ask("ed25519.example", host);
        assertThat(answer.status()).isEqualTo(421);
        assertThat(answer.text()).doesNotContain("hello\n");
    }

    @Test
    void hostWithinTheIdentityThatWasShownIsServed() {
        assertThat(ask("fallback.example", "fallback.example").status()).isEqualTo(200);
        assertThat(ask("fallback.example", "fallback.example.").status()).as("its absolute form").isEqualTo(200);
        assertThat(ask("fallback.example", "LOCALHOST").status()).isEqualTo(200);
        assertThat(ask("fallback.example", "127.0.0.1").status()).isEqualTo(200);
        assertThat(ask("fallback.example", "fallback.example:" + service.port()).status()).isEqualTo(200);
        assertThat(ask("any.wild.example", "another.wild.example").status()).isEqualTo(200);
    }

    @Test
    void absoluteTargetOfTheIdentityIsServedAndAnyOtherIsMisdirected() {
        for (String host : List.of("sec1.example", "ed25519.example")) {
            try (WireConnection connection = peer.connect("sec1.example")) {
                Answer answer = connection.send("GET https://" + host + "/hello.txt HTTP/1.1\r\nHost: " + host
                        + "\r\nConnection: close\r\n\r\n").answer();
                assertThat(answer.status()).as(host).isEqualTo(host.equals("sec1.example") ? 200 : 421);
            }
        }
    }

    // What is said of them

    @Test
    void endOfTheFirstToExpireIsAMetric() {
        double soonest = (double) IDENTITIES.getOrDefault("pkcs8-ec.example", fallback).certificates().getFirst()
                .getNotAfter()
                .toInstant().getEpochSecond();
        assertThat(service.metric("servery_certificate_expiry_timestamp_seconds")).isCloseTo(soonest, within(0.5));
    }

    @Test
    void statusNamesTheCertificates() {
        Object certificates = service.status().get("certificates");
        assertThat(certificates).isInstanceOf(List.class);
        assertThat((List<?>) certificates).hasSize(IDENTITIES.size() + 1);
        assertThat(String.valueOf(certificates)).contains("fallback.example", "sec1.example", "*.wild.example");
    }
}

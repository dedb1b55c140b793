package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Site;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Service;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Peers that never finish a handshake, or do not want one: each is ended in time, and nobody else notices.
class HostilePeerTest {
    private static final String HOST = "site.example";
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    /// What a busy machine may add to a deadline.
    private static final Duration LATE = Duration.ofSeconds(3);
    private static final Duration EARLY = Duration.ofMillis(200);
    private static final String TIMEOUTS = "servery_timeouts_total{phase=\"handshake\"";
    private static final String HANDSHAKES = "servery_tls_handshakes_total";
    private static final int SILENT_PEERS = 40;

    @TempDir
    static Path folder;
    private static Service service;
    private static Peer peer;

    private List<Long> pids = List.of();

    @BeforeAll
    static void start() {
        Authority authority = Authority.create(folder, "authority");
        Pair pair = authority.issue(Wanted.of("site", HOST));
        Site site = Site.generate(folder.resolve("site"));
        service = Service.start(Configuration.of(folder, site.root()).tls(pair.manual())
                .resources("handshake_timeout = \"" + DEADLINE.toMillis() + "ms\""));
        peer = new Peer(service.port(), authority.root(), folder);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void look() {
        pids = service.workerPids();
    }

    @AfterEach
    void everybodyElseIsServedByTheSameWorker() {
        assertThat(peer.get(HOST, "/hello.txt").text()).isEqualTo("hello\n");
        assertThat(service.workerPids()).as(service.errorText()).isEqualTo(pids);
        assertThat(service.events("runtime.bug", 0)).isEmpty();
        service.await("no connection is left",
                () -> service.metric("servery_connections_active") == 0);
    }

    private static Hello hello() {
        return Hello.of(HOST, Hello.X25519, Hello.P_256);
    }

    // The deadline runs from accept to the end of the handshake

    private static Records silent(byte[] begun) {
        return Records.open(service.port()).send(begun);
    }

    private static void assertEndsAtTheDeadline(Records records, long sinceNanos) {
        assertThat(records.ends(DEADLINE.plus(LATE))).as("an end").isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - sinceNanos)).isGreaterThan(DEADLINE.minus(EARLY));
    }

    @Test
    void peerThatSaysNothingIsEndedAtTheDeadlineAndCounted() {
        double timeouts = service.metric(TIMEOUTS);
        long since = System.nanoTime();
        try (Records records = silent(new byte[0])) {
            assertEndsAtTheDeadline(records, since);
        }
        service.await("it is counted", () -> service.metric(TIMEOUTS) == timeouts + 1);
        assertThat(service.metric("servery_rejections_total{reason=\"handshake_timeout\"")).isPositive();
    }

    @Test
    void peerThatStopsWithinItsFirstMessageIsEndedAtTheDeadline() {
        byte[] whole = hello().records();
        for (int length : List.of(3, 9, whole.length - 1)) {
            long since = System.nanoTime();
            try (Records records = silent(Arrays.copyOf(whole, length))) {
                assertEndsAtTheDeadline(records, since);
            }
        }
    }

    /// The service waits for the second message of the peer.
    @Test
    void peerThatStopsAfterTheAnswerOfTheServiceIsEndedAtTheDeadline() {
        long since = System.nanoTime();
        try (Records records = silent(hello().records())) {
            assertThat(records.next()).hasValueSatisfying(
                    record -> assertThat(record.isServerHello()).as(record.toString()).isTrue());
            assertEndsAtTheDeadline(records, since);
        }
    }

    /// Progress moves no deadline.
    @Test
    void peerThatSendsAByteNowAndThenIsEndedAtTheSameDeadline() {
        long since = System.nanoTime();
        try (Records records = Records.open(service.port())) {
            byte[] whole = hello().padded(8_000).records();
            assertThat(records.endsWhileSending(whole, Duration.ofMillis(50), DEADLINE.plus(LATE))).isTrue();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThan(DEADLINE.minus(EARLY));
    }

    @Test
    void manySilentPeersKeepNobodyWaiting() {
        List<Records> silent = new ArrayList<>();
        try {
            for (int i = 0; i < SILENT_PEERS; i++) {
                silent.add(silent(i % 2 == 0 ? new byte[0] : hello().records()));
            }
            long since = System.nanoTime();
            assertThat(peer.get(HOST, "/hello.txt").status()).isEqualTo(200);
            assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(DEADLINE);
            for (Records each : silent) {
                assertThat(each.ends(DEADLINE.plus(LATE))).isTrue();
            }
        } finally {
            silent.forEach(Records::close);
        }
    }

    // The first message is at most 16 KiB

    @ParameterizedTest
    @ValueSource(ints = {512, 4_000, 16_000})
    void firstMessageWithinTheLimitIsAnswered(int bytes) {
        byte[] records = hello().padded(bytes).records();
        try (Records connection = silent(records)) {
            assertThat(connection.next()).hasValueSatisfying(
                    record -> assertThat(record.isServerHello()).as(record.toString()).isTrue());
        }
    }

    @Test
    void firstMessageMayComeInManyRecords() {
        try (Records connection = silent(hello().padded(4_000).records(100))) {
            assertThat(connection.next()).hasValueSatisfying(
                    record -> assertThat(record.isServerHello()).as(record.toString()).isTrue());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17_000, 40_000, 65_000})
    void firstMessagePastTheLimitIsRefusedBeforeItsDeadline(int bytes) {
        double failures = failures();
        try (Records connection = Records.open(service.port())) {
            trySend(connection, hello().padded(bytes).records());
            assertThat(connection.next().filter(Records.Received::isServerHello)).isEmpty();
        }
        awaitFailure(failures);
    }

    /// It says how long it will be at its very beginning.
    @Test
    void firstMessageThatAnnouncesTooMuchIsRefusedWithoutWaitingForIt() {
        long since = System.nanoTime();
        try (Records connection = silent(HexFormat.of().parseHex("1603010010" + "01ffffff0303" + "5a".repeat(10)))) {
            assertThat(connection.ends(DEADLINE.minus(EARLY))).isTrue();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(DEADLINE);
    }

    private static double failures() {
        return service.metrics().sum(HANDSHAKES, "result=\"failure\"");
    }

    private static void awaitFailure(double before) {
        service.await("a failed handshake is counted", () -> failures() > before);
    }

    private static void trySend(Records connection, byte[] bytes) {
        try {
            connection.send(bytes);
        } catch (UncheckedIOException refusedMeanwhile) {
            // The end is what the test is after.
        }
    }

    // Other than TLS

    @ParameterizedTest
    @ValueSource(strings = {"GET /hello.txt HTTP/1.1\r\nHost: site.example\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\r\n\r\n", "\0\0\0\0\0\0\0\0"})
    void bytesThatAreNoTlsEndTheConnectionWithoutAFile(String text) {
        double failures = failures();
        try (Records connection = silent(text.getBytes(StandardCharsets.ISO_8859_1))) {
            byte[] heard = connection.rest();
            assertThat(new String(heard, StandardCharsets.ISO_8859_1)).doesNotContain("hello\n").doesNotContain(
                    " 200 ");
        }
        awaitFailure(failures);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1603010000", "160301ffff01", "15030100020100", "1703030005aabbccddee",
            "1603010004" + "02000000", "160301000401000000", "80260103010015000000105a5a", "1403030001011603010000"})
    void recordsThatMakeNoHandshakeEndTheConnection(String hex) {
        try (Records connection = silent(HexFormat.of().parseHex(hex))) {
            assertThat(connection.ends(DEADLINE.plus(LATE))).isTrue();
        }
    }

    @Test
    void messagesWithABrokenByteEndTheConnectionOrAreAnswered() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] whole = hello().records();
        for (int i = 0; i < 100; i++) {
            byte[] broken = whole.clone();
            broken[random.nextInt(broken.length)] ^= (byte) (1 << random.nextInt(8));
            try (Records connection = Records.open(service.port())) {
                trySend(connection, broken);
                // The length of the record may be what broke: then the peer is waited for.
                assertThat(connection.heardOrEnded(DEADLINE.plus(LATE))).as("seed " + seed + ", " + i).isTrue();
            }
        }
    }
}

package io.servery.interop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.interop.Site;
import io.servery.interop.WireConnection;
import io.servery.interop.fleet.Configuration;
import io.servery.interop.fleet.Event;
import io.servery.interop.fleet.Said;
import io.servery.interop.fleet.Service;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Certificates that change while the service runs: in place, renamed, as a mounted secret; valid ones and others.
class RotationTest {
    private static final String HOST = "site.example";
    private static final String MOUNTED = "mounted.example";
    private static final Duration SEEN = Duration.ofSeconds(5);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int CONFIGURATION = 78;
    /// So many that each worker accepts some.
    private static final int CONNECTIONS = 8;
    private static final String EXPIRY = "servery_certificate_expiry_timestamp_seconds";

    @TempDir
    static Path folder;
    private static Authority authority;
    private static Pair used;
    private static MountedSecret mounted;
    private static Service service;
    private static Configuration usual;
    private static Peer peer;
    private static int issued;

    private int events;
    private int generation;
    private List<Long> pids = List.of();

    @BeforeAll
    static void start() {
        authority = Authority.create(folder, "authority");
        used = next(HOST).copy(folder.resolve("used"));
        mounted = new MountedSecret(folder.resolve("mounted"), next(MOUNTED));
        Site site = Site.generate(folder.resolve("site"));
        service = Service.start(Configuration.of(folder, site.root()).runtime("workers = 2").tls(used.manual(),
                mounted.pair().identity(MOUNTED)));
        usual = service.configuration();
        peer = new Peer(service.port(), authority.root(), folder);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    /// Whatever a test before it left, there is an identity whose files are what is shown.
    @BeforeEach
    void look() {
        service.configure(usual);
        service.settled(2);
        if (!isWhatIsShown(used)) {
            used.become(next(HOST));
            service.await("an identity that is whole", () -> isWhatIsShown(used));
        }
        events = service.events().size();
        generation = service.generation();
        pids = service.workerPids();
    }

    private static boolean isWhatIsShown(Pair pair) {
        try {
            return Files.exists(pair.chain()) && isShownByAll(HOST, pair.serial());
        } catch (IllegalStateException | NoSuchElementException noCertificates) {
            return false;
        }
    }

    @AfterEach
    void sameWorkersServe() {
        assertThat(service.ready()).isTrue();
        assertThat(service.generation()).isEqualTo(generation);
        assertThat(service.workerPids()).isEqualTo(pids);
    }

    /// Another identity of this host.
    private static Pair next(String host) {
        return authority.issue(Wanted.of("issued-" + issued++, host));
    }

    private static boolean isShownByAll(String host, BigInteger serial) {
        return Stream.generate(() -> peer.serial(host)).limit(CONNECTIONS).allMatch(serial::equals);
    }

    private static int activated() {
        return service.events("certificate.activated", 0).size();
    }

    /// Makes a change that is seen in time, and told once.
    private static void assertSeen(String host, Pair next, Runnable change) {
        int before = activated();
        change.run();
        service.await("new handshakes see the new certificate", SEEN, () -> isShownByAll(host, next.serial()));
        service.await("certificate.activated", () -> activated() > before);
        assertThat(activated()).as("activated: " + service.errorText()).isEqualTo(before + 1);
    }

    private List<Event> rejections() {
        return service.events().stream().skip(events)
                .filter(event -> event.name().matches("certificate\\.(rejected|[a-z]*_?failed)")).toList();
    }

    /// The files change one after the other: what is between may be told too.
    ///
    /// @param why patterns that its message must have
    private void awaitRejection(String... why) {
        service.await("a rejection that says " + List.of(why), () -> rejections().stream()
                .anyMatch(event -> Arrays.stream(why).allMatch(
                        pattern -> Pattern.compile(pattern).matcher(event.text("message")).find())));
        assertThat(rejections()).allSatisfy(event -> assertThat(event.text("level")).isIn("warn", "error"));
    }

    // Valid ones

    @Test
    void renamedFilesAreSeenByNewHandshakesAndConnectionsKeepWhatTheyHave() {
        BigInteger before = peer.serial(HOST);
        Pair next = next(HOST);
        try (WireConnection held = peer.connect(HOST)) {
            assertThat(held.get(HOST, "/hello.txt").answer().status()).isEqualTo(200);
            assertSeen(HOST, next, () -> used.become(next));
            assertThat(held.get(HOST, "/hello.txt").answer().text()).as("on the connection of " + before)
                    .isEqualTo("hello\n");
        }
        assertThat(next.serial()).isNotEqualTo(before);
        assertThat(peer.get(HOST, "/hello.txt").text()).isEqualTo("hello\n");
    }

    @Test
    void filesWrittenInPlaceAreSeen() {
        Pair next = next(HOST);
        assertSeen(HOST, next, () -> used.overwrite(next));
    }

    @Test
    void keyThatComesAMomentAfterItsCertificateIsWaitedFor() {
        Pair next = next(HOST);
        BigInteger before = peer.serial(HOST);
        used.become(new Pair(next.chain(), used.key()));
        assertThat(isShownByAll(HOST, before)).isTrue();
        assertSeen(HOST, next, () -> used.become(next));
    }

    @Test
    void mountedSecretIsSeenWhenItsLinkMoves() {
        BigInteger others = peer.serial(HOST);
        for (int i = 0; i < 3; i++) {
            Pair next = next(MOUNTED);
            assertSeen(MOUNTED, next, () -> mounted.update(next));
        }
        assertThat(peer.serial(HOST)).isEqualTo(others);
    }

    /// A renewal that keeps its key writes one file.
    @Test
    void certificateThatKeepsItsKeyIsSeen() {
        Pair first = next(HOST);
        assertSeen(HOST, first, () -> used.become(first));
        Pair next = authority.renewed(first, Wanted.of("renewed", HOST));
        assertSeen(HOST, next, () -> used.become(next));
        assertThat(rejections()).isEmpty();
    }

    /// What is written anew and is the same is no change: the change after it is the only one that is told.
    @Test
    void contentDecidesNotTheTimeOfAFile() {
        Pair next = next(MOUNTED);
        assertSeen(MOUNTED, next, () -> {
            used.become(used.copy(folder.resolve("same-" + issued)));
            mounted.update(next);
        });
        assertThat(rejections()).isEmpty();
    }

    @Test
    void expiryFollowsTheCertificatesThatAreShown() {
        Pair sooner = authority.issue(Wanted.of("sooner", HOST).valid(Duration.ofHours(-1), DAY.multipliedBy(5)));
        assertSeen(HOST, sooner, () -> used.become(sooner));
        double expiry = (double) sooner.certificates().getFirst().getNotAfter().toInstant().getEpochSecond();
        service.await("its end", () -> service.metric(EXPIRY) == expiry);
        Pair later = next(HOST);
        assertSeen(HOST, later, () -> used.become(later));
        service.await("the next end", () -> service.metric(EXPIRY) > expiry);
    }

    // Others

    /// What can be wrong with a candidate.
    enum Broken {
        GARBAGE("tls\\.manual\\.", "certificate"),
        EMPTY("tls\\.manual\\.", "certificate|empty"),
        CUT("tls\\.manual\\.certificate_file", "certificate"),
        MISSING("tls\\.manual\\.certificate_file", "tls\\.crt"),
        NO_KEY("tls\\.manual\\.private_key_file", "key"),
        MISMATCH("tls\\.manual\\.private_key_file|tls\\.manual\\.certificate_file", "match|belong"),
        EXPIRED("tls\\.manual\\.certificate_file", "expired"),
        EARLY("tls\\.manual\\.certificate_file", "not (yet )?valid"),
        INCOMPLETE("tls\\.manual\\.certificate_file", "incomplete|intermediate|issuer");

        private final String key;
        private final String why;

        Broken(String key, String why) {
            this.key = key;
            this.why = why;
        }

        void put() throws IOException {
            Pair next = switch (this) {
                case EXPIRED -> authority.issue(
                        Wanted.of("expired", HOST).valid(DAY.multipliedBy(-3), DAY.negated()));
                case EARLY -> authority.issue(Wanted.of("early", HOST).valid(DAY, DAY.multipliedBy(3)));
                case INCOMPLETE -> authority.leaf(Wanted.of("alone", HOST));
                case MISSING -> used;
                default -> next(HOST);
            };
            used.become(switch (this) {
                case GARBAGE -> new Pair(authority.text("garbage", "garbage\n"), used.key());
                case EMPTY -> new Pair(authority.text("empty", ""), used.key());
                case CUT -> new Pair(authority.text("cut", Files.readString(next.chain()).substring(0, 400)),
                        used.key());
                case NO_KEY -> new Pair(used.chain(), authority.text("no.key", "garbage\n"));
                case MISMATCH -> new Pair(used.chain(), next.key());
                case MISSING, EXPIRED, EARLY, INCOMPLETE -> next;
            });
            if (this == MISSING) {
                Files.delete(used.chain());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Broken.class)
    void brokenCandidateIsSaidAndTheIdentityBeforeItStays(Broken broken) throws IOException {
        Pair before = used.copy(folder.resolve("before-" + broken));
        broken.put();
        awaitRejection(broken.key, "(?i)" + broken.why);
        assertThat(isShownByAll(HOST, before.serial())).as("what was shown before").isTrue();
        assertThat(service.ready()).isTrue();
        assertReloadIsRefused(broken);
        assertThat(isShownByAll(HOST, before.serial())).as("after the reload").isTrue();
        Pair mended = next(HOST);
        assertSeen(HOST, mended, () -> used.become(mended));
    }

    private static void assertReloadIsRefused(Broken broken) {
        Said said = service.run("reload");
        assertThat(said.code()).as(said.toString()).isEqualTo(CONFIGURATION);
        assertThat(said.errors()).containsPattern(broken.key).containsPattern("(?i)" + broken.why);
        assertThat(service.metric("servery_config_last_reload_successful")).isZero();
    }

    /// One that stays broken is told once, not at each look.
    @Test
    void brokenCandidateOfOneIdentityKeepsNoOtherFromChanging() {
        used.become(new Pair(authority.text("garbage", "garbage\n"), used.key()));
        awaitRejection();
        Pair next = next(MOUNTED);
        assertSeen(MOUNTED, next, () -> mounted.update(next));
        assertThat(rejections()).hasSize(1);
        Pair mended = next(HOST);
        assertSeen(HOST, mended, () -> used.become(mended));
    }

    // Paths

    @Test
    void pathsAreHotAndAReloadAppliesThemWithoutANewGeneration() {
        Pair elsewhere = next(HOST);
        service.configure(usual.tls(elsewhere.manual(), mounted.pair().identity(MOUNTED)));
        Said said = service.run("reload");
        assertThat(said.code()).as(said + service.errorText()).isZero();
        assertThat(said.output()).contains("tls.manual.certificate_file", "tls.manual.private_key_file");
        service.await("the other certificate", SEEN, () -> isShownByAll(HOST, elsewhere.serial()));
        service.configure(usual);
        Said back = service.run("reload");
        assertThat(back.code()).as(back + service.errorText()).isZero();
        service.await("the files from before", SEEN, () -> isShownByAll(HOST, used.serial()));
    }
}

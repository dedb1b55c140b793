package io.servery.netty.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Logging;
import io.servery.core.config.Outcome;
import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.core.lifecycle.Cause;
import io.servery.core.reason.Reason;
import io.servery.core.tls.Credentials;
import io.servery.core.tls.Identity;
import io.servery.core.tls.SelfSigned;
import io.servery.core.tls.TicketKeys;
import io.servery.netty.observe.Events;
import io.servery.supervisor.loop.Identities;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// From files that change to orders: what is handed over, when, and what is said of what cannot be. Time is the test's; the
/// looks are called, not waited for.
///
/// Long because one fixture serves them all.
class IdentityKeeperTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String TWO = """
            [tls]
            mode = "manual"
            [tls.manual]
            certificate_file = "site.pem"
            private_key_file = "site.key"
            [[tls.identity]]
            names = ["b.example"]
            certificate_file = "other.pem"
            private_key_file = "other.key"
            """;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final List<Order.Identify> orders = new ArrayList<>();
    private CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);
    private Instant now = Instant.parse("2026-11-30T12:00:00Z");
    private Events events;
    private IdentityKeeper keeper;

    @BeforeEach
    void begin() {
        events = new Events(Logging.Level.INFO, true, said, Clock.systemUTC());
        keeper = new IdentityKeeper(events, () -> now, (_, order) -> {
            orders.add(order);
            return answer;
        }, IssuedIdentities.none());
    }

    @AfterEach
    void end() throws InterruptedException {
        keeper.close();
        events.close(TimeUnit.SECONDS.toNanos(5));
    }

    private String events() throws InterruptedException {
        events.close(TimeUnit.SECONDS.toNanos(5));
        return said.toString(StandardCharsets.UTF_8);
    }

    private Identity identity(String host) {
        return SelfSigned.make(List.of(host), now, Duration.ofDays(90), RANDOM);
    }

    private void write(String name, Identity identity) throws Exception {
        write(name + ".pem", identity.certificatesPem());
        write(name + ".key", identity.keyPem());
    }

    /// As tools do it: a new file over the old one.
    private void write(String file, String text) throws Exception {
        Path fresh = Files.writeString(folder.resolve("fresh"), text);
        Files.move(fresh, folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }

    private ServeryConfig config(String tls) throws Exception {
        Files.writeString(folder.resolve("servery.toml"), "schema_version = 1\n" + tls);
        Outcome outcome = Configuration.load(new ConfigurationInputs(Optional.of(Path.of("servery.toml")), Map.of(),
                List.of(), folder, false));
        return switch (outcome) {
            case Outcome.Accepted accepted -> accepted.config();
            case Outcome.Refused refused -> throw new AssertionError(refused.faults());
        };
    }

    private ServeryConfig manual(String certificate, String key) throws Exception {
        return config("[tls]\nmode = \"manual\"\n[tls.manual]\ncertificate_file = \"" + certificate
                + "\"\nprivate_key_file = \"" + key + "\"\n");
    }

    private Order.Identify read(ServeryConfig config) {
        return switch (keeper.read(config)) {
            case Identities.Given(Optional<Order.Identify> order) -> order.orElseThrow();
            case Identities.Refused refused -> throw new AssertionError(refused.message());
        };
    }

    private static Identity shown(Order.Identify order) {
        return IdentityOrders.credentials(order).byDefault();
    }

    private void serve(String host) throws Exception {
        write("site", identity(host));
        ServeryConfig config = manual("site.pem", "site.key");
        keeper.serves(config, Optional.of(read(config)));
        keeper.look();
        assertThat(orders).isEmpty();
    }

    @Test
    void plainHttpNeedsNone() throws Exception {
        assertThat(keeper.read(config(""))).isEqualTo(new Identities.Given(Optional.empty()));
        keeper.serves(config(""), Optional.empty());
        keeper.look();

        assertThat(orders).isEmpty();
        assertThat(keeper.firstExpirySeconds()).isEmpty();
        assertThat(keeper.amiss()).isEmpty();
    }

    @Test
    void orderSaysAllThatTheFilesHold() throws Exception {
        Identity site = identity("a.example");
        Identity other = identity("b.example");
        write("site", site);
        write("other", other);
        ServeryConfig config = config("""
                [tls]
                mode = "manual"
                client_certificates = "optional"
                client_ca_file = "other.pem"
                [tls.manual]
                certificate_file = "site.pem"
                private_key_file = "site.key"
                [[tls.identity]]
                names = ["b.example"]
                certificate_file = "other.pem"
                private_key_file = "other.key"
                """);

        // No authority: a certificate that vouches for one server alone.
        assertThat(keeper.read(config)).isInstanceOfSatisfying(Identities.Refused.class, refused -> assertThat(
                refused.message())
                .contains(folder + "/other.pem: error: `tls.client_ca_file`: found ", "no authority"));
        Order.Identify order = read(config(TWO));
        Credentials credentials = IdentityOrders.credentials(order);
        assertThat(credentials.byDefault()).isEqualTo(site);
        assertThat(credentials.others()).singleElement().satisfies(named -> {
            assertThat(named.identity()).isEqualTo(other);
            assertThat(named.names().texts()).containsExactly("b.example");
        });
        assertThat(IdentityOrders.ticketKeys(order)).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void everyFaultOfEveryFileIsNamed() throws Exception {
        write("site.pem", identity("a.example").certificatesPem());
        write("site.key", identity("a.example").keyPem());
        assertThat(keeper.read(config("""
                [tls]
                mode = "manual"
                [tls.manual]
                certificate_file = "site.pem"
                private_key_file = "site.key"
                [[tls.identity]]
                names = ["b.example"]
                certificate_file = "none.pem"
                private_key_file = "none.key"
                """))).isInstanceOfSatisfying(Identities.Refused.class,
                refused -> assertThat(refused.message()).contains(
                        "site.key: error: `tls.manual.private_key_file`: found a key that does not belong",
                        "none.pem: error: `tls.identity.certificate_file`: found no file; expected one in PEM",
                        "none.key: error: `tls.identity.private_key_file`: found no file"));
    }

    @Test
    void newFilesAreHandedOver() throws Exception {
        serve("a.example");
        Identity next = identity("a.example");
        write("site", next);
        keeper.look();
        keeper.look();

        assertThat(orders).singleElement().satisfies(order -> assertThat(shown(order)).isEqualTo(next));
        assertThat(keeper.firstExpirySeconds()).hasValue(next.notAfter().getEpochSecond());
        assertThat(events()).containsSubsequence("certificate.activated", "certificate.activated")
                .doesNotContain("rejected");
    }

    @Test
    void sameContentInOtherFilesIsNoChange() throws Exception {
        serve("a.example");
        write("site.pem", Files.readString(folder.resolve("site.pem")));
        keeper.look();

        assertThat(orders).isEmpty();
    }

    /// As a directory of secrets is mounted: each file leads through a link, which is turned.
    @Test
    void turnedLinkIsSeen() throws Exception {
        Identity first = identity("a.example");
        Identity second = identity("a.example");
        for (String version : List.of("1", "2")) {
            Path data = Files.createDirectory(folder.resolve("..data_" + version));
            Identity of = version.equals("1") ? first : second;
            Files.writeString(data.resolve("tls.crt"), of.certificatesPem());
            Files.writeString(data.resolve("tls.key"), of.keyPem());
        }
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..data_1"));
        Files.createSymbolicLink(folder.resolve("tls.crt"), Path.of("..data/tls.crt"));
        Files.createSymbolicLink(folder.resolve("tls.key"), Path.of("..data/tls.key"));
        ServeryConfig config = manual("tls.crt", "tls.key");
        Order.Identify order = read(config);
        assertThat(shown(order)).isEqualTo(first);
        keeper.serves(config, Optional.of(order));
        keeper.look();
        Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of("..data_2"));
        Files.move(folder.resolve("..data_tmp"), folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        keeper.look();

        assertThat(orders).singleElement().satisfies(handed -> assertThat(shown(handed)).isEqualTo(second));
    }

    @Test
    void certificateAheadOfItsKeyIsNotComplainedOf() throws Exception {
        serve("a.example");
        exchangedInTwoLooksWithoutComplaint();
    }

    private void exchangedInTwoLooksWithoutComplaint() throws Exception {
        Identity next = identity("a.example");
        write("site.pem", next.certificatesPem());
        keeper.look();
        write("site.key", next.keyPem());
        keeper.look();

        assertThat(orders).singleElement().satisfies(order -> assertThat(shown(order)).isEqualTo(next));
        assertThat(events()).doesNotContain("rejected");
    }

    @Test
    void whatStaysUnsoundIsSaidOnce() throws Exception {
        serve("a.example");
        write("site.pem", identity("a.example").certificatesPem());
        for (int look = 0; look < 5; look++) {
            keeper.look();
        }

        assertThat(orders).isEmpty();
        assertThat(events().lines().filter(line -> line.contains("certificate.rejected"))).singleElement().asString()
                .contains("site.key", "found a key that does not belong", "the certificate before is still shown");
    }

    @Test
    void oneThatIsUnsoundKeepsNoOtherFromChanging() throws Exception {
        write("site", identity("a.example"));
        write("other", identity("b.example"));
        ServeryConfig config = config(TWO);
        Order.Identify begun = read(config);
        Identity first = shown(begun);
        keeper.serves(config, Optional.of(begun));
        keeper.look();
        write("site.pem", "garbage");
        keeper.look();
        keeper.look();
        Identity next = identity("b.example");
        write("other", next);
        keeper.look();
        keeper.look();

        assertThat(orders).singleElement().satisfies(order -> {
            assertThat(shown(order)).isEqualTo(first);
            assertThat(IdentityOrders.credentials(order).others().getFirst().identity()).isEqualTo(next);
        });
        assertThat(events().lines().filter(line -> line.contains("certificate.rejected"))).hasSize(1);
        assertThat(events().lines().filter(line -> line.contains("certificate.activated"))).hasSize(3);
    }

    @Test
    void keysOfTicketsRotate() throws Exception {
        serve("a.example");
        now = now.plus(TicketKeys.PERIOD);
        keeper.look();
        keeper.look();

        assertThat(orders).singleElement()
                .satisfies(order -> assertThat(IdentityOrders.ticketKeys(order)).hasSize(3).doesNotHaveDuplicates());
        assertThat(events().lines().filter(line -> line.contains("certificate.activated"))).hasSize(1);
    }

    @Test
    void whatAWorkerRefusesIsTakenBack() throws Exception {
        serve("a.example");
        Order.Identify first = read(manual("site.pem", "site.key"));
        Identity before = IdentityOrders.credentials(first).byDefault();
        write("site", identity("a.example"));
        keeper.look();
        keeper.refused(orders.getFirst().number(), Optional.of(first), "tls: it cannot be shown");
        keeper.look();
        keeper.look();

        assertThat(orders).hasSize(2);
        assertThat(shown(orders.getLast())).isEqualTo(before);
        assertThat(events()).contains("certificate.rejected").contains("it cannot be shown");
    }

    /// The look that comes between leaves what is to be shown as it is; it is the files that it has seen.
    @Test
    void refusalIsNotLostToALookAtTheSameTime() throws Exception {
        serve("a.example");
        Order.Identify first = read(manual("site.pem", "site.key"));
        Identity before = shown(first);
        Identity[] others = {identity("a.example"), identity("a.example")};
        try (ExecutorService loop = Executors.newSingleThreadExecutor()) {
            for (int round = 0; round < 100; round++) {
                answer = new CompletableFuture<>();
                write("site", others[round % 2]);
                keeper.look();
                write("site.pem", "garbage " + round);
                CyclicBarrier together = new CyclicBarrier(2);
                long number = orders.getLast().number();
                Future<?> refused = loop.submit(() -> {
                    together.await();
                    keeper.refused(number, Optional.of(first), "tls: it cannot be shown");
                    return null;
                });
                together.await();
                for (int look = 0; !refused.isDone(); look++) {
                    write("site.pem", "garbage " + round + " " + look);
                    keeper.look();
                }
                refused.get();
                answer.completeExceptionally(new IllegalStateException("tls: it cannot be shown"));
                answer = CompletableFuture.completedFuture(null);
                keeper.look();
                assertThat(shown(orders.getLast())).as("round " + round).isEqualTo(before);
            }
        }
    }

    /// What no worker could show is neither handed over again nor what is said to be shown.
    @Test
    void secondChangeBeforeTheFirstRefusalIsTakenBackToWhatWasShownBeforeBoth() throws Exception {
        serve("a.example");
        Order.Identify first = read(manual("site.pem", "site.key"));
        Identity shown = shown(first);
        answer = new CompletableFuture<>();
        write("site", identity("a.example"));
        keeper.look();
        CompletableFuture<Void> superseded = answer;
        answer = new CompletableFuture<>();
        write("site", identity("a.example"));
        keeper.look();
        superseded.completeExceptionally(new IllegalStateException("something else is to be shown"));
        keeper.refused(orders.getLast().number(), Optional.of(first), "tls: it cannot be shown");
        answer.completeExceptionally(new IllegalStateException("tls: it cannot be shown"));
        answer = CompletableFuture.completedFuture(null);
        for (int look = 0; look < 3; look++) {
            keeper.look();
        }

        assertThat(orders).hasSize(3);
        assertThat(shown(orders.getLast())).isEqualTo(shown);
        assertThat(keeper.firstExpirySeconds()).hasValue(shown.notAfter().getEpochSecond());
        assertThat(events().lines().filter(line -> line.contains("certificate.activated"))).hasSize(1);
    }

    /// A worker has not answered: what it was sent may be lost.
    @Test
    void whatAnAuthorityIssuedIsHandedOverAgainWhenItIsOfferedAgain() throws Exception {
        ServeryConfig config = config("""
                runtime.state_directory = "state"
                tls.mode = "acme"
                [tls.acme]
                domains = ["a.example"]
                accept_terms = true
                challenge = "tls-alpn-01"
                """);
        Identity candidate = identity("a.example");
        AtomicInteger offer = new AtomicInteger();
        List<Object> shown = new ArrayList<>();
        IssuedIdentities issued = (IssuedIdentities) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{IssuedIdentities.class}, (_, method, arguments) -> switch (method.getName()) {
                    case "wanted" -> Optional.of(candidate);
                    case "offer" -> offer.get();
                    case "shown" -> {
                        shown.add(arguments[0]);
                        yield null;
                    }
                    default -> method.invoke(IssuedIdentities.none(), arguments);
                });
        answer = new CompletableFuture<>();
        try (IdentityKeeper offered = new IdentityKeeper(events, () -> now, (_, order) -> {
            orders.add(order);
            return answer;
        }, issued)) {
            offered.serves(config, Optional.of(IdentityOrders.of(1, new Credentials(identity("a.example"), List.of(),
                    List.of()), TicketKeys.first(now, RANDOM))));
            offered.look();
            offered.look();
            assertThat(orders).hasSize(1);
            offer.set(3);
            offered.look();
            offered.look();
            assertThat(orders).hasSize(2).allSatisfy(order -> assertThat(shown(order)).isEqualTo(candidate));
            assertThat(orders.getLast().number()).isGreaterThan(orders.getFirst().number());
            assertThat(shown).isEmpty();
            answer.complete(null);
            assertThat(shown).containsOnly(candidate);
            offer.set(4);
            offered.look();
            assertThat(orders).as("every worker shows it").hasSize(2);
        }
    }

    /// It came while a reload was on its way, say.
    @Test
    void changeThatNobodyTookIsHandedOverAgain() throws Exception {
        serve("a.example");
        Identity next = identity("a.example");
        write("site", next);
        answer = CompletableFuture.failedFuture(new IllegalStateException("another configuration serves"));
        keeper.look();
        answer = CompletableFuture.completedFuture(null);
        keeper.look();
        keeper.look();

        assertThat(orders).hasSize(2).allSatisfy(order -> assertThat(shown(order)).isEqualTo(next));
        assertThat(events()).containsSubsequence("certificate.activated", "certificate.activated")
                .doesNotContain("rejected");
    }

    @Test
    void secondChangeIsShownThoughTheFirstWasRefusedBeforeItCame() throws Exception {
        serve("a.example");
        Order.Identify first = read(manual("site.pem", "site.key"));
        write("site", identity("a.example"));
        answer = CompletableFuture.failedFuture(new IllegalStateException("tls: no"));
        keeper.look();
        keeper.refused(orders.getLast().number(), Optional.of(first), "tls: no");
        answer = CompletableFuture.completedFuture(null);
        Identity next = identity("a.example");
        write("site", next);
        keeper.look();
        keeper.look();
        assertThat(shown(orders.getLast())).isEqualTo(next);
        assertThat(events().lines().filter(line -> line.contains("certificate.rejected"))).hasSize(1);
    }

    /// Each may be half of an exchange.
    @Test
    void secondUnsoundChangeIsNotComplainedOfAtItsFirstLook() throws Exception {
        serve("a.example");
        write("site.pem", "garbage");
        keeper.look();
        exchangedInTwoLooksWithoutComplaint();
    }

    /// Same file, same size, same time: what a file system says when it is written twice within a tick of its clock.
    @Test
    void secondChangeWithinTheTickOfAFileSystemIsSeenByTheNextLook() throws Exception {
        serve("a.example");
        Identity first = identity("a.example");
        Identity second = identity("a.example");
        for (int tries = 0; second.certificatesPem().length() != first.certificatesPem().length()
                || second.keyPem().length() != first.keyPem().length(); tries++) {
            assertThat(tries).isLessThan(1_000);
            second = identity("a.example");
        }
        write("site", first);
        FileTime time = FileTime.from(now);
        Files.setLastModifiedTime(folder.resolve("site.pem"), time);
        Files.setLastModifiedTime(folder.resolve("site.key"), time);
        keeper.look();
        for (String file : List.of("site.pem", "site.key")) {
            Files.writeString(folder.resolve(file), file.equals("site.pem")
                    ? second.certificatesPem()
                    : second.keyPem());
            Files.setLastModifiedTime(folder.resolve(file), time);
        }
        now = now.plus(IdentityKeeper.LOOK_EVERY);
        keeper.look();
        keeper.look();

        assertThat(orders).hasSize(2);
        assertThat(shown(orders.getLast())).isEqualTo(second);
    }

    @Test
    void selfSignedOneLivesAsLongAsItsParentAndIsReplacedInTime() throws Exception {
        ServeryConfig config = config("tls.mode = \"self-signed\"\n");
        Identity first = shown(read(config));
        assertThat(shown(read(config))).isEqualTo(first);
        assertThat(first.names().texts()).contains("localhost", "[127.0.0.1]");
        keeper.serves(config, Optional.of(read(config)));
        keeper.look();
        assertThat(orders).isEmpty();

        now = first.notAfter().minus(Duration.ofDays(29));
        keeper.look();
        assertThat(shown(orders.getLast())).isNotEqualTo(first);
        assertThat(shown(orders.getLast()).notAfter()).isAfter(now.plus(Duration.ofDays(300)));
    }

    @Test
    void readinessEndsWithTheLastCertificate() throws Exception {
        serve("a.example");
        assertThat(keeper.amiss()).isEmpty();
        now = now.plus(Duration.ofDays(91));

        assertThat(keeper.amiss()).extracting(Cause::reason).containsExactly(Reason.CERTIFICATE_EXPIRED);
    }
}

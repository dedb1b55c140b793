package io.servery.netty.identity.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.servery.acme.store.StateDirectory;
import io.servery.acme.store.StateRoot;
import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Logging;
import io.servery.core.config.Outcome;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.Tls;
import io.servery.core.lifecycle.Cause;
import io.servery.core.operator.OperatorReply;
import io.servery.core.reason.Reason;
import io.servery.core.tls.Identity;
import io.servery.core.tls.SelfSigned;
import io.servery.netty.identity.IdentityKeeper;
import io.servery.netty.identity.IssuedIdentities;
import io.servery.netty.observe.Events;
import io.servery.supervisor.loop.Identities;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is kept is shown, what is obtained is tried first, and what is missing is said; nobody listens where the authority
/// should be.
class CertificateOwnerTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String HOST = "a.example";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final AtomicInteger offers = new AtomicInteger();
    private Events events;
    private CertificateOwner owner;
    private int closedPort;

    @BeforeEach
    void begin() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closedPort = socket.getLocalPort();
        }
        Files.createDirectory(folder.resolve("public"));
        events = new Events(Logging.Level.INFO, true, said, Clock.systemUTC());
        owner = owner();
    }

    private CertificateOwner owner() {
        CertificateOwner made = new CertificateOwner(events, Clock.systemUTC(),
                _ -> CompletableFuture.completedFuture(null), offers::incrementAndGet);
        made.allow();
        return made;
    }

    @AfterEach
    void end() throws Exception {
        owner.end();
        events.close(TimeUnit.SECONDS.toNanos(5));
    }

    private ServeryConfig config(String more) {
        return config(HOST, more);
    }

    private ServeryConfig config(String host, String more) {
        String text = """
                schema_version = 1
                runtime.state_directory = "state"
                application.static.root = "public"
                tls.mode = "acme"
                [tls.acme]
                domains = ["%s"]
                challenge = "tls-alpn-01"
                directory = "http://127.0.0.1:%d/dir"
                %s
                """.formatted(host, closedPort, more);
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                Optional.of(Path.of("servery.toml")), Map.of(), List.of(), folder, false))) {
            case Outcome.Accepted accepted -> accepted.config();
            case Outcome.Refused refused -> throw new AssertionError(refused.faults().toString());
        };
    }

    private static Tls.Acme acme(ServeryConfig config) {
        return (Tls.Acme) ((Tls.On) config.tls()).source();
    }

    private static Identity identity(Duration lifetime) {
        return SelfSigned.make(List.of(HOST), Instant.now(), lifetime, RANDOM);
    }

    private interface Keeping {
        void in(StateDirectory state) throws Exception;
    }

    private void keep(ServeryConfig config, Keeping keeping) throws Exception {
        try (StateRoot root = StateRoot.open(config.runtime().stateDirectory())) {
            keeping.in(root.of(acme(config).directory(), Optional.empty(), List.of(HOST)));
        }
    }

    private static void keepActive(StateDirectory state, Identity identity) throws Exception {
        state.keepCandidate(identity);
        state.promoteCandidate();
    }

    private IssuedIdentities.Reading read(ServeryConfig config) {
        return owner.read(config, acme(config), Optional.empty());
    }

    private void serve(ServeryConfig config) {
        owner.serves(config, Optional.of(acme(config)));
        owner.workersServe();
    }

    @Test
    void whatIsKeptIsShownAtOnceAndNobodyIsAsked() throws Exception {
        ServeryConfig config = config("accept_terms = true");
        Identity kept = identity(Duration.ofDays(90));
        keep(config, state -> keepActive(state, kept));

        assertThat(read(config)).isEqualTo(new IssuedIdentities.Given(kept));
        assertThat(owner.isStandIn(kept)).isFalse();
        serve(config);
        await().atMost(LIMIT).until(() -> owner.wanted(acme(config)).isPresent());
        assertThat(owner.wanted(acme(config))).contains(kept);
        OperatorReply notDue = owner.renew(false).toCompletableFuture().get(1, TimeUnit.MINUTES);
        assertThat(notDue.exit()).isZero();
        assertThat(notDue.out()).startsWith("not_due: ");
        assertThat(owner.sample().attempts().values()).containsOnly(0L);
        assertThat(owner.nextAttempt().orElseThrow()).isAfter(Instant.now().plus(Duration.ofDays(30)));
    }

    @Test
    void withoutAnythingValidOneStandsInThatIsMissingAndSaysWhatFailed() throws Exception {
        ServeryConfig config = config("accept_terms = true");
        keep(config, state -> keepActive(state, identity(Duration.ofMinutes(30))));

        Identity shown = ((IssuedIdentities.Given) read(config)).identity();
        assertThat(owner.isStandIn(shown)).as("what is kept ended half an hour ago").isTrue();
        assertThat(shown.names().covers(HOST)).isTrue();
        Identity before = identity(Duration.ofDays(9));
        assertThat(owner.read(config, acme(config), Optional.of(before)))
                .as("what is valid is better than what stands in").isEqualTo(new IssuedIdentities.Given(before));
        assertThat(owner.missing()).extracting(Cause::reason).containsExactly(Reason.CERTIFICATE_MISSING);

        serve(config);
        await().atMost(LIMIT).until(() -> owner.sample().attempts().get(Reason.NETWORK_FAILURE) > 0);
        assertThat(owner.missing()).extracting(Cause::reason).containsExactly(Reason.CERTIFICATE_MISSING,
                Reason.NETWORK_FAILURE);
        assertThat(owner.wanted(acme(config))).as("what has ended takes the place of nothing").isEmpty();
        OperatorReply failed = owner.renew(false).toCompletableFuture().get(1, TimeUnit.MINUTES);
        assertThat(failed.exit()).isEqualTo(1);
        assertThat(failed.err()).startsWith("not renewed: network_failure: ");
    }

    @Test
    void candidateIsActiveWhenItIsShownAndForgottenWhenItCannotBe() throws Exception {
        ServeryConfig config = config("accept_terms = true");
        Identity first = identity(Duration.ofDays(90));
        Identity second = identity(Duration.ofDays(90));
        keep(config, state -> {
            keepActive(state, first);
            state.keepCandidate(second);
        });
        assertThat(read(config)).as("what is proven").isEqualTo(new IssuedIdentities.Given(first));
        serve(config);
        await().atMost(LIMIT).until(() -> owner.wanted(acme(config)).isPresent());
        assertThat(owner.wanted(acme(config))).contains(second);
        assertThat(offers.get()).isPositive();
        assertThat(owner.refused(first, "another")).isFalse();
        assertThat(owner.refused(second, "worker 1: tls: no")).isTrue();
        await().atMost(LIMIT).until(() -> owner.wanted(acme(config)).filter(first::equals).isPresent());
        assertThat(owner.sample().attempts()).containsEntry(Reason.ACTIVATION_FAILURE, 1L);

        owner.end();
        keep(config, state -> {
            assertThat(state.candidate().whole()).isEmpty();
            state.keepCandidate(second);
        });
        owner = owner();
        serve(config);
        await().atMost(LIMIT).until(() -> owner.wanted(acme(config)).filter(second::equals).isPresent());
        owner.shown(second);
        await().atMost(LIMIT).until(() -> owner.sample().attempts().get(Reason.RENEWED) == 1);
        owner.end();
        keep(config, state -> {
            assertThat(state.certificate().whole()).contains(second);
            assertThat(state.candidate().whole()).isEmpty();
        });
    }

    @Test
    void oneThatStoodInForOtherNamesIsTrustedByNobodyEither() {
        Identity first = ((IssuedIdentities.Given) read(config("accept_terms = true"))).identity();
        Identity second = ((IssuedIdentities.Given) read(config("b.example", "accept_terms = true"))).identity();

        assertThat(second).isNotEqualTo(first);
        assertThat(owner.isStandIn(first)).isTrue();
        assertThat(owner.isStandIn(second)).isTrue();
    }

    @Test
    void candidateThatIsShownAlreadyIsActive() throws Exception {
        ServeryConfig config = config("accept_terms = true");
        Identity kept = identity(Duration.ofDays(90));
        keep(config, state -> {
            keepActive(state, kept);
            state.keepCandidate(kept);
        });
        try (IdentityKeeper keeper = new IdentityKeeper(events, InstantSource.system(),
                (_, _) -> CompletableFuture.failedFuture(new AssertionError("nothing else is to be shown")), owner)) {
            keeper.serves(config, ((Identities.Given) keeper.read(config)).order());
            owner.workersServe();
            await().atMost(LIMIT).until(() -> owner.sample().attempts().get(Reason.RENEWED) == 1);
        }
    }

    /// Nobody could answer an authority; a reload brings the service back.
    @Test
    void whileTheServiceIsDrainedNothingIsOrderedAndAfterwardsItGoesOn() throws Exception {
        ServeryConfig config = config("accept_terms = true");
        serve(config);
        await().atMost(LIMIT).until(() -> owner.sample().attempts().get(Reason.NETWORK_FAILURE) == 1);
        owner.workersLeave();
        owner.workersLeave();
        OperatorReply drained = owner.renew(true).toCompletableFuture().get(1, TimeUnit.MINUTES);
        assertThat(drained.err()).startsWith("renew: found a service that starts or is drained");
        assertThat(owner.nextAttempt()).isEmpty();

        serve(config);
        OperatorReply failed = owner.renew(true).toCompletableFuture().get(1, TimeUnit.MINUTES);
        assertThat(failed.err()).startsWith("not renewed: network_failure: ");
        assertThat(owner.sample().attempts()).containsEntry(Reason.NETWORK_FAILURE, 2L);
    }

    /// It was issued, and is tried again when there are workers.
    @Test
    void candidateThatWasOnItsWayWhenTheServiceWasDrainedIsOfferedAgain() throws Exception {
        ServeryConfig config = config("accept_terms = true");
        Identity candidate = identity(Duration.ofDays(90));
        keep(config, state -> state.keepCandidate(candidate));
        serve(config);
        await().atMost(LIMIT).until(() -> owner.wanted(acme(config)).filter(candidate::equals).isPresent());
        owner.workersLeave();
        await().atMost(LIMIT).until(() -> owner.wanted(acme(config)).isEmpty());
        serve(config);
        await().atMost(LIMIT).until(() -> owner.wanted(acme(config)).filter(candidate::equals).isPresent());
        owner.shown(candidate);
        await().atMost(LIMIT).until(() -> owner.sample().attempts().get(Reason.ISSUED) == 1);
    }

    @Test
    void whenTheServiceGoesNothingIsOrderedAnyMore() throws Exception {
        ServeryConfig config = config("accept_terms = true");
        owner.ends();
        serve(config);
        OperatorReply ending = owner.renew(true).toCompletableFuture().get(1, TimeUnit.MINUTES);
        assertThat(ending.err()).isEqualTo("renew: found a service that ends\n");
        assertThat(owner.nextAttempt()).isEmpty();
        assertThat(owner.sample().attempts().values()).containsOnly(0L);
    }

    @Test
    void whatCannotBeOwnedIsRefusedWithItsKey() throws Exception {
        assertThat(((IssuedIdentities.Refused) read(config("directory_ca_file = \"none.pem\""))).faults())
                .singleElement().satisfies(fault -> assertThat(fault.what())
                        .startsWith("`tls.acme.directory_ca_file`: found no file"));
        assertThat(((IssuedIdentities.Refused) read(config(""))).faults()).singleElement()
                .satisfies(fault -> assertThat(fault.what()).startsWith("`tls.acme.accept_terms`: found false")
                        .contains("could not be asked"));
        ServeryConfig config = config("accept_terms = true");
        try (StateRoot _ = StateRoot.open(config.runtime().stateDirectory())) {
            assertThat(((IssuedIdentities.Refused) read(config)).faults()).singleElement()
                    .satisfies(fault -> assertThat(fault.what()).contains("found the lock taken"));
        }
    }
}

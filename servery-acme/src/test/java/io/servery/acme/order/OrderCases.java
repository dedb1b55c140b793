package io.servery.acme.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.servery.acme.Configured;
import io.servery.acme.store.StateDirectory;
import io.servery.acme.store.StateRoot;
import io.servery.core.config.Tls;
import io.servery.core.control.Challenges;
import io.servery.core.reason.Reason;
import io.servery.core.tls.Identity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Orders at a real authority, wherever it runs.
abstract class OrderCases {
    private static final Limits LIMITS = new Limits(Duration.ofMinutes(1), Duration.ofMinutes(1),
            Duration.ofMinutes(2), Duration.ofMinutes(2));

    private final Replies replies = new Replies();
    private Workers workers;
    private Pebble pebble;
    private StateRoot root;

    @TempDir
    private Path directory;

    abstract Pebble start(Path files, Pebble.Manner manner, Workers reachable) throws Exception;

    @BeforeEach
    void startWorkers() throws Exception {
        workers = new Workers();
        root = StateRoot.open(directory.resolve("state"));
    }

    @AfterEach
    void stop() throws Exception {
        root.close();
        workers.close();
        if (pebble != null) {
            pebble.close();
        }
    }

    @Test
    void certificateOfSeveralNamesByHttp01() throws Exception {
        begin(Pebble.Manner.usual());
        Identity obtained = order(settings("example.com", "www.example.com", "a.b.example.com"));
        assertThat(names(obtained)).containsExactlyInAnyOrder("example.com", "www.example.com", "a.b.example.com");
        assertThat(obtained.chain()).hasSizeGreaterThan(1);
        assertThat(workers.published()).hasSize(2);
        assertThat(workers.published().getFirst().http()).hasSize(3);
        assertThat(workers.published().getLast()).isEqualTo(Challenges.NONE);
        assertThat(Security.getProvider("BC")).as("a provider that nothing here needs").isNull();
    }

    @Test
    void certificateByTlsAlpn01() throws Exception {
        begin(Pebble.Manner.usual());
        Identity obtained = order(with(settings("example.com", "www.example.com"), Tls.AcmeChallenge.TLS_ALPN_01));
        assertThat(names(obtained)).containsExactlyInAnyOrder("example.com", "www.example.com");
    }

    /// RFC 8738.
    @Test
    void certificateOfAnAddressByBothChallenges() throws Exception {
        begin(Pebble.Manner.usual());
        assertThat(names(order(settings("127.0.0.1")))).containsExactly("127.0.0.1");
        assertThat(names(order(with(settings("127.0.0.1", "example.com"), Tls.AcmeChallenge.TLS_ALPN_01))))
                .containsExactlyInAnyOrder("127.0.0.1", "example.com");
    }

    @Test
    void noncesThatAreRejectedAreTriedAgain() throws Exception {
        begin(Pebble.Manner.usual().rejecting(30));
        assertThat(names(order(settings("example.com")))).containsExactly("example.com");
    }

    @Test
    void authorityIsNotToldBeforeEveryWorkerHasAcknowledged() throws Exception {
        begin(Pebble.Manner.usual());
        CompletableFuture<Void> acknowledged = new CompletableFuture<>();
        AtomicInteger before = new AtomicInteger(-1);
        workers.acknowledging(_ -> acknowledged.thenRun(() -> before.set(workers.validations())));
        try (AcmeClient client = client(settings("example.com"))) {
            client.order(1);
            await().atMost(Duration.ofMinutes(2)).until(() -> !workers.published().isEmpty());
            await().during(Duration.ofMillis(500)).until(() -> workers.validations() == 0);
            acknowledged.complete(null);
            replies.next(Reply.Obtained.class);
        }
        assertThat(before).hasValue(0);
        assertThat(workers.validations()).isPositive();
    }

    @Test
    void workerThatDoesNotAcknowledgeFailsTheAttemptAndTheNextTakesUpTheSameOrder() throws Exception {
        begin(Pebble.Manner.usual());
        workers.acknowledging(_ -> CompletableFuture.failedFuture(new IllegalStateException("worker 2 is full")));
        URI location;
        StateDirectory state = state(settings("example.com"));
        try (AcmeClient client = client(settings("example.com"), state)) {
            client.order(1);
            Reply.Failed failed = replies.next(Reply.Failed.class);
            assertThat(failed.reason()).isEqualTo(Reason.CHALLENGE_FAILURE);
            assertThat(failed.detail()).contains("worker 2 is full");
            assertThat(workers.validations()).isZero();
            location = state.order().whole().orElseThrow().location();
            workers.acknowledging(done -> {
                assertThat(location).isEqualTo(pendingOrder(state));
                return done;
            });
            client.order(2);
            replies.next(Reply.Obtained.class);
            assertThat(state.order().whole()).isEmpty();
        }
    }

    @Test
    void nameThatCannotBeVerifiedIsAChallengeFailureAndTheNextOrderIsANewOne() throws Exception {
        begin(Pebble.Manner.usual());
        workers.lying(true);
        AcmeSettings settings = settings("example.com");
        StateDirectory state = state(settings);
        try (AcmeClient client = client(settings, state)) {
            client.order(1);
            Reply.Failed failed = replies.next(Reply.Failed.class);
            assertThat(failed.reason()).isEqualTo(Reason.CHALLENGE_FAILURE);
            assertThat(failed.detail()).contains("example.com: urn:ietf:params:acme:error:");
            assertThat(state.order().whole()).isEmpty();
            assertThat(workers.published().getLast()).isEqualTo(Challenges.NONE);
            workers.lying(false);
            client.order(2);
            replies.next(Reply.Obtained.class);
        }
    }

    @Test
    void externalAccountIsBoundAndItsAbsenceIsSaidByItsKey() throws Exception {
        begin(Pebble.Manner.usual().withExternalAccounts());
        Reply.Failed absent = failure(settings("example.com"));
        assertThat(absent.reason()).isEqualTo(Reason.CA_REJECTED);
        assertThat(absent.detail()).startsWith("tls.acme.external_account: found none; expected one");
        assertThat(names(order(with(settings("example.com"), PebbleFiles.HMAC_KEY)))).containsExactly("example.com");
    }

    @Test
    void externalAccountWithTheWrongSecretIsRejected() throws Exception {
        begin(Pebble.Manner.usual().withExternalAccounts());
        Reply.Failed failed = failure(with(settings("example.com"), PebbleFiles.HMAC_KEY.replace('z', 'a')));
        assertThat(failed.reason()).isEqualTo(Reason.CA_REJECTED);
        assertThat(failed.detail()).doesNotContain(PebbleFiles.HMAC_KEY.substring(1));
    }

    @Test
    void termsThatAreNotAcceptedAreNamed() throws Exception {
        begin(Pebble.Manner.usual());
        AcmeSettings settings = of(Configured.withoutTerms(settings("example.com").acme()));
        assertThat(Terms.refusal(settings, Clock.systemUTC()))
                .startsWith("`tls.acme.accept_terms`: found false; expected true, once data:text/plain,");
        Reply.Failed failed = failure(settings);
        assertThat(failed.reason()).isEqualTo(Reason.CA_REJECTED);
        assertThat(failed.detail())
                .startsWith("`tls.acme.accept_terms`: found false; expected true, once data:text/plain,");
    }

    @Test
    void authorityThatIsNotTrustedIsANetworkFailure() throws Exception {
        begin(Pebble.Manner.usual());
        AcmeSettings settings = AcmeSettings.of(settings("example.com").acme(), List.of(), LIMITS);
        Reply.Failed failed = failure(settings);
        assertThat(Terms.refusal(settings, Clock.systemUTC())).contains("it could not be asked where they are: ");
        assertThat(failed.reason()).isEqualTo(Reason.NETWORK_FAILURE);
        assertThat(failed.detail()).contains("SSLHandshakeException");
    }

    @Test
    void authorityThatIsDownIsANetworkFailureAndComesBack() throws Exception {
        begin(Pebble.Manner.usual());
        AcmeSettings settings = settings("example.com");
        try (AcmeClient client = client(settings)) {
            client.order(1);
            replies.next(Reply.Obtained.class);
            pebble.close();
            client.order(2);
            assertThat(replies.next(Reply.Failed.class).reason()).isEqualTo(Reason.NETWORK_FAILURE);
        }
        begin(Pebble.Manner.usual());
        // Another pebble knows neither the account nor the order.
        assertThat(names(order(settings("example.com")))).containsExactly("example.com");
    }

    @Test
    void stopInTheMiddleIsAnsweredAndTheNextProcessTakesUpTheSameOrder() throws Exception {
        begin(Pebble.Manner.usual());
        AcmeSettings settings = settings("example.com");
        workers.acknowledging(_ -> new CompletableFuture<>());
        URI location;
        StateDirectory state = state(settings);
        try (AcmeClient client = client(settings, state)) {
            client.order(1);
            await().atMost(Duration.ofMinutes(2)).until(() -> !workers.published().isEmpty());
            location = pendingOrder(state);
            client.cancel(1);
            assertThat(replies.next()).isEqualTo(new Reply.Cancelled(1));
            assertThat(workers.published().getLast()).isEqualTo(Challenges.NONE);
        }
        await().atMost(Duration.ofMinutes(2))
                .until(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(thread -> thread.getName().equals(
                        "acme") || thread.getName().startsWith("HttpClient")));
        workers.acknowledging(done -> done);
        state = state(settings);
        try (AcmeClient client = client(settings, state)) {
            assertThat(pendingOrder(state)).isEqualTo(location);
            client.order(1);
            replies.next(Reply.Obtained.class);
        }
    }

    @Test
    void endOfTheServiceIsNoFailureAndTheOrderIsKept() throws Exception {
        begin(Pebble.Manner.usual());
        workers.acknowledging(_ -> CompletableFuture.failedFuture(new CancellationException("the service ends")));
        StateDirectory state = state(settings("example.com"));
        try (AcmeClient client = client(settings("example.com"), state)) {
            client.order(1);
            assertThat(replies.next()).isEqualTo(new Reply.Cancelled(1));
            assertThat(state.order().whole()).isPresent();
        }
    }

    @Test
    void accountIsMadeOnceAndFoundByTheNextProcess() throws Exception {
        begin(Pebble.Manner.usual());
        AcmeSettings settings = settings("example.com");
        order(settings);
        Object first = state(settings).account().whole().orElseThrow().key().getPublic();
        order(settings);
        assertThat(state(settings).account().whole().orElseThrow().key().getPublic()).isEqualTo(first);
    }

    private void begin(Pebble.Manner manner) throws Exception {
        Path files = Files.createTempDirectory(directory, "pebble");
        pebble = start(files, manner, workers);
    }

    private AcmeSettings settings(String... names) {
        return of(Configured.at(pebble.directory(), names));
    }

    private AcmeSettings of(Tls.Acme acme) {
        return AcmeSettings.of(acme, List.of(pebble.root()), LIMITS);
    }

    private AcmeSettings with(AcmeSettings plain, Tls.AcmeChallenge kind) {
        return of(Configured.by(kind, plain.acme()));
    }

    private AcmeSettings with(AcmeSettings plain, String hmacKey) {
        return of(Configured.bound(PebbleFiles.KEY_ID, hmacKey, plain.acme()));
    }

    private StateDirectory state(AcmeSettings settings) throws Exception {
        return root.of(settings.acme().directory(), settings.externalAccount(), settings.texts());
    }

    private AcmeClient client(AcmeSettings settings) throws Exception {
        return client(settings, state(settings));
    }

    private AcmeClient client(AcmeSettings settings, StateDirectory state) {
        return new AcmeClient(settings, state, workers, replies, Clock.systemUTC());
    }

    private Identity order(AcmeSettings settings) throws Exception {
        try (AcmeClient client = client(settings)) {
            client.order(1);
            return replies.next(Reply.Obtained.class).identity();
        }
    }

    private Reply.Failed failure(AcmeSettings settings) throws Exception {
        try (AcmeClient client = client(settings)) {
            client.order(1);
            return replies.next(Reply.Failed.class);
        }
    }

    private static URI pendingOrder(StateDirectory state) {
        try {
            return state.order().whole().orElseThrow().location();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<String> names(Identity chain) throws Exception {
        X509Certificate certificate = chain.chain().getFirst();
        Collection<List<?>> entries = certificate.getSubjectAlternativeNames();
        return entries.stream().map(entry -> entry.get(1).toString()).toList();
    }
}

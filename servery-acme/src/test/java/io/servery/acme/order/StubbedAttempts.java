package io.servery.acme.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.servery.acme.Configured;
import io.servery.acme.store.StateDirectory;
import io.servery.acme.store.StateRoot;
import io.servery.core.config.Tls;
import io.servery.core.reason.Reason;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Attempts at an authority that says what a test has it say.
abstract class StubbedAttempts {
    private static final Limits LIMITS = new Limits(Duration.ofSeconds(30), Duration.ofSeconds(30),
            Duration.ofSeconds(30), Duration.ofSeconds(30));
    static final Limits SHORT = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(5),
            Duration.ofSeconds(5));

    final Replies replies = new Replies();
    StubAuthority authority;
    private StateRoot root;
    StateDirectory state;
    AcmeClient client;

    @TempDir
    Path directory;

    @BeforeEach
    void start() throws Exception {
        authority = new StubAuthority();
        root = StateRoot.open(directory);
        client = client(Optional.empty(), "example.com");
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        root.close();
        authority.close();
    }
    /// An attempt that leaves its order behind.
    void loseTheOrder() throws Exception {
        authority.answering("/finalize", exchange -> StubAuthority.problem(exchange, 500, "serverInternal"));
        fail(Reason.CA_REJECTED);
        authority.asUsual("/finalize");
    }

    void reopen(UnaryOperator<Tls.Acme> change) throws Exception {
        client.close();
        client = client(change.apply(Configured.at(authority.directory(), "example.com")), LIMITS);
    }

    void reopen(Optional<String> profile, String... names) throws Exception {
        reopen(profile, LIMITS, names);
    }

    void reopen(Optional<String> profile, Limits limits, String... names) throws Exception {
        client.close();
        client = client(profile, limits, names);
    }

    private AcmeClient client(Optional<String> profile, String... names) throws Exception {
        return client(profile, LIMITS, names);
    }

    private AcmeClient client(Optional<String> profile, Limits limits, String... names) throws Exception {
        return client(Configured.inProfile(profile, Configured.at(authority.directory(), names)), limits);
    }

    private AcmeClient client(Tls.Acme acme, Limits limits) throws Exception {
        AcmeSettings settings = AcmeSettings.of(acme, List.of(), limits);
        state = root.of(settings.acme().directory(), settings.externalAccount(), settings.texts());
        return new AcmeClient(settings, state, _ -> CompletableFuture.completedFuture(null), replies, Clock.system(
                ZoneOffset.UTC));
    }

    /// Gets a certificate and makes it the active one.
    void obtain() throws Exception {
        client.order(1);
        replies.next(Reply.Obtained.class);
        client.promoteCandidate();
        await().atMost(Duration.ofMinutes(2)).until(() -> state.certificate().whole().isPresent());
    }

    Reply.Failed fail(Reason reason) throws Exception {
        client.order(1);
        Reply.Failed failed = replies.next(Reply.Failed.class);
        assertThat(failed.reason()).as(failed.detail()).isEqualTo(reason);
        return failed;
    }
}

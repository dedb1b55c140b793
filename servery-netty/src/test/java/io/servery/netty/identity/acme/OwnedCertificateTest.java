package io.servery.netty.identity.acme;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.acme.order.AcmeSettings;
import io.servery.acme.order.Limits;
import io.servery.acme.order.Reply;
import io.servery.acme.renewal.Policy;
import io.servery.acme.store.StateRoot;
import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Logging;
import io.servery.core.config.Outcome;
import io.servery.core.config.Tls;
import io.servery.netty.observe.Events;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a certificate that nobody wants any more makes of what comes late.
class OwnedCertificateTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Events events = new Events(Logging.Level.INFO, true, said, Clock.systemUTC());
    private final OwnerThread thread = new OwnerThread(events);

    /// The client's thread delivers to a queue: what it said before it ended may be behind the stop there.
    @Test
    void afterAStopNothingFollowsFromWhatComesLate() throws Exception {
        try (StateRoot root = StateRoot.open(folder)) {
            AcmeSettings settings = settings();
            OwnedCertificate certificate = of(() -> new OwnedCertificate(settings,
                    root.of(settings.acme().directory(), Optional.empty(), settings.texts()),
                    new Policy(Optional.empty(), 1),
                    new OwnedCertificate.Means(thread, Clock.systemUTC(), _ -> CompletableFuture.completedFuture(null),
                            new RenewalEvents(events, new Attempts()), () -> {
                            })));
            of(() -> {
                certificate.stop();
                certificate.heard(new Reply.AccountNotUpdated("too late"));
                certificate.heard(new Reply.Damaged(folder.resolve("order.damaged"), "found a bit; expected another"));
                return "";
            });
        } finally {
            thread.end();
        }
        events.close(TimeUnit.SECONDS.toNanos(5));
        assertThat(said.toString(StandardCharsets.UTF_8)).doesNotContain("too late")
                .as("a file that was set aside").contains("order.damaged");
    }

    private interface Making<T> {
        T make() throws Exception;
    }

    /// On the thread that owns it.
    private <T> T of(Making<T> making) throws InterruptedException, ExecutionException {
        CompletableFuture<T> made = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                made.complete(making.make());
            } catch (Exception failed) {
                made.completeExceptionally(failed);
            }
        });
        return made.get();
    }

    /// Of an authority that nobody is asked about: port 1 is nobody's.
    private AcmeSettings settings() throws Exception {
        Files.createDirectory(folder.resolve("public"));
        String text = """
                schema_version = 1
                application.static.root = "public"
                tls.mode = "acme"
                [tls.acme]
                domains = ["a.example"]
                accept_terms = true
                challenge = "tls-alpn-01"
                directory = "http://127.0.0.1:1/dir"
                """;
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                Optional.of(Path.of("servery.toml")), Map.of(), List.of(), folder, false))) {
            case Outcome.Accepted accepted ->
                AcmeSettings.of((Tls.Acme) ((Tls.On) accepted.config().tls()).source(), List.of(), Limits.USUAL);
            case Outcome.Refused refused -> throw new AssertionError(refused.faults().toString());
        };
    }
}

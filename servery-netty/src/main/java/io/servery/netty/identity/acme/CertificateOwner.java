package io.servery.netty.identity.acme;

import io.servery.acme.challenge.ChallengeBoard;
import io.servery.acme.order.AcmeSettings;
import io.servery.acme.order.Limits;
import io.servery.acme.order.Terms;
import io.servery.acme.renewal.Policy;
import io.servery.acme.store.Loaded;
import io.servery.acme.store.StateRoot;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.Tls;
import io.servery.core.fault.ExitCode;
import io.servery.core.fault.Fault;
import io.servery.core.fault.Place;
import io.servery.core.lifecycle.Cause;
import io.servery.core.metric.AcmeSample;
import io.servery.core.operator.OperatorReply;
import io.servery.core.reason.Reason;
import io.servery.core.tls.AuthoritiesReading;
import io.servery.core.tls.Identity;
import io.servery.core.tls.SelfSigned;
import io.servery.netty.identity.CredentialFiles;
import io.servery.netty.identity.IssuedIdentities;
import io.servery.netty.observe.Events;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The one owner of what an authority issues for a service, over all of its configurations.
///
/// Nothing is asked of an authority before workers serve that can answer it. What is kept is valid from the first moment; where
/// there is none, one that stands in is shown, which nobody trusts.
///
/// *Owner*: any thread calls; everything that waits or changes is done by a thread of its own, one thing after another.
/// *Invariant*: at most one [OwnedCertificate] lives.
public final class CertificateOwner implements IssuedIdentities {
    private static final String CA_KEY = "tls.acme.directory_ca_file";
    private static final Duration RETRY = Duration.ofMinutes(1);
    private static final OperatorReply ENDING = OperatorReply.err(ExitCode.FAILED,
            "renew: found a service that ends\n");
    private static final Duration CLOSE_MAX = Duration.ofSeconds(10);
    /// The answer about terms is waited for by somebody.
    private static final Limits FOR_TERMS = new Limits(Duration.ofSeconds(10), Duration.ofSeconds(10),
            Duration.ofSeconds(10), Duration.ofSeconds(10));

    private final Clock clock;
    private final OwnedCertificate.Means means;
    private final OwnerThread thread;
    private final OwnerThread.Alarm retry;
    /// All that were made, as one of them may still be shown.
    private final Set<Identity> standIns = ConcurrentHashMap.newKeySet();
    private final Attempts attempts = new Attempts();
    private final RenewalEvents told;
    private volatile @Nullable OwnedCertificate owned;
    private volatile @Nullable StandIn standIn;
    private volatile boolean allowed;
    /// What serves; of the thread.
    private Optional<Wanted> serving = Optional.empty();
    private boolean workersServe;
    private boolean ending;
    private @Nullable StateRoot root;

    /// What a configuration asks for, and where it is kept.
    private record Wanted(Path stateDirectory, Tls.Acme acme) {
    }

    /// A self-signed identity, and for which names it is.
    private record StandIn(List<String> names, Identity identity) {
    }

    /// @param board hands challenges to every worker
    /// @param offered called when something else is to be shown, on any thread
    public CertificateOwner(Events events, Clock clock, ChallengeBoard board, Runnable offered) {
        this.clock = clock;
        this.told = new RenewalEvents(events, attempts);
        this.thread = new OwnerThread(events);
        this.retry = thread.new Alarm();
        this.means = new OwnedCertificate.Means(thread, clock, board, told, offered);
    }

    /// The process is the user from now on that owns what is kept: before that nothing of it is looked at.
    public void allow() {
        allowed = true;
    }

    /// Workers serve that can answer an authority. Idempotent.
    public void workersServe() {
        thread.execute(() -> {
            if (!workersServe) {
                workersServe = true;
                settle();
            }
        });
    }

    /// An operator has taken the service away: nobody can answer an authority before workers serve again. What is under way ends
    /// and is no failure; then it goes on. Idempotent.
    public void workersLeave() {
        thread.execute(() -> {
            if (workersServe) {
                workersServe = false;
                settle();
            }
        });
    }

    /// What can be said of `[tls.acme]` without asking anybody.
    public static List<Fault> faults(Tls.Acme acme) {
        List<Fault> faults = new ArrayList<>();
        if (roots(acme) instanceof AuthoritiesReading.Refused(List<Fault> found)) {
            faults.addAll(found);
        }
        if (!acme.termsAccepted()) {
            faults.add(Fault.configuration(new Place.Named(acme.directory().toString()),
                    "`tls.acme.accept_terms`: found false; expected true, once the terms of this authority are read and"
                            + " accepted",
                    "`run` asks the authority where they are"));
        }
        return faults;
    }

    @Override
    public Reading read(ServeryConfig config, Tls.Acme acme, Optional<Identity> before) {
        if (roots(acme) instanceof AuthoritiesReading.Refused(List<Fault> faults)) {
            return new Refused(faults);
        }
        if (!acme.termsAccepted()) {
            return refused(acme, Terms.refusal(settings(acme, FOR_TERMS), clock));
        }
        AcmeSettings settings = settings(acme, Limits.USUAL);
        if (!allowed) {
            return new Given(standIn(settings));
        }
        try {
            Instant now = clock.instant();
            return new Given(kept(config, settings).filter(one -> now.isBefore(one.notAfter())).or(() -> before)
                    .orElseGet(() -> standIn(settings)));
        } catch (IOException unusable) {
            return refused(acme, "runtime.state_directory: " + unusable.getMessage());
        }
    }

    private static Reading refused(Tls.Acme acme, String what) {
        return new Refused(List.of(Fault.configuration(new Place.Named(acme.directory().toString()), what)));
    }

    private static AuthoritiesReading roots(Tls.Acme acme) {
        return acme.directoryCaFile().map(file -> CredentialFiles.authorities(CA_KEY, file))
                .orElseGet(() -> new AuthoritiesReading.Accepted(List.of()));
    }

    /// Its file has changed since it was read soundly: then whatever it holds, or the roots of the platform.
    private static AcmeSettings settings(Tls.Acme acme, Limits limits) {
        List<X509Certificate> roots = roots(acme) instanceof AuthoritiesReading.Accepted(var found)
                ? found
                : List.of();
        return AcmeSettings.of(acme, roots, limits);
    }

    private Optional<Identity> kept(ServeryConfig config, AcmeSettings settings) throws IOException {
        OwnedCertificate now = owned;
        if (now != null && now.settings().equals(settings)) {
            return now.active();
        }
        Loaded<Identity> loaded = root(config.runtime().stateDirectory())
                .certificate(settings.acme().directory(), settings.texts());
        if (loaded instanceof Loaded.Damaged<Identity>(Path keptAs, String why)) {
            told.damaged(keptAs, why);
        }
        return loaded.whole();
    }

    /// Opened once: its place does not change while the service runs.
    private synchronized StateRoot root(Path directory) throws IOException {
        StateRoot open = root;
        if (open == null) {
            open = StateRoot.open(directory);
            root = open;
        }
        return open;
    }

    /// Made once for a set of names. It lives longer than any service waits for a certificate.
    private Identity standIn(AcmeSettings settings) {
        StandIn made = standIn;
        if (made == null || !made.names().equals(settings.texts())) {
            made = new StandIn(settings.texts(), SelfSigned.make(settings.texts(), clock.instant(),
                    SelfSigned.LIFETIME_MAX, new SecureRandom()));
            standIns.add(made.identity());
            standIn = made;
        }
        return made.identity();
    }

    @Override
    public void serves(ServeryConfig config, Optional<Tls.Acme> acme) {
        thread.execute(() -> {
            serving = acme.map(one -> new Wanted(config.runtime().stateDirectory(), one));
            settle();
        });
    }

    /// Owns what serves, and nothing else.
    private void settle() {
        retry.clear();
        OwnedCertificate before = owned;
        Optional<AcmeSettings> wanted = serving.filter(_ -> workersServe && !ending)
                .map(one -> settings(one.acme(), Limits.USUAL));
        if (before != null && wanted.filter(before.settings()::equals).isPresent()) {
            return;
        }
        if (before != null) {
            owned = null;
            before.stop();
        }
        if (wanted.isPresent()) {
            begin(serving.orElseThrow(), wanted.get());
        }
    }

    private void begin(Wanted wanted, AcmeSettings settings) {
        told.begun();
        retry.set(RETRY, this::settle);
        try {
            owned = new OwnedCertificate(settings, root(wanted.stateDirectory()).of(settings.acme().directory(),
                    settings.externalAccount(), settings.texts()),
                    new Policy(settings.acme().renewBefore(), seed(wanted)), means);
            means.offered().run();
            retry.clear();
        } catch (IOException unusable) {
            told.notKept(
                    "runtime.state_directory: " + unusable.getMessage() + "; no certificate is ordered before it can"
                            + " be used");
        }
    }

    /// Another one for each service, the same over its restarts.
    private static long seed(Wanted wanted) {
        return (wanted.stateDirectory() + " " + wanted.acme().domains() + " " + System.getenv("HOSTNAME")).hashCode();
    }

    @Override
    public Optional<Identity> wanted(Tls.Acme acme) {
        OwnedCertificate now = owned;
        return now == null || !now.settings().acme().equals(acme) ? Optional.empty() : now.wanted();
    }

    @Override
    public int offer() {
        OwnedCertificate now = owned;
        return now == null ? 0 : now.offer();
    }

    @Override
    public void shown(Identity identity) {
        thread.execute(() -> {
            if (owned != null) {
                owned.shown(identity);
            }
        });
    }

    @Override
    public boolean refused(Identity identity, String why) {
        OwnedCertificate now = owned;
        if (now == null || now.wanted().filter(identity::equals).isEmpty()) {
            return false;
        }
        thread.execute(() -> now.refused(identity, why));
        return true;
    }

    @Override
    public boolean isStandIn(Identity identity) {
        return standIns.contains(identity);
    }

    @Override
    public List<Cause> missing() {
        List<Cause> causes = new ArrayList<>(List.of(new Cause(Reason.CERTIFICATE_MISSING,
                "there is no certificate yet: clients are shown one that nobody trusts")));
        told.lastFailure().ifPresent(causes::add);
        return causes;
    }

    @Override
    public Optional<Instant> nextAttempt() {
        OwnedCertificate now = owned;
        return now == null ? Optional.empty() : now.nextAttempt();
    }

    /// What was counted.
    public AcmeSample sample() {
        return attempts.sample(nextAttempt());
    }

    @Override
    public CompletionStage<OperatorReply> renew(boolean force) {
        CompletableFuture<OperatorReply> answer = new CompletableFuture<>();
        thread.execute(() -> {
            if (owned != null) {
                owned.renew(force, answer);
            } else if (ending) {
                answer.complete(ENDING);
            } else {
                answer.complete(serving.isEmpty()
                        ? OperatorReply.err(ExitCode.FAILED,
                                "renew: found no certificate of an authority; expected tls.mode = \"acme\"\n")
                        : OperatorReply.err(ExitCode.TEMPORARY,
                                "renew: found a service that starts or is drained; expected workers that can answer an authority\n"));
            }
        });
        if (thread.isOver()) {
            answer.complete(ENDING);
        }
        return answer;
    }

    /// The service begins to end: nothing more is asked of an authority, and what is under way ends so that the next start goes
    /// on with it. Any thread. Idempotent.
    public void ends() {
        thread.execute(this::stop);
    }

    private void stop() {
        ending = true;
        settle();
    }

    /// What [#ends] does; returns when it is done, and gives the lock of the state directory back. Idempotent.
    public void end() throws InterruptedException {
        if (thread.isOver()) {
            return;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        thread.execute(() -> {
            try {
                stop();
            } finally {
                stopped.countDown();
            }
        });
        var _ = stopped.await(CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS);
        thread.end();
        closeRoot();
    }

    private synchronized void closeRoot() {
        try {
            if (root != null) {
                root.close();
            }
        } catch (IOException unlocked) {
            // flock(2) ends with the process.
        }
    }
}

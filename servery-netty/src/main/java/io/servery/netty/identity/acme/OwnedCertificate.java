package io.servery.netty.identity.acme;

import io.servery.acme.challenge.ChallengeBoard;
import io.servery.acme.order.AcmeClient;
import io.servery.acme.order.AcmeSettings;
import io.servery.acme.order.Reply;
import io.servery.acme.renewal.Effect;
import io.servery.acme.renewal.Event;
import io.servery.acme.renewal.History;
import io.servery.acme.renewal.Lifetime;
import io.servery.acme.renewal.Policy;
import io.servery.acme.renewal.Renewal;
import io.servery.acme.renewal.Stage;
import io.servery.acme.renewal.Step;
import io.servery.acme.renewal.Verdict;
import io.servery.acme.store.Loaded;
import io.servery.acme.store.StateDirectory;
import io.servery.core.operator.OperatorReply;
import io.servery.core.tls.Identity;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// The certificate of one set of names at one authority, for as long as a configuration asks for it: moves the machine of
/// [Renewal] by what happens, and does what it says.
///
/// *Owner*: the thread of its owner; what others may see is volatile.
final class OwnedCertificate {
    /// A clock that is set, or a host that slept, is noticed so soon.
    private static final Duration SLEEP_MAX = Duration.ofMinutes(1);
    /// The authority is told of another address so long after it would not hear of it; before that the next order tells it.
    private static final Duration INTRODUCTION = Duration.ofHours(6);

    private final AcmeSettings settings;
    private final OwnerThread thread;
    private final Clock clock;
    private final RenewalEvents told;
    private final Runnable offered;
    private final AcmeClient client;
    private final OwnerThread.Alarm alarm;
    private final OwnerThread.Alarm introduction;
    private final Map<Integer, CompletableFuture<OperatorReply>> askers = new HashMap<>();
    private volatile Optional<Identity> active;
    private volatile Optional<Identity> candidate;
    private volatile Renewal renewal;
    private volatile int offer;
    private boolean activating;
    private boolean stopped;
    private int activation;
    private int requests;

    /// What it works with.
    ///
    /// @param thread runs everything here
    /// @param offered called when [#wanted] is something else
    record Means(OwnerThread thread, Clock clock, ChallengeBoard board, RenewalEvents told,
            Runnable offered) {
    }

    /// Goes on where the one before stopped: what is due is ordered at once.
    ///
    /// @param state of these names, used by nobody else
    OwnedCertificate(AcmeSettings settings, StateDirectory state, Policy policy, Means means) throws IOException {
        this.settings = settings;
        this.thread = means.thread();
        this.alarm = thread.new Alarm();
        this.introduction = thread.new Alarm();
        this.clock = means.clock();
        this.told = means.told();
        this.offered = means.offered();
        active = whole(state.certificate());
        candidate = whole(state.candidate());
        Optional<History> history = whole(state.history());
        client = new AcmeClient(settings, state, means.board(), reply -> thread.execute(() -> heard(reply)), clock);
        Step begun = Renewal.begin(clock.instant(), policy, active.map(Lifetime::of), candidate.map(Lifetime::of),
                history.orElseGet(History::none));
        renewal = begun.next();
        if (active.isPresent()) {
            client.introduce(); // else an order does it now
        }
        carryOut(begun);
    }

    private <T> Optional<T> whole(Loaded<T> loaded) {
        if (loaded instanceof Loaded.Damaged<T>(var keptAs, String why)) {
            told.damaged(keptAs, why);
        }
        return loaded.whole();
    }

    AcmeSettings settings() {
        return settings;
    }

    /// What is proven.
    Optional<Identity> active() {
        return active;
    }

    /// What is to be shown: a candidate while it is tried. What has expired takes the place of nothing.
    Optional<Identity> wanted() {
        return candidate.or(() -> active.filter(one -> clock.instant().isBefore(one.notAfter())));
    }

    /// Another number each time that what is wanted is offered again.
    int offer() {
        return offer;
    }

    /// When the next attempt begins at the latest, or began; empty while there is none before it.
    Optional<Instant> nextAttempt() {
        return Optional.of(renewal.nextAttempt()).filter(Instant.EPOCH::isBefore);
    }

    void shown(Identity identity) {
        if (activating && candidate.filter(identity::equals).isPresent()) {
            activating = false;
            step(new Event.Activated(clock.instant(), activation));
        }
    }

    /// Whether it was the candidate.
    void refused(Identity identity, String why) {
        if (activating && candidate.filter(identity::equals).isPresent()) {
            activating = false;
            step(new Event.ActivationFailed(clock.instant(), activation, why));
        }
    }

    void renew(boolean force, CompletableFuture<OperatorReply> asker) {
        requests++;
        askers.put(requests, asker);
        step(new Event.RenewRequested(clock.instant(), requests, force));
    }

    /// Ends what is under way, soon and so that the next one goes on with it.
    void stop() {
        stopped = true;
        step(new Event.StopRequested(clock.instant()));
        client.close();
        alarm.clear();
        introduction.clear();
        askers.values().forEach(asker -> asker.complete(RenewalAnswers.of(new Verdict.Stopping())));
        askers.clear();
    }

    /// What comes after [#stop] is late: nothing follows from it. Only what happened to the state directory is still said.
    void heard(Reply reply) {
        if (stopped && !(reply instanceof Reply.Damaged || reply instanceof Reply.NotKept)) {
            return;
        }
        Instant now = clock.instant();
        switch (reply) {
            case Reply.Consulted(int number, var window, var retryAfter) ->
                step(new Event.Consulted(now, number, window, retryAfter));
            case Reply.Obtained(int number, Identity identity) -> {
                // One that comes late is a candidate of the next start.
                if (renewal.stage() instanceof Stage.Ordering(int underWay, _) && underWay == number) {
                    candidate = Optional.of(identity);
                }
                step(new Event.Obtained(now, number, Lifetime.of(identity)));
            }
            case Reply.Failed(int number, var reason, String detail, var retryAfter) ->
                step(new Event.AttemptFailed(now, number, reason, detail, retryAfter));
            case Reply.Cancelled(int number) -> step(new Event.Cancelled(now, number));
            case Reply.AccountNotUpdated(String detail) -> {
                told.accountNotUpdated(detail, now.plus(INTRODUCTION));
                introduction.set(INTRODUCTION, client::introduce);
            }
            case Reply.Damaged(var keptAs, String why) -> told.damaged(keptAs, why);
            case Reply.NotKept(String detail) -> told.notKept(detail);
        }
    }

    private void step(Event event) {
        // Whatever an effect may throw, time goes on.
        alarm.set(SLEEP_MAX, this::timePassed);
        Step step = renewal.step(event);
        renewal = step.next();
        carryOut(step);
    }

    private void carryOut(Step step) {
        step.effects().forEach(this::carryOut);
        schedule();
    }

    private void timePassed() {
        step(new Event.TimePassed(clock.instant()));
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Consult(int number) -> client.consult(number);
            case Effect.Order(int number) -> client.order(number);
            case Effect.Cancel(int number) -> client.cancel(number);
            case Effect.Activate(int number, boolean again) -> {
                activating = true;
                activation = number;
                if (again) {
                    offer = number;
                }
                offered.run();
            }
            case Effect.Promote _ -> {
                active = candidate;
                candidate = Optional.empty();
                client.promoteCandidate();
            }
            case Effect.Discard _ -> {
                activating = false;
                candidate = Optional.empty();
                client.discardCandidate();
                offered.run();
            }
            case Effect.Remember(History history) -> client.remember(history);
            case Effect.Reply(int request, Verdict verdict) -> {
                CompletableFuture<OperatorReply> asker = askers.remove(request);
                if (asker != null) {
                    asker.complete(RenewalAnswers.of(verdict));
                }
            }
            case Effect.Note(var fact) -> told.noted(fact, settings.texts());
        }
    }

    private void schedule() {
        alarm.clear();
        renewal.deadline().ifPresent(deadline -> {
            long millis = Duration.between(clock.instant(), deadline).toMillis() + 1;
            alarm.set(Duration.ofMillis(Math.clamp(millis, 0, SLEEP_MAX.toMillis())), this::timePassed);
        });
    }
}

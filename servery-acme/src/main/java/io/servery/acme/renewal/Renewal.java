package io.servery.acme.renewal;

import io.servery.acme.renewal.Stage.Activating;
import io.servery.acme.renewal.Stage.Consulting;
import io.servery.acme.renewal.Stage.Interrupted;
import io.servery.acme.renewal.Stage.Ordering;
import io.servery.acme.renewal.Stage.Resting;
import io.servery.acme.renewal.Stage.Stopped;
import io.servery.acme.renewal.Stage.Stopping;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The certificate of one identity, and what is going on about the next.
///
///     Resting ──time to ask──► Consulting ──answered, or late──► Resting
///        └──due, or asked for──► Ordering ──obtained──► Activating ──activated──► Resting (with the new one)
///                                   │                      ├──late──► Activating (again, for as long as it is valid)
///                                   │                      └──failed──► Resting (with the old one)
///                                   ├──failed, or late──► Resting (later each time)
///                                   ├──cancelled by another──► Interrupted ──soon──► Resting
///                                   └──stop──► Stopping ──► Stopped
///
/// A certificate takes the place of another only by [Event.Activated], and only if it is valid then.
///
/// @param held what is active, valid or not
/// @param numbers how many things were begun: each has the next number
/// @param askers requests that the end of what is going on answers, in their order
/// @param expiryNoted that it expired was said
public record Renewal(Policy policy, Optional<Lifetime> held, History history, Outlook outlook, Stage stage,
        int numbers,
        List<Integer> askers, boolean expiryNoted) {
    /// So many requests wait for one attempt.
    public static final int ASKERS_MAX = 16;

    public Renewal {
        askers = List.copyOf(askers);
        boolean waiting = stage instanceof Consulting || stage instanceof Ordering || stage instanceof Activating;
        if (askers.size() > (waiting ? ASKERS_MAX : 0)) {
            throw new IllegalArgumentException("renewal: found " + askers.size() + " requests while " + stage
                    + "; expected at most " + (waiting ? ASKERS_MAX : 0));
        }
    }

    /// A service begins. What was obtained and never activated is activated now; it is not ordered again.
    ///
    /// @param held what was active last
    /// @param candidate what was obtained after it
    public static Step begin(Instant now, Policy policy, Optional<Lifetime> held, Optional<Lifetime> candidate,
            History history) {
        Renewal resting = new Renewal(policy, held, history.believedAt(now), Outlook.unknown(now), new Resting(), 0,
                List.of(), false);
        return RenewalMachine.begin(resting, now, candidate);
    }

    /// What this event leads to.
    public Step step(Event event) {
        return RenewalMachine.step(this, event);
    }

    /// Whether what is held can be shown to clients now: without one nothing can, and the service is not ready.
    public boolean isServable(Instant now) {
        return held.filter(certificate -> certificate.covers(now)).isPresent();
    }

    /// When the certificate should be renewed, failures aside.
    public Instant due() {
        return Schedule.due(policy, held, outlook.window(), history);
    }

    /// When the next attempt begins at the latest; in the past while it is under way.
    public Instant nextAttempt() {
        return Schedule.attempt(policy, due(), history);
    }

    /// The earliest moment at which time alone moves this; never, when it has ended.
    public Optional<Instant> deadline() {
        Optional<Instant> expiry = expiryNoted ? Optional.empty() : held.map(Lifetime::until);
        return switch (stage) {
            case Resting _ -> Optional.of(earliest(nextAttempt(), expiry,
                    consults()
                            ? Optional.of(outlook.consultFrom())
                            : Optional.empty()));
            case Consulting(_, Instant until) -> Optional.of(earliest(until, expiry, Optional.empty()));
            case Ordering(_, Instant until) -> Optional.of(earliest(until, expiry, Optional.empty()));
            case Interrupted(Instant until) -> Optional.of(earliest(until, expiry, Optional.empty()));
            case Activating(_, _, Instant until, _) -> Optional.of(earliest(until, expiry, Optional.empty()));
            case Stopping(_, Instant until) -> Optional.of(until);
            case Stopped _ -> Optional.empty();
        };
    }

    public boolean isOver() {
        return stage instanceof Stopped;
    }

    /// Whether the authority has a say about when.
    boolean consults() {
        return held.isPresent() && policy.renewBefore().isEmpty();
    }

    Renewal with(Stage next) {
        return new Renewal(policy, held, history, outlook, next, numbers, askers, expiryNoted);
    }

    /// With the next number in use.
    Renewal begun(Stage next) {
        return new Renewal(policy, held, history, outlook, next, numbers + 1, askers, expiryNoted);
    }

    Renewal with(Outlook next) {
        return new Renewal(policy, held, history, next, stage, numbers, askers, expiryNoted);
    }

    Renewal with(History next) {
        return new Renewal(policy, held, next, outlook, stage, numbers, askers, expiryNoted);
    }

    Renewal withAskers(List<Integer> next) {
        return new Renewal(policy, held, history, outlook, stage, numbers, next, expiryNoted);
    }

    Renewal withExpiryNoted() {
        return new Renewal(policy, held, history, outlook, stage, numbers, askers, true);
    }

    /// With another certificate, of which nothing is known yet.
    Renewal holding(Lifetime certificate, Instant now) {
        return new Renewal(policy, Optional.of(certificate), History.succeeded(now), Outlook.unknown(now), stage,
                numbers, askers, false);
    }

    private static Instant earliest(Instant first, Optional<Instant> second, Optional<Instant> third) {
        Instant earlier = second.filter(first::isAfter).orElse(first);
        return third.filter(earlier::isAfter).orElse(earlier);
    }
}

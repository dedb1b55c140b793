package io.servery.netty.identity.acme;

import io.servery.acme.renewal.Fact;
import io.servery.acme.renewal.Lifetime;
import io.servery.core.config.Logging.Level;
import io.servery.core.lifecycle.Cause;
import io.servery.core.reason.Reason;
import io.servery.netty.observe.Event;
import io.servery.netty.observe.Events;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Tells of certificates from an authority as events, and counts attempts.
///
/// *Owner*: one thread tells; any asks for what failed last.
final class RenewalEvents {
    private final Events events;
    private final Attempts attempts;
    private volatile Optional<Cause> lastFailure = Optional.empty();

    RenewalEvents(Events events, Attempts attempts) {
        this.events = events;
        this.attempts = attempts;
    }

    /// Why the last attempt brought nothing, and when the next is; empty after one that did.
    Optional<Cause> lastFailure() {
        return lastFailure;
    }

    /// Other names, or another authority: what failed before says nothing of them.
    void begun() {
        lastFailure = Optional.empty();
    }

    void noted(Fact fact, List<String> names) {
        switch (fact) {
            case Fact.AttemptStarted _ -> events.emit(of(Level.INFO, "certificate.renewal_started", names));
            case Fact.AttemptSucceeded(Reason reason, Lifetime certificate) -> {
                attempts.ended(reason);
                lastFailure = Optional.empty();
                events.emit(of(Level.INFO, "certificate.renewal_completed", names).with("reason", reason.code())
                        .with("not_after", certificate.until().toString()));
            }
            case Fact.AttemptFailed(Reason reason, String detail, Instant next) -> {
                attempts.ended(reason);
                lastFailure = Optional.of(new Cause(reason, detail + "; next attempt at " + next));
                events.emit(of(Level.WARN, "certificate.renewal_failed", names).with("reason", reason.code())
                        .with("message", detail).with("next_attempt", next.toString()));
            }
            case Fact.Expired(Lifetime certificate) ->
                events.emit(of(Level.ERROR, "certificate.expired", names)
                        .with("reason", Reason.CERTIFICATE_EXPIRED.code())
                        .with("not_after", certificate.until().toString()));
        }
    }

    void damaged(Path keptAs, String why) {
        events.emit(Event.of(Level.WARN, "certificate.state_damaged").with("path", keptAs.toString()).with("message",
                why + "; it counts as absent"));
    }

    void accountNotUpdated(String detail, Instant next) {
        events.emit(Event.of(Level.WARN, "certificate.account_not_updated").with("message", detail)
                .with("next_attempt", next.toString()));
    }

    void notKept(String detail) {
        events.emit(Event.of(Level.ERROR, "certificate.state_not_kept").with("message", detail));
    }

    private static Event of(Level level, String name, List<String> names) {
        return Event.of(level, name).with("names", String.join(" ", names));
    }
}

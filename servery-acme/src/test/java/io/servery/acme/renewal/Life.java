package io.servery.acme.renewal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A renewal with its clock, for stories: what it wants done is kept, and time goes on from deadline to deadline.
final class Life {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final List<Effect> effects = new ArrayList<>();
    private Instant now = START;
    private Renewal renewal;

    private Life(Step first) {
        renewal = first.next();
        effects.addAll(first.effects());
    }

    static Life begin(Policy policy, Optional<Lifetime> held) {
        return new Life(Renewal.begin(START, policy, held, Optional.empty(), History.none()));
    }

    static Life begin(Optional<Lifetime> held, Optional<Lifetime> candidate, History history) {
        return new Life(Renewal.begin(START, new Policy(Optional.empty(), 1), held, candidate, history));
    }

    static Lifetime days(String serial, Instant from, long days) {
        return new Lifetime(serial, from, from.plus(Duration.ofDays(days)));
    }

    Renewal renewal() {
        return renewal;
    }

    Instant now() {
        return now;
    }

    /// The effects since the last call.
    List<Effect> taken() {
        List<Effect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    Life take(Event event) {
        Step step = renewal.step(event);
        renewal = step.next();
        effects.addAll(step.effects());
        return this;
    }

    Life at(Instant moment) {
        now = moment;
        return take(new Event.TimePassed(moment));
    }

    Life after(Duration time) {
        return at(now.plus(time));
    }

    int number() {
        return renewal.numbers();
    }

    /// The authority has no opinion.
    Life consulted() {
        return take(new Event.Consulted(now, number(), Optional.empty(), Optional.empty()));
    }

    Life activated(Lifetime candidate) {
        take(new Event.Obtained(now, number(), candidate));
        return take(new Event.Activated(now, number()));
    }
}

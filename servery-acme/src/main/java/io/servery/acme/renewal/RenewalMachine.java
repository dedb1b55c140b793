package io.servery.acme.renewal;

import io.servery.acme.renewal.Event.Activated;
import io.servery.acme.renewal.Event.ActivationFailed;
import io.servery.acme.renewal.Event.Answer;
import io.servery.acme.renewal.Event.AttemptFailed;
import io.servery.acme.renewal.Event.Cancelled;
import io.servery.acme.renewal.Event.Consulted;
import io.servery.acme.renewal.Event.Obtained;
import io.servery.acme.renewal.Event.RenewRequested;
import io.servery.acme.renewal.Event.StopRequested;
import io.servery.acme.renewal.Event.TimePassed;
import io.servery.acme.renewal.Stage.Activating;
import io.servery.acme.renewal.Stage.Consulting;
import io.servery.acme.renewal.Stage.Interrupted;
import io.servery.acme.renewal.Stage.Ordering;
import io.servery.acme.renewal.Stage.Resting;
import io.servery.acme.renewal.Stage.Stopped;
import io.servery.acme.renewal.Stage.Stopping;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One step of a [Renewal]: one method a stage, and what time makes due after each of them.
final class RenewalMachine {
    private static final Duration CONSULT_MAX = Duration.ofMinutes(2);
    /// More than an attempt takes whose every part takes its longest.
    private static final Duration ORDER_MAX = Duration.ofMinutes(20);
    private static final Duration ACTIVATE_MAX = Duration.ofMinutes(2);
    /// A candidate that is not shown by all is said again after an hour of offers.
    private static final int OFFERS_UNSAID = 30;
    private static final Duration STOP_MAX = Duration.ofSeconds(5);
    private static final Duration INTERRUPTION = Duration.ofMinutes(1);

    private final List<Effect> effects = new ArrayList<>();
    private final Instant now;
    private Renewal state;

    private RenewalMachine(Renewal state, Instant now) {
        this.state = state;
        this.now = now;
    }

    static Step begin(Renewal resting, Instant now, Optional<Lifetime> candidate) {
        RenewalMachine machine = new RenewalMachine(resting, now);
        candidate.ifPresent(one -> machine.offer(one, 0));
        return machine.end();
    }

    static Step step(Renewal state, Event event) {
        RenewalMachine machine = new RenewalMachine(state, event.at());
        machine.take(event);
        return machine.end();
    }

    private void take(Event event) {
        switch (state.stage()) {
            case Resting _ -> resting(event);
            case Consulting stage -> consulting(stage, event);
            case Ordering stage -> ordering(stage, event);
            case Interrupted stage -> interrupted(stage, event);
            case Activating stage -> activating(stage, event);
            case Stopping stage -> stopping(stage, event);
            case Stopped _ -> stopped(event);
        }
    }

    private void resting(Event event) {
        switch (event) {
            case RenewRequested request -> asked(request);
            case StopRequested _ -> stop();
            case TimePassed _ -> {
            }
            case Answer _ -> late();
        }
    }

    private void consulting(Consulting stage, Event event) {
        switch (event) {
            case Consulted(_, int number, Optional<Window> window, Optional<Duration> retryAfter) when number == stage
                    .number() ->
                consulted(window, retryAfter);
            case TimePassed _ -> {
                if (isPast(stage.until())) {
                    consulted(Optional.empty(), Optional.empty());
                }
            }
            case RenewRequested request -> asked(request);
            case StopRequested _ -> stop();
            case Answer _ -> late();
        }
    }

    private void ordering(Ordering stage, Event event) {
        switch (event) {
            case Obtained(_, int number, Lifetime candidate) when number == stage.number() -> offer(candidate, 0);
            case AttemptFailed failed when failed.number() == stage.number() -> fail(failed.reason(), failed.detail(),
                    failed.retryAfter());
            // Its way to the workers was told to end and we were not: the service ends, and we are told soon; or it does not.
            case Cancelled(_, int number) when number == stage.number() -> {
                answer(new Verdict.Stopping());
                state = state.with(new Interrupted(now.plus(INTERRUPTION)));
            }
            case TimePassed _ -> {
                if (isPast(stage.until())) {
                    effects.add(new Effect.Cancel(stage.number()));
                    fail(Reason.NETWORK_FAILURE, "no end of the attempt within " + ORDER_MAX.toMinutes() + " minutes",
                            Optional.empty());
                }
            }
            case RenewRequested request -> await(request.request());
            case StopRequested _ -> {
                effects.add(new Effect.Cancel(stage.number()));
                answer(new Verdict.Stopping());
                state = state.with(new Stopping(stage.number(), now.plus(STOP_MAX)));
            }
            case Answer _ -> late();
        }
    }

    private void interrupted(Interrupted stage, Event event) {
        switch (event) {
            case TimePassed _ -> {
                if (isPast(stage.until())) {
                    state = state.with(new Resting());
                }
            }
            case RenewRequested request -> asked(request);
            case StopRequested _ -> stop();
            case Answer _ -> late();
        }
    }

    private void activating(Activating stage, Event event) {
        switch (event) {
            case Activated(_, int number) when number == stage.number() -> activated(stage.candidate());
            case ActivationFailed(_, int number, String detail) when number == stage.number() -> reject(
                    Reason.ACTIVATION_FAILURE, detail);
            case TimePassed _ -> {
                if (isPast(stage.until())) {
                    unanswered(stage);
                }
            }
            case RenewRequested request -> await(request.request());
            case StopRequested _ -> stop();
            case Answer _ -> late();
        }
    }

    private void stopping(Stopping stage, Event event) {
        switch (event) {
            // What was obtained at the last moment is a candidate of the next start.
            case Answer answer -> {
                if (answer.number() == stage.number()) {
                    state = state.with(new Stopped());
                }
            }
            case TimePassed _ -> {
                if (isPast(stage.until())) {
                    state = state.with(new Stopped());
                }
            }
            case RenewRequested request -> effects.add(new Effect.Reply(request.request(), new Verdict.Stopping()));
            case StopRequested _ -> {
            }
        }
    }

    private void stopped(Event event) {
        switch (event) {
            case RenewRequested request -> effects.add(new Effect.Reply(request.request(), new Verdict.Stopping()));
            case TimePassed _,StopRequested _,Answer _ -> late();
        }
    }

    /// It may come after its time was over, or what it answers was given up: nothing changes.
    private void late() {
    }

    /// Somebody asks while nothing is ordered. Only what the authority asked for stands against an order that is due or
    /// forced; our own waiting after failures does not: whoever asks has mended something.
    private void asked(RenewRequested request) {
        if (state.history().blocked(now)) {
            effects.add(new Effect.Reply(request.request(),
                    new Verdict.Blocked(state.history().blockedUntil().orElseThrow())));
        } else if (request.force() || isPast(state.due())) {
            order();
            await(request.request());
        } else if (state.stage() instanceof Consulting) {
            await(request.request());
        } else {
            effects.add(new Effect.Reply(request.request(), new Verdict.NotDue(state.due())));
        }
    }

    private void await(int request) {
        if (state.askers().size() == Renewal.ASKERS_MAX) {
            effects.add(new Effect.Reply(request, new Verdict.Busy()));
            return;
        }
        List<Integer> askers = new ArrayList<>(state.askers());
        askers.add(request);
        state = state.withAskers(askers);
    }

    private void answer(Verdict verdict) {
        state.askers().forEach(request -> effects.add(new Effect.Reply(request, verdict)));
        state = state.withAskers(List.of());
    }

    private void consulted(Optional<Window> window, Optional<Duration> retryAfter) {
        state = state.with(state.outlook().asked(now, window, retryAfter));
        if (!isPast(state.due())) {
            answer(new Verdict.NotDue(state.due()));
        } else if (!state.askers().isEmpty()) {
            order();
            return;
        }
        state = state.with(new Resting());
    }

    private void consult() {
        state = state.begun(new Consulting(state.numbers() + 1, now.plus(CONSULT_MAX)));
        effects.add(new Effect.Consult(state.numbers()));
    }

    private void order() {
        state = state.begun(new Ordering(state.numbers() + 1, now.plus(ORDER_MAX)));
        effects.add(new Effect.Note(new Fact.AttemptStarted(state.numbers())));
        effects.add(new Effect.Order(state.numbers()));
    }

    /// What is not valid now is not offered to anybody.
    ///
    /// @param unanswered so often it was offered before
    private void offer(Lifetime candidate, int unanswered) {
        if (!candidate.covers(now)) {
            reject(Reason.INVALID_MATERIAL, "found a certificate that is valid from " + candidate.from() + " to "
                    + candidate.until() + "; expected one that is valid now");
            return;
        }
        state = state.begun(new Activating(state.numbers() + 1, candidate, now.plus(ACTIVATE_MAX), unanswered));
        effects.add(new Effect.Activate(state.numbers(), unanswered > 0));
    }

    /// Some worker says neither that it shows the candidate nor that it cannot. That is no fault of what the authority issued,
    /// and another certificate would fare no better: it stays offered for as long as it is valid. Said at
    /// first, and each hour.
    private void unanswered(Activating stage) {
        String detail = "not shown by every worker within " + ACTIVATE_MAX.toMinutes()
                + " minutes; the certificate is kept and offered again";
        Instant next = now.plus(ACTIVATE_MAX);
        if (stage.unanswered() % OFFERS_UNSAID == 0) {
            effects.add(new Effect.Note(new Fact.AttemptFailed(Reason.ACTIVATION_FAILURE, detail, next)));
        }
        answer(new Verdict.Failed(Reason.ACTIVATION_FAILURE, detail, next));
        offer(stage.candidate(), stage.unanswered() + 1);
    }

    private void reject(Reason reason, String detail) {
        effects.add(new Effect.Discard());
        fail(reason, detail, Optional.empty());
    }

    private void fail(Reason reason, String detail, Optional<Instant> retryAfter) {
        state = state.with(state.history().failed(now, retryAfter));
        effects.add(new Effect.Remember(state.history()));
        effects.add(new Effect.Note(new Fact.AttemptFailed(reason, detail, state.nextAttempt())));
        answer(new Verdict.Failed(reason, detail, state.nextAttempt()));
        state = state.with(new Resting());
    }

    private void activated(Lifetime candidate) {
        Reason reason = state.held().isPresent() ? Reason.RENEWED : Reason.ISSUED;
        state = state.holding(candidate, now);
        effects.add(new Effect.Promote());
        effects.add(new Effect.Remember(state.history()));
        effects.add(new Effect.Note(new Fact.AttemptSucceeded(reason, candidate)));
        answer(new Verdict.Renewed(candidate));
        state = state.with(new Resting());
    }

    private void stop() {
        answer(new Verdict.Stopping());
        state = state.with(new Stopped());
    }

    /// What time makes due, whatever the event was.
    private Step end() {
        if (state.stage() instanceof Resting) {
            boolean due = isPast(state.nextAttempt());
            if (due && !state.isServable(now)) {
                order();
            } else if (state.consults() && isPast(state.outlook().consultFrom())) {
                consult();
            } else if (due) {
                order();
            }
        }
        if (!state.expiryNoted() && state.held().filter(one -> isPast(one.until())).isPresent() && !state.isOver()) {
            effects.add(new Effect.Note(new Fact.Expired(state.held().orElseThrow())));
            state = state.withExpiryNoted();
        }
        return new Step(state, effects);
    }

    private boolean isPast(Instant moment) {
        return !now.isBefore(moment);
    }
}

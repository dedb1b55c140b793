package io.servery.acme.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.acme.renewal.Stage.Consulting;
import io.servery.acme.renewal.Stage.Ordering;
import io.servery.acme.renewal.Stage.Resting;
import io.servery.acme.renewal.Stage.Stopped;
import io.servery.acme.renewal.Stage.Stopping;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Stories of one certificate.
class RenewalTest {
    private static final Instant START = Life.START;
    private static final Lifetime HELD = Life.days("a", START.minus(Duration.ofDays(10)), 90);
    private static final Lifetime NEXT = Life.days("b", START, 90);

    @Test
    void serviceWithoutACertificateOrdersOneAtOnce() {
        Life life = fresh();
        assertThat(life.taken()).containsExactly(new Effect.Note(new Fact.AttemptStarted(1)), new Effect.Order(1));
        life.take(new Event.Obtained(START, 1, NEXT));
        assertThat(life.taken()).containsExactly(new Effect.Activate(2, false));
        assertThat(life.renewal().isServable(START)).isFalse();
        life.take(new Event.Activated(START, 2));
        assertThat(life.taken()).startsWith(new Effect.Promote(), new Effect.Remember(History.succeeded(START)),
                new Effect.Note(new Fact.AttemptSucceeded(Reason.ISSUED, NEXT)));
        assertThat(life.renewal().isServable(START)).isTrue();
    }

    @Test
    void restartWithAGoodCertificateOrdersNothing() {
        Life life = held();
        assertThat(life.taken()).containsExactly(new Effect.Consult(1));
        life.consulted();
        assertThat(life.taken()).isEmpty();
        assertThat(life.renewal().nextAttempt()).isAfter(START.plus(Duration.ofDays(45)));
    }

    @Test
    void restartBetweenObtainingAndActivatingActivatesAndOrdersNothing() {
        Life life = Life.begin(Optional.empty(), Optional.of(NEXT), History.none());
        assertThat(life.taken()).containsExactly(new Effect.Activate(1, false));
    }

    @Test
    void candidateThatExpiredWhileTheServiceWasDownIsDiscarded() {
        Life life = Life.begin(Optional.of(HELD), Optional.of(Life.days("old", START.minus(Duration.ofDays(9)), 1)),
                History.none());
        assertThat(life.taken()).startsWith(new Effect.Discard()).doesNotContain(new Effect.Activate(1, false));
        assertThat(life.renewal().held()).contains(HELD);
    }

    @Test
    void restartRemembersWhatTheAuthorityAskedFor() {
        Instant until = START.plus(Duration.ofHours(30));
        Life life = Life.begin(Optional.empty(), Optional.empty(),
                History.none().failed(START.minusSeconds(60), Optional.of(until)));
        assertThat(life.taken()).isEmpty();
        assertThat(life.renewal().deadline()).contains(until);
        life.at(until);
        assertThat(life.renewal().stage()).isInstanceOf(Ordering.class);
    }

    @Test
    void certificateIsRenewedInTheSuggestedWindow() {
        Life life = held();
        Window window = new Window(START.plus(Duration.ofDays(3)), START.plus(Duration.ofDays(4)));
        life.take(new Event.Consulted(START, 1, Optional.of(window), Optional.of(Duration.ofHours(6))));
        Instant due = life.renewal().due();
        assertThat(due).isBetween(window.start(), window.end());
        life.taken();
        while (life.now().isBefore(due)) {
            life.at(life.renewal().deadline().orElseThrow());
            if (life.renewal().stage() instanceof Consulting) {
                life.take(new Event.Consulted(life.now(), life.number(), Optional.of(window),
                        Optional.of(Duration.ofHours(6))));
            }
        }
        assertThat(life.now()).isEqualTo(due);
        assertThat(life.taken()).contains(new Effect.Order(life.number()));
    }

    @Test
    void windowThatMovesIntoThePastRenewsAtOnce() {
        Life life = held().consulted();
        life.after(Duration.ofHours(6));
        life.taken();
        life.take(new Event.Consulted(life.now(), life.number(), Optional.of(new Window(START.minusSeconds(10),
                START.minusSeconds(5))), Optional.empty()));
        assertThat(life.taken()).contains(new Effect.Order(life.number()));
    }

    @Test
    void authorityIsConsultedAtLeastDailyAndAtMostOnceAMinute() {
        Life often = held();
        often.take(new Event.Consulted(START, 1, Optional.empty(), Optional.of(Duration.ZERO)));
        assertThat(often.renewal().deadline()).contains(START.plus(Duration.ofMinutes(1)));
        Life seldom = held();
        seldom.take(new Event.Consulted(START, 1, Optional.empty(), Optional.of(Duration.ofDays(365))));
        assertThat(seldom.renewal().deadline()).contains(START.plus(Duration.ofDays(1)));
    }

    @Test
    void authorityThatCannotBeAskedLeavesTheLastWindow() {
        Life life = held();
        Window window = new Window(START.plus(Duration.ofDays(3)), START.plus(Duration.ofDays(4)));
        life.take(new Event.Consulted(START, 1, Optional.of(window), Optional.empty()));
        Instant due = life.renewal().due();
        life.after(Duration.ofHours(6)).consulted();
        assertThat(life.renewal().due()).isEqualTo(due);
    }

    @Test
    void consultationThatIsNeverAnsweredEndsAfterTwoMinutes() {
        Life life = held();
        life.after(Duration.ofMinutes(2));
        assertThat(life.renewal().stage()).isEqualTo(new Resting());
    }

    @Test
    void configuredTimeNeedsNoConsultation() {
        Life life = Life.begin(new Policy(Optional.of(Duration.ofDays(5)), 1), Optional.of(HELD));
        assertThat(life.taken()).isEmpty();
    }

    @Test
    void failureWaitsLongerEachTimeAndASuccessForgetsIt() {
        Life life = fresh();
        for (int failures = 1; failures <= 3; failures++) {
            life.taken();
            life.take(new Event.AttemptFailed(life.now(), life.number(), Reason.NETWORK_FAILURE, "down",
                    Optional.empty()));
            assertThat(life.taken()).startsWith(new Effect.Remember(life.renewal().history()));
            assertThat(life.renewal().history().failures()).isEqualTo(failures);
            life.at(life.renewal().deadline().orElseThrow().minusNanos(1));
            assertThat(life.renewal().stage()).isEqualTo(new Resting());
            life.at(life.renewal().deadline().orElseThrow());
            assertThat(life.renewal().stage()).isInstanceOf(Ordering.class);
        }
        assertThat(life.now()).isBetween(START.plus(Duration.ofMinutes(13)), START.plus(Duration.ofMinutes(16)));
        life.activated(NEXT);
        assertThat(life.renewal().history()).isEqualTo(History.succeeded(life.now()));
    }

    @Test
    void failureSaysWhenItWillBeTriedAgain() {
        Life life = fresh();
        life.taken();
        Instant until = START.plus(Duration.ofHours(2));
        life.take(new Event.AttemptFailed(START, 1, Reason.CA_REJECTED, "too many", Optional.of(until)));
        assertThat(life.taken()).contains(new Effect.Note(new Fact.AttemptFailed(Reason.CA_REJECTED, "too many",
                until)));
    }

    @Test
    void attemptWithoutAnEndIsCancelledAndItsLateResultChangesNothing() {
        Life life = held().consulted();
        life.take(new Event.RenewRequested(START, 7, true));
        int number = life.number();
        life.taken();
        life.after(Duration.ofMinutes(20));
        assertThat(life.taken()).startsWith(new Effect.Cancel(number)).anySatisfy(
                effect -> assertThat(effect).isInstanceOf(Effect.Reply.class));
        Renewal before = life.renewal();
        life.take(new Event.Obtained(life.now(), number, NEXT));
        assertThat(life.renewal()).isEqualTo(before);
    }

    @Test
    void certificateThatIsNotValidNowIsNeverOffered() {
        Life life = held().consulted();
        life.take(new Event.RenewRequested(START, 7, true));
        life.taken();
        life.take(new Event.Obtained(START, life.number(), Life.days("c", START.plusSeconds(1), 90)));
        assertThat(life.taken()).startsWith(new Effect.Discard());
        assertThat(life.renewal().held()).contains(HELD);
    }

    @Test
    void activationThatFailsLeavesTheOldOneAndIsTriedAgainLater() {
        Life life = held().consulted();
        life.take(new Event.RenewRequested(START, 7, true));
        life.take(new Event.Obtained(START, life.number(), NEXT));
        life.taken();
        life.take(new Event.ActivationFailed(START, life.number(), "no handshake"));
        assertThat(life.renewal().held()).contains(HELD);
        assertThat(life.renewal().history().failures()).isEqualTo(1);
        assertThat(life.taken()).startsWith(new Effect.Discard()).contains(new Effect.Reply(7, new Verdict.Failed(
                Reason.ACTIVATION_FAILURE, "no handshake", life.renewal().nextAttempt())));
    }

    @Test
    void activationWithoutAnAnswerIsSaidEachHourAndTheCertificateIsOfferedAgainUntilItIsShown() {
        Life life = fresh();
        life.take(new Event.RenewRequested(START, 7, false));
        life.take(new Event.Obtained(START, 1, NEXT));
        life.taken();
        life.after(Duration.ofMinutes(2));
        List<Effect> late = life.taken();
        assertThat(late).hasSize(3).endsWith(new Effect.Activate(3, true));
        assertThat(late.getFirst()).isInstanceOfSatisfying(Effect.Note.class, note -> assertThat(note.fact())
                .isInstanceOfSatisfying(Fact.AttemptFailed.class,
                        fact -> assertThat(fact.reason()).isEqualTo(Reason.ACTIVATION_FAILURE)));
        assertThat(late.get(1)).isInstanceOfSatisfying(Effect.Reply.class,
                reply -> assertThat(reply.verdict()).isInstanceOf(Verdict.Failed.class));
        for (int again = 1; again < 30; again++) {
            life.after(Duration.ofMinutes(2));
            assertThat(life.taken()).containsExactly(new Effect.Activate(life.number(), true));
        }
        life.after(Duration.ofMinutes(2));
        assertThat(life.taken()).as("an hour later").hasSize(2).first().isInstanceOfSatisfying(Effect.Note.class,
                note -> assertThat(note.fact()).isInstanceOf(Fact.AttemptFailed.class));
        assertThat(life.renewal().held()).isEmpty();

        life.take(new Event.Activated(life.now(), life.number()));
        assertThat(life.taken()).contains(new Effect.Promote());
        assertThat(life.renewal().held()).contains(NEXT);
    }

    @Test
    void certificateThatNobodyAnswersForIsGivenUpWhenItEnds() {
        Life life = fresh();
        life.take(new Event.Obtained(START, 1, Life.days("short", START, 1)));
        life.taken();
        while (life.now().isBefore(START.plus(Duration.ofDays(1)))) {
            assertThat(life.taken()).doesNotContain(new Effect.Discard());
            life.at(life.renewal().deadline().orElseThrow());
        }
        assertThat(life.taken()).contains(new Effect.Discard());
        assertThat(life.renewal().history().failures()).isEqualTo(1);
    }

    @Test
    void commandRenewSaysWhenNothingIsDue() {
        Life life = held().consulted();
        life.taken();
        life.take(new Event.RenewRequested(START, 7, false));
        assertThat(life.taken()).containsExactly(new Effect.Reply(7, new Verdict.NotDue(life.renewal().due())));
    }

    @Test
    void commandRenewDuringAConsultationIsAnsweredByIt() {
        Life life = held();
        life.taken();
        life.take(new Event.RenewRequested(START, 7, false));
        assertThat(life.taken()).isEmpty();
        life.consulted();
        assertThat(life.taken()).containsExactly(new Effect.Reply(7, new Verdict.NotDue(life.renewal().due())));
    }

    @Test
    void commandRenewDoesNotWaitForOurOwnBackOff() {
        Life life = fresh();
        life.take(new Event.AttemptFailed(START, 1, Reason.CHALLENGE_FAILURE, "dns", Optional.empty()));
        life.taken();
        life.take(new Event.RenewRequested(START.plusSeconds(1), 7, false));
        assertThat(life.taken()).contains(new Effect.Order(2));
    }

    @Test
    void evenAForcedRenewalObeysTheAuthority() {
        Life life = fresh();
        Instant until = START.plus(Duration.ofHours(3));
        life.take(new Event.AttemptFailed(START, 1, Reason.CA_REJECTED, "rate", Optional.of(until)));
        life.taken();
        life.take(new Event.RenewRequested(START.plusSeconds(1), 7, true));
        assertThat(life.taken()).containsExactly(new Effect.Reply(7, new Verdict.Blocked(until)));
    }

    @Test
    void requestsShareOneAttemptAndSixteenWait() {
        Life life = fresh();
        life.taken();
        for (int request = 1; request <= 17; request++) {
            life.take(new Event.RenewRequested(START, request, true));
        }
        assertThat(life.taken()).containsExactly(new Effect.Reply(17, new Verdict.Busy()));
        life.activated(NEXT);
        assertThat(life.taken().stream().filter(Effect.Reply.class::isInstance)).hasSize(16)
                .allSatisfy(reply -> assertThat(((Effect.Reply) reply).verdict()).isEqualTo(new Verdict.Renewed(NEXT)));
    }

    @Test
    void expiryIsSaidOnceAndTheServiceIsNotReadyThen() {
        Life life = held();
        life.at(HELD.until().minusNanos(1));
        assertThat(life.renewal().isServable(life.now())).isTrue();
        life.taken();
        life.at(HELD.until());
        assertThat(life.taken()).contains(new Effect.Note(new Fact.Expired(HELD)));
        assertThat(life.renewal().isServable(life.now())).isFalse();
        life.after(Duration.ofDays(1));
        assertThat(life.taken()).doesNotContain(new Effect.Note(new Fact.Expired(HELD)));
    }

    @Test
    void stopCancelsAnAttemptAndEndsWithItsAnswerOrAfterFiveSeconds() {
        Life answered = fresh();
        answered.taken();
        answered.take(new Event.StopRequested(START));
        assertThat(answered.taken()).containsExactly(new Effect.Cancel(1));
        assertThat(answered.renewal().stage()).isInstanceOf(Stopping.class);
        answered.take(new Event.Cancelled(START, 1));
        assertThat(answered.renewal().isOver()).isTrue();

        Life silent = fresh();
        silent.take(new Event.StopRequested(START)).after(Duration.ofSeconds(5));
        assertThat(silent.renewal().stage()).isEqualTo(new Stopped());
        assertThat(silent.renewal().deadline()).isEmpty();
    }

    @Test
    void attemptThatTheEndOfTheServiceEndedIsNoFailure() {
        Life life = fresh();
        life.take(new Event.RenewRequested(START, 7, false));
        life.taken();
        life.take(new Event.Cancelled(START, 1));
        assertThat(life.taken()).containsExactly(new Effect.Reply(7, new Verdict.Stopping()));
        life.take(new Event.StopRequested(START));
        assertThat(life.renewal().isOver()).isTrue();
        assertThat(life.renewal().history()).isEqualTo(History.none());
    }

    /// What ended it was not the end of the service: it goes on.
    @Test
    void attemptThatAnotherEndedIsFollowedByTheNextAMinuteLater() {
        Life life = fresh();
        life.take(new Event.Cancelled(START, 1));
        life.taken();
        life.after(Duration.ofSeconds(59));
        assertThat(life.taken()).isEmpty();
        life.after(Duration.ofSeconds(1));
        assertThat(life.taken()).contains(new Effect.Order(2));
        assertThat(life.renewal().history()).isEqualTo(History.none());

        life.take(new Event.Cancelled(life.now(), 2));
        life.taken();
        life.take(new Event.RenewRequested(life.now(), 7, false));
        assertThat(life.taken()).as("whoever asks does not wait").contains(new Effect.Order(3));
    }

    @Test
    void afterAStopEveryRequestIsAnsweredSo() {
        Life life = held();
        life.take(new Event.StopRequested(START));
        life.taken();
        life.take(new Event.RenewRequested(START, 7, true));
        assertThat(life.taken()).containsExactly(new Effect.Reply(7, new Verdict.Stopping()));
    }

    private static Life fresh() {
        return Life.begin(new Policy(Optional.empty(), 1), Optional.empty());
    }

    private static Life held() {
        return Life.begin(new Policy(Optional.empty(), 1), Optional.of(HELD));
    }
}

package io.servery.acme.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/// When a renewal is due: by ARI (RFC 9773), by configuration, or by a third of the lifetime.
class ScheduleTest {
    private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
    private static final Lifetime NINETY_DAYS = new Lifetime("1", FROM, FROM.plus(Duration.ofDays(90)));

    @Test
    void missingCertificateIsDueSinceEver() {
        assertThat(Schedule.due(policy(1), Optional.empty(), Optional.empty(), History.none())).isEqualTo(
                Instant.EPOCH);
    }

    @Test
    void withoutAnOpinionAThirdOfTheLifetimeIsLeftOrSlightlyMore() {
        assertThat(seeds().mapToObj(seed -> due(policy(seed), NINETY_DAYS, Optional.empty()))).allSatisfy(due -> {
            assertThat(due).isAfter(FROM.plus(Duration.ofDays(57))).isBeforeOrEqualTo(FROM.plus(Duration.ofDays(60)));
        }).doesNotHaveDuplicates();
    }

    @Test
    void suggestedWindowIsUsedFromItsStartToItsEnd() {
        Window window = new Window(FROM.plus(Duration.ofDays(50)), FROM.plus(Duration.ofDays(52)));
        List<Instant> dues = seeds().mapToObj(seed -> due(policy(seed), NINETY_DAYS, Optional.of(window))).sorted()
                .toList();
        assertThat(dues).allSatisfy(due -> assertThat(due).isBetween(window.start(), window.end()));
        assertThat(dues.getFirst()).isBefore(window.start().plus(Duration.ofHours(3)));
        assertThat(dues.getLast()).isAfter(window.end().minus(Duration.ofHours(3)));
    }

    @Test
    void sameWindowGivesTheSameMomentAgain() {
        Window window = new Window(FROM.plus(Duration.ofDays(50)), FROM.plus(Duration.ofDays(52)));
        assertThat(due(policy(7), NINETY_DAYS, Optional.of(window))).isEqualTo(
                due(policy(7), NINETY_DAYS, Optional.of(window)));
    }

    @Test
    void windowOfTheFarFutureDoesNotPutOffBeyondTheLastTenth() {
        Window window = new Window(FROM.plus(Duration.ofDays(300)), FROM.plus(Duration.ofDays(400)));
        assertThat(due(policy(1), NINETY_DAYS, Optional.of(window))).isEqualTo(FROM.plus(Duration.ofDays(81)));
    }

    @Test
    void configuredTimeTakesTheWordFromTheAuthority() {
        Window window = new Window(FROM.plus(Duration.ofDays(10)), FROM.plus(Duration.ofDays(11)));
        Policy policy = new Policy(Optional.of(Duration.ofDays(20)), 1);
        assertThat(due(policy, NINETY_DAYS, Optional.of(window))).isBetween(FROM.plus(Duration.ofDays(67)),
                FROM.plus(Duration.ofDays(70)));
    }

    @Test
    void configuredTimeThatIsLongerThanTheLifetimeLeavesHalfOfIt() {
        Policy policy = new Policy(Optional.of(Duration.ofDays(30)), 1);
        Lifetime sixDays = new Lifetime("1", FROM, FROM.plus(Duration.ofDays(6)));
        assertThat(due(policy, sixDays, Optional.empty())).isEqualTo(FROM.plus(Duration.ofDays(3)));
    }

    @Test
    void windowOfThePastWaitsForAnHourAfterTheActivation() {
        Window past = new Window(FROM.minus(Duration.ofDays(2)), FROM.minus(Duration.ofDays(1)));
        Instant activated = FROM.plusSeconds(5);
        assertThat(Schedule.due(policy(1), Optional.of(NINETY_DAYS), Optional.of(past), History.succeeded(activated)))
                .isEqualTo(activated.plus(Duration.ofHours(1)));
    }

    @Test
    void backOffBeginsWithAMinuteTriplesAndEndsAtSixHours() {
        assertThat(LongStream.rangeClosed(1, 8).mapToObj(failures -> backoff((int) failures).toMinutes()))
                .satisfiesExactly(
                        between(1, 1), between(3, 3), between(9, 10), between(27, 32), between(81, 97),
                        between(243, 291),
                        between(360, 432), between(360, 432));
    }

    @Test
    void fiveFailuresFitIntoTheFirstHourAndNoSixth() {
        Duration fifth = backoff(1).plus(backoff(2)).plus(backoff(3)).plus(backoff(4));
        assertThat(fifth).isLessThan(Duration.ofHours(1));
        assertThat(fifth.plus(backoff(5))).isGreaterThan(Duration.ofHours(1));
    }

    @Test
    void authorityIsObeyedForSevenDaysAndNoLonger() {
        History history = History.none().failed(FROM, Optional.of(FROM.plus(Duration.ofDays(365))));
        assertThat(Schedule.attempt(policy(1), FROM, history)).isEqualTo(FROM.plus(Duration.ofDays(7)));
    }

    @Test
    void historyOfAClockThatWasWrongIsBelievedOnlyUpToNow() {
        Instant wrong = FROM.plus(Duration.ofDays(3650));
        History history = History.none().failed(wrong, Optional.of(wrong)).believedAt(FROM);
        assertThat(history.failedAt()).contains(FROM);
        assertThat(Schedule.attempt(policy(1), FROM, history)).isEqualTo(FROM.plus(Duration.ofDays(7)));
    }

    /// Lifetimes from a minute to 10,000 years.
    @Property
    void renewalIsAlwaysDueWithinTheLifetime(@ForAll @LongRange(min = 60, max = 315_360_000_000L) long seconds,
            @ForAll long seed, @ForAll @LongRange(min = 60, max = 31_536_000) long before, @ForAll boolean configured) {
        Lifetime certificate = new Lifetime("1", FROM, FROM.plusSeconds(seconds));
        Policy policy = new Policy(configured ? Optional.of(Duration.ofSeconds(before)) : Optional.empty(), seed);
        Instant half = FROM.plus(Duration.ofSeconds(seconds).dividedBy(2));
        assertThat(due(policy, certificate, Optional.empty())).isBetween(half, certificate.until());
    }

    @Property
    void chanceIsANumberFromZeroToOne(@ForAll long seed, @ForAll @IntRange(max = 1000) int purpose) {
        assertThat(policy(seed).chance("purpose " + purpose)).isGreaterThanOrEqualTo(0).isLessThan(1);
    }

    private static Consumer<Long> between(long min, long max) {
        return minutes -> assertThat(minutes).isBetween(min, max);
    }

    private static Duration backoff(int failures) {
        return Schedule.backoff(policy(3), new History(failures, Optional.of(FROM), Optional.empty(),
                Optional.empty()));
    }

    private static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    private static Instant due(Policy policy, Lifetime certificate, Optional<Window> window) {
        return Schedule.due(policy, Optional.of(certificate), window, History.none());
    }

    private static Policy policy(long seed) {
        return new Policy(Optional.empty(), seed);
    }
}

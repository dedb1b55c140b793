package io.servery.acme.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.reason.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Years of a certificate under an authority, workers and operators that do what they like, each from a seed; the promises are
/// read off the effects. `-Dservery.simulation.seed=…` repeats one, `-Dservery.simulation.runs=…` is the long form.
class RenewalSimulationTest {
    private static final int RUNS = Integer.getInteger("servery.simulation.runs", 300);
    private static final int STEPS = 400;

    @Test
    void everyLifeKeepsThePromises() {
        Long given = Long.getLong("servery.simulation.seed");
        Random seeds = new Random();
        int orders = 0;
        for (int i = 0; i < (given == null ? RUNS : 1); i++) {
            long seed = given == null ? seeds.nextLong() : given;
            try {
                orders += new World(seed).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(orders).isPositive();
    }

    /// The rest of the world.
    private static final class World {
        private final Random random;
        private final Deque<Effect> toAnswer = new ArrayDeque<>();
        private final Set<Integer> asked = new HashSet<>();
        private final List<Instant> ordered = new ArrayList<>();
        private Instant now = Life.START;
        private Renewal renewal;
        private Optional<Integer> open = Optional.empty();
        private int requests;

        World(long seed) {
            random = new Random(seed);
            Optional<Lifetime> held = random.nextBoolean() ? Optional.of(certificate()) : Optional.empty();
            Optional<Duration> before = random.nextInt(4) == 0
                    ? Optional.of(Duration.ofDays(1 + random.nextInt(60)))
                    : Optional.empty();
            Step first = Renewal.begin(now, new Policy(before, seed), held,
                    random.nextInt(5) == 0 ? Optional.of(certificate()) : Optional.empty(), History.none());
            renewal = first.next();
            follow(first, false);
        }

        int run() {
            for (int step = 0; step < STEPS; step++) {
                take(random.nextInt(100) == 0 ? new Event.StopRequested(now) : anything());
            }
            take(new Event.StopRequested(now));
            for (int i = 0; i < 2 && !renewal.isOver(); i++) {
                now = renewal.deadline().orElseThrow();
                take(new Event.TimePassed(now));
            }
            assertThat(renewal.isOver()).as("a stop ends").isTrue();
            assertThat(asked).as("requests without an answer").isEmpty();
            atMostTenAttemptsInAnyHour();
            return ordered.size();
        }

        private Event anything() {
            return switch (random.nextInt(4)) {
                case 0 -> {
                    asked.add(++requests);
                    yield new Event.RenewRequested(now, requests, random.nextBoolean());
                }
                case 1, 2 -> toAnswer.isEmpty() || random.nextInt(6) == 0 ? time() : answer(toAnswer.removeFirst());
                default -> time();
            };
        }

        private Event time() {
            now = renewal.deadline().filter(deadline -> random.nextInt(3) > 0 && deadline.isAfter(now))
                    .orElse(now.plusSeconds(random.nextInt(100_000)));
            return new Event.TimePassed(now);
        }

        private Event answer(Effect effect) {
            int number = switch (effect) {
                case Effect.Consult(int one) -> one;
                case Effect.Order(int one) -> one;
                case Effect.Activate(int one, _) -> one;
                default -> throw new AssertionError(effect);
            };
            Optional<Duration> retry = random.nextInt(4) == 0
                    ? Optional.of(Duration.ofSeconds(random.nextInt(900_000)))
                    : Optional.empty();
            if (effect instanceof Effect.Consult) {
                Instant start = now.plusSeconds(random.nextInt(10_000_000) - 5_000_000);
                return new Event.Consulted(now, number, random.nextBoolean()
                        ? Optional.of(new Window(start, start.plusSeconds(1 + random.nextInt(200_000))))
                        : Optional.empty(), retry);
            }
            if (effect instanceof Effect.Activate) {
                return random.nextInt(3) == 0
                        ? new Event.ActivationFailed(now, number, "no")
                        : new Event.Activated(now, number);
            }
            return switch (random.nextInt(4)) {
                case 0 -> new Event.AttemptFailed(now, number, Reason.NETWORK_FAILURE, "no", retry.map(now::plus));
                case 1 -> random.nextInt(10) == 0
                        ? new Event.Cancelled(now, number)
                        : new Event.AttemptFailed(now, number, Reason.CA_REJECTED, "no", Optional.empty());
                default -> new Event.Obtained(now, number, certificate());
            };
        }

        private void take(Event event) {
            Renewal before = renewal;
            Step step = renewal.step(event);
            assertThat(renewal.step(event)).as("the same step again").isEqualTo(step);
            renewal = step.next();
            // What goes on after an interruption is one attempt with one order.
            follow(step, event instanceof Event.RenewRequested || before.stage() instanceof Stage.Interrupted);
            boolean activated = event instanceof Event.Activated answer
                    && before.stage() instanceof Stage.Activating stage
                    && stage.number() == answer.number();
            if (!activated) {
                assertThat(renewal.held()).as("what is held, after " + event).isEqualTo(before.held());
            }
            renewal.deadline().ifPresentOrElse(deadline -> assertThat(deadline).as("a deadline after " + event)
                    .isAfter(now), () -> assertThat(renewal.isOver()).isTrue());
        }

        private void follow(Step step, boolean asked) {
            for (Effect effect : step.effects()) {
                switch (effect) {
                    case Effect.Order(int number) -> {
                        assertThat(open).as("an attempt beside another").isEmpty();
                        assertThat(step.next().history().blocked(now)).as("an attempt that is blocked").isFalse();
                        open = Optional.of(number);
                        if (!asked) {
                            ordered.add(now);
                        }
                        toAnswer.add(effect);
                    }
                    case Effect.Consult _,Effect.Activate _ -> toAnswer.add(effect);
                    case Effect.Reply(int request, Verdict _) -> assertThat(this.asked.remove(request)).as(
                            "an answer to request " + request).isTrue();
                    case Effect.Promote _ -> assertThat(step.next().isServable(now) || step.next().held().orElseThrow()
                            .until().isBefore(now.plus(Duration.ofMinutes(3)))).isTrue();
                    case Effect.Cancel _,Effect.Discard _,Effect.Remember _,Effect.Note _ -> {
                    }
                }
            }
            if (!(step.next().stage() instanceof Stage.Ordering)) {
                open = Optional.empty();
            }
        }

        /// Those that nobody asked for: back-off lets five through, and a success in between another five.
        private void atMostTenAttemptsInAnyHour() {
            for (int i = 0; i + 10 < ordered.size(); i++) {
                assertThat(Duration.between(ordered.get(i), ordered.get(i + 10))).as("eleven attempts").isGreaterThan(
                        Duration.ofHours(1));
            }
        }

        private Lifetime certificate() {
            Instant from = now.minusSeconds(random.nextInt(20_000)).plusSeconds(random.nextInt(8) == 0 ? 30_000 : 0);
            return new Lifetime("s" + random.nextInt(), from, from.plusSeconds(20_000 + random.nextInt(8_000_000)));
        }
    }
}

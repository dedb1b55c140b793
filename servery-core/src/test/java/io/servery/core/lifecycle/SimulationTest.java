package io.servery.core.lifecycle;

import static io.servery.core.lifecycle.Reload.Kind.RECOVERY;
import static io.servery.core.lifecycle.Reload.Kind.RELOAD;
import static io.servery.core.lifecycle.Reload.Kind.ROLLBACK;
import static io.servery.core.lifecycle.Reload.Kind.START;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Thousands of lives of a service, each from a seed: see [Simulation]. `-Dservery.simulation.seed=…` repeats one,
/// `-Dservery.simulation.runs=…` is the long form.
class SimulationTest {
    private static final int RUNS_SHORT = 2_000;
    private static final int RUNS = Integer.getInteger("servery.simulation.runs", RUNS_SHORT);

    /// Facts that are told apart by nothing.
    private static final List<String> FACTS = List.of("WorkerStarted", "WorkerReady", "WorkerSilent", "WorkerHeard",
            "WorkerSurvived", "SlotGivenUp", "CrashLooped", "GenerationServed", "GenerationDraining", "GenerationGone");
    private static final List<String> EXITS = words("WorkerExited ", "CLEAN_EXIT", "UNEXPECTED_EXIT", "STARTUP_FAILURE",
            "APPLICATION_STARTUP_FAILURE", "READINESS_TIMEOUT", "HEALTH_FAILURE", "FORCED_TERMINATION", "DRAINING",
            "RECYCLE_AGE", "RECYCLE_REQUESTS");
    private static final List<String> RESTARTS = words("WorkerRestarted ", "UNEXPECTED_EXIT", "STARTUP_FAILURE",
            "HEALTH_FAILURE", "RECYCLE_AGE", "RECYCLE_REQUESTS");
    private static final List<String> STARTED = words("ReloadStarted ", "RELOAD", "ROLLBACK", "RECOVERY");
    private static final List<String> ENDS = words("Finish ", "OK", "FAILED");
    private static final List<String> START_VERDICTS = words(START + " ", "Serving", "Kept STARTUP_FAILURE",
            "Kept APPLICATION_STARTUP_FAILURE", "Kept READINESS_TIMEOUT", "Kept DRAINING");
    private static final List<String> RELOAD_VERDICTS = words(RELOAD + " ", "Serving", "Pushed", "Kept INVALID_CONFIG",
            "Kept STARTUP_FAILURE", "Kept APPLICATION_STARTUP_FAILURE", "Kept READINESS_TIMEOUT", "Kept DRAINING");
    private static final List<String> ROLLBACK_VERDICTS = words(ROLLBACK + " ", "RolledBack", "Kept INVALID_CONFIG",
            "Kept DRAINING");
    private static final List<String> RECOVERY_VERDICTS = words(RECOVERY + " ", "RolledBack");

    private static List<String> words(String first, String... second) {
        return Arrays.stream(second).map(one -> first + one).toList();
    }

    @Test
    void everyLifeKeepsThePromisesAndAllThatCanHappenDoes() {
        Long given = Long.getLong("servery.simulation.seed");
        Random seeds = new Random();
        Outcomes outcomes = new Outcomes();
        for (int i = 0; i < (given == null ? RUNS : 1); i++) {
            long seed = given == null ? seeds.nextLong() : given;
            try {
                new Simulation(seed, outcomes).run();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        if (given == null && RUNS >= RUNS_SHORT) {
            assertThat(outcomes.all()).as("of %s", outcomes.counts()).containsAll(common());
        }
    }

    /// What comes some dozens of times at least in the short form: that none of them comes is no chance. What is rarer is for
    /// [FleetWalkTest].
    private static List<String> common() {
        Stream<String> conditions = Arrays.stream(Condition.values()).filter(one -> one != Condition.STARTING)
                .map(Condition::name);
        return Stream.concat(conditions, Stream.of(FACTS, EXITS, RESTARTS, STARTED, ENDS, START_VERDICTS,
                RELOAD_VERDICTS, ROLLBACK_VERDICTS, RECOVERY_VERDICTS).flatMap(List::stream)).toList();
    }

    @Test
    void lifeIsTheSameEachTime() {
        assertThat(new Simulation(42, new Outcomes()).run()).isEqualTo(new Simulation(42, new Outcomes()).run());
    }
}

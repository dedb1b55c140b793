package io.servery.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/// Thousands of lives of a service, each from a seed: see [Simulation]. `-Dservery.simulation.seed=…` repeats one,
/// `-Dservery.simulation.runs=…` is the long form.
class SimulationTest {
    private static final int RUNS = Integer.getInteger("servery.simulation.runs", 2_000);

    @Test
    void everyLifeKeepsThePromises() {
        Long given = Long.getLong("servery.simulation.seed");
        Random seeds = new Random();
        int steps = 0;
        for (int i = 0; i < (given == null ? RUNS : 1); i++) {
            long seed = given == null ? seeds.nextLong() : given;
            try {
                steps += new Simulation(seed).run();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(steps).isGreaterThan(50);
    }

    @Test
    void lifeIsTheSameEachTime() {
        assertThat(new Simulation(42).run()).isEqualTo(new Simulation(42).run());
    }
}

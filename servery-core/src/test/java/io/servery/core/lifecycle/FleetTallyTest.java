package io.servery.core.lifecycle;

import static io.servery.core.lifecycle.Host.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.metric.FleetSample;
import io.servery.core.metric.ReloadResult;
import io.servery.core.metric.WorkerState;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FleetTallyTest {
    private static final Plan TWO = Plans.of(2);

    @Test
    void startIsNoReloadButAppliesAConfiguration() {
        assertThat(Host.starting(TWO).sample().lastReloadSuccessful()).isFalse();
        FleetSample sample = Host.serving(TWO).sample();

        assertThat(sample.reloads()).isEmpty();
        assertThat(sample.lastReloadSuccessful()).isTrue();
        assertThat(sample.lastSuccessSeconds()).isEqualTo(OptionalDouble.of(0));
        assertThat(sample.generation()).isEqualTo(1);
        assertThat(sample.workers()).isEqualTo(Map.of(WorkerState.READY, 2L, WorkerState.FAILED, 0L));
    }

    @Test
    void reloadsAreCountedByTheirResult() {
        Host host = Host.serving(TWO).pass(Duration.ofSeconds(5)).reloaded(1, Plans.revision(TWO, 2), 2);
        assertThat(host.sample().lastSuccessSeconds()).isEqualTo(OptionalDouble.of(5));
        host.reload().accept(2, TWO).exit(worker(3, 0, 1), 1);
        assertThat(host.sample().lastReloadSuccessful()).isFalse();
        host.act(new Event.RollbackRequested(host.now())).accept(3, TWO).exit(worker(3, 1, 1), 143).bring(4);

        assertThat(host.sample().reloads()).isEqualTo(
                Map.of(ReloadResult.SUCCESS, 1L, ReloadResult.FAILURE, 1L, ReloadResult.ROLLED_BACK, 1L));
        assertThat(host.sample().lastReloadSuccessful()).isTrue();
    }

    @Test
    void restartsAreCountedByTheirReasonAndSlotsThatAreGivenUpAreFailed() {
        Host host = Host.serving(TWO);
        for (int i = 1; i <= 6; i++) {
            host.exit(worker(1, 0, i), 1).pass(Duration.ofSeconds(5));
        }

        assertThat(host.sample().restarts()).isEqualTo(
                Map.of(Reason.UNEXPECTED_EXIT, 1L, Reason.STARTUP_FAILURE, 4L));
        assertThat(host.sample().workers()).isEqualTo(Map.of(WorkerState.READY, 1L, WorkerState.FAILED, 1L));
    }
}

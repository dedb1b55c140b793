package io.servery.netty.run;

import io.servery.admin.MetricsGathering;
import io.servery.admin.MetricsGathering.Late;
import io.servery.admin.MetricsReport;
import io.servery.supervisor.loop.FleetReport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// What a parent's loop answers whoever scrapes it. The loop waits for workers itself, and not for long: one that is late stands still.
final class Scrape {
    /// No loop is there to be asked.
    static final Late NO_LOOP = new Late(
            "parent: its control loop has ended or not begun; the service starts or stops");

    private Scrape() {
    }

    /// Waits for it.
    ///
    /// @param report of what it has answered
    static MetricsGathering await(CompletableFuture<FleetReport> asked, Duration max,
            Function<FleetReport, MetricsReport> report) {
        try {
            return report.apply(asked.get(max.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException _) {
            return new Late("parent: found no answer of its control loop within " + max.toMillis()
                    + " ms; expected one (scrape again; where this lasts, ask for liveness and see whether the host is overloaded)");
        } catch (ExecutionException _) {
            return NO_LOOP;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Late("parent: the admin listener is being closed");
        }
    }
}

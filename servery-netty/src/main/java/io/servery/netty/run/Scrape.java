package io.servery.netty.run;

import io.servery.admin.MetricsGathering;
import io.servery.admin.MetricsGathering.Late;
import io.servery.admin.MetricsReport;
import io.servery.core.metric.AcmeSample;
import io.servery.core.metric.BuildInfo;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.ProcessSample;
import io.servery.supervisor.loop.FleetReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// What a parent's loop answers whoever scrapes it. The loop waits for workers itself, and not for long: one that is late stands still.
final class Scrape {
    /// No loop is there to be asked any more.
    static final Late ENDED = new Late("parent: its control loop has ended; the service stops");

    private Scrape() {
    }

    /// What there is while a service starts and has no loop yet: no worker has counted anything, and the parent knows itself.
    static MetricsReport beforeLoop(BuildInfo build, ProcessSample parent, OptionalLong certificateExpiry,
            AcmeSample acme) {
        return new MetricsReport(MetricSnapshot.empty(MetricScope.http1FilesTls()), build, List.of(parent),
                Optional.empty(), certificateExpiry, Optional.of(acme));
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
            return ENDED;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Late("parent: the admin listener is being closed");
        }
    }
}

package io.servery.netty.worker.link;

import io.netty.util.internal.PlatformDependent;
import io.servery.core.control.Report;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.ProcessRole;
import io.servery.netty.observe.ProcessSampler;
import io.servery.netty.worker.Worker;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reports what the worker has counted: when asked, and by itself at most once a second when something has changed, so that
/// a worker that is killed takes no more than a second of counts with it.
///
/// *Owner*: the control thread.
final class Snapshots {
    private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    private final Worker worker;
    private final ControlLoop loop;
    private final ProcessSampler sampler;
    private @Nullable MetricSnapshot last;
    private long nextNanos = System.nanoTime();

    /// @param slot of the worker
    Snapshots(Worker worker, int slot, ControlLoop loop) {
        this.worker = worker;
        this.loop = loop;
        this.sampler = new ProcessSampler(ProcessRole.WORKER, slot, PlatformDependent::usedDirectMemory);
    }

    /// How long none is due.
    long nanosUntilDue() {
        return Math.max(0, nextNanos - System.nanoTime());
    }

    /// Reports what has changed, if it is time and the parent reads.
    void timePassed() {
        if (nanosUntilDue() > 0) {
            return;
        }
        nextNanos = System.nanoTime() + INTERVAL_NANOS;
        MetricSnapshot now = worker.snapshot();
        if (loop.parentReads() && !Objects.equals(now, last)) {
            last = now;
            loop.report(Report.MetricsSnapshot.of(now));
        }
    }

    /// With what the host and the JVM say of this process, which costs more than the counts.
    void now() {
        last = worker.snapshot();
        loop.report(Report.MetricsSnapshot.of(last, sampler.sample()));
    }
}

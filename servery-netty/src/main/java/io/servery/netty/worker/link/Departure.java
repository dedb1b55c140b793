package io.servery.netty.worker.link;

import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.netty.drain.DrainEvents;
import io.servery.netty.drain.DrainReport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The end of a worker that has served: its drain, and the moment at which it is over whatever still hangs.
///
/// *Owner*: the control thread; the drain itself has another.
final class Departure {
    private final Preparation.Made served;
    private final ControlLoop loop;
    private final Snapshots snapshots;
    private final Duration force;
    private final DrainEvents events;
    private long endNanos;
    private @Nullable DrainReport report;
    private @Nullable ExitCode exitCode;

    /// Nothing is begun yet.
    Departure(Preparation.Made served, ControlLoop loop, Snapshots snapshots) {
        this.served = served;
        this.loop = loop;
        this.snapshots = snapshots;
        // The parent waits for so long after its TERM, until KILL: be gone a little earlier.
        this.force = Duration.ofMillis(served.configuration().config().runtime().forceTimeout().toMillis() * 4 / 5);
        this.events = new DrainEvents(served.events());
    }

    /// Begins.
    ///
    /// @param parting over so long connections are told to end
    /// @param thread what may wait
    /// @param broken told of what should never be thrown
    void begin(Duration timeout, Duration parting, Executor thread, Consumer<Throwable> broken) {
        endNanos = System.nanoTime() + timeout.plus(force).toNanos();
        events.started(timeout);
        thread.execute(() -> {
            try {
                DrainReport done = served.worker().drain(timeout, parting, this::released);
                loop.execute(() -> workEnded(done));
                served.worker().end();
                loop.execute(this::end);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error bug) {
                broken.accept(bug);
            }
        });
    }

    private void released(List<Shard> shards) {
        loop.execute(() -> loop.report(new Report.Released(0, shards)));
    }

    /// Cuts short what still runs.
    void hurry() {
        served.worker().hurry();
        long soon = System.nanoTime() + force.toNanos();
        if (soon - endNanos < 0) {
            endNanos = soon;
        }
    }

    private void workEnded(DrainReport done) {
        report = done;
        events.ended(done);
    }

    long nanosUntilEnd() {
        return Math.max(0, endNanos - System.nanoTime());
    }

    void timePassed() {
        if (nanosUntilEnd() == 0) {
            end();
        }
    }

    /// Says how it ended. What hangs without work in it, a lane or the writer of a log, is left to the end of the process.
    private void end() {
        if (exitCode != null) {
            return;
        }
        snapshots.now();
        DrainReport done = report;
        if (done == null) {
            exitCode = ExitCode.FAILED;
        } else {
            loop.report(new Report.Drained(done.cut()));
            exitCode = ExitCode.OK;
        }
    }

    /// How the process ends; null while it goes on.
    @Nullable
    ExitCode exitCode() {
        return exitCode;
    }
}

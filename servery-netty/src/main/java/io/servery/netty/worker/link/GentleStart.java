package io.servery.netty.worker.link;

import io.servery.netty.thread.Processors;
import io.servery.netty.thread.Scheduling;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a worker starts beside others that serve: on half of the processors, and with compilers that give way. It takes the
/// rest when it serves, for its compilers some seconds later.
///
/// *Owner*: the control thread, which is the one that begins it.
final class GentleStart {
    /// A tenth of the weight of others: next to nothing beside who serves, enough to come to an end on a busy host.
    private static final int COMPILER_NICENESS = 10;
    /// By then what serves is compiled, most of it.
    private static final Duration COMPILING = Duration.ofSeconds(5);

    private @Nullable Processors processors;
    private long dueNanos = Long.MAX_VALUE;

    private GentleStart(@Nullable Processors processors) {
        this.processors = processors;
    }

    /// @param besideOthers whether anybody serves meanwhile; else this does nothing, now or later
    static GentleStart begin(boolean besideOthers) {
        if (!besideOthers) {
            return new GentleStart(null);
        }
        Scheduling.compilersGiveWay(COMPILER_NICENESS);
        return new GentleStart(Processors.half());
    }

    /// The worker serves from now on.
    void served() {
        if (processors != null) {
            processors.releaseServing();
            dueNanos = System.nanoTime() + COMPILING.toNanos();
        }
    }

    long nanosUntilDue() {
        return dueNanos == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, dueNanos - System.nanoTime());
    }

    void timePassed() {
        if (nanosUntilDue() == 0) {
            end();
        }
    }

    /// All of it is over: the worker leaves, if not before.
    void end() {
        if (processors != null) {
            processors.releaseAll();
            processors = null;
            dueNanos = Long.MAX_VALUE;
        }
    }
}

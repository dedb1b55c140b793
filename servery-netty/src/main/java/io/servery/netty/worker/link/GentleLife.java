package io.servery.netty.worker.link;

import io.servery.netty.thread.Processors;
import io.servery.netty.thread.Scheduling;
import io.servery.supervisor.process.Affinity;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// What gives way to event loops, its own and those of others, in the life of a worker.
///
/// Beside others that serve it starts on half of the processors, with compilers that give way; it takes the rest when it serves,
/// for its compilers some seconds later. From then on what is not an event loop or a lane gives way as well: where a thread is
/// ready beside an event loop, the kernel shares the processor between them, and a request waits for a tick of its clock. When it
/// leaves its compilers are on half of the processors again.
///
/// *Owner*: the control thread, which is the one that begins it.
final class GentleLife {
    /// A tenth of the weight of others: next to nothing beside who serves, enough to come to an end on a busy host.
    private static final int NICENESS = 10;
    /// By then what serves is compiled, most of it.
    private static final Duration COMPILING = Duration.ofSeconds(5);

    private @Nullable Processors processors;
    private long dueNanos = Long.MAX_VALUE;

    private GentleLife(@Nullable Processors processors) {
        this.processors = processors;
    }

    /// @param later where it may run when it serves; null where it starts beside nobody
    static GentleLife begin(@Nullable Affinity later) {
        if (later == null) {
            Scheduling.secondCompilerGivesWay();
            return new GentleLife(null);
        }
        Scheduling.compilersGiveWay(NICENESS);
        return new GentleLife(new Processors(Affinity.ofThisThread(), later));
    }

    /// The worker serves from now on.
    ///
    /// @param thread the other one that keeps house
    void served(Executor thread) {
        Scheduling.giveWay(NICENESS);
        thread.execute(() -> Scheduling.giveWay(NICENESS));
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

    /// The worker leaves.
    void left() {
        end();
        Scheduling.compilersGiveWay(NICENESS);
        Processors.compilersOnHalf();
    }

    private void end() {
        if (processors != null) {
            processors.releaseAll();
            processors = null;
            dueNanos = Long.MAX_VALUE;
        }
    }
}

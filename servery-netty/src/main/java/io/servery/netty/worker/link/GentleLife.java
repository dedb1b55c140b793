package io.servery.netty.worker.link;

import io.servery.netty.thread.Processors;
import io.servery.netty.thread.Scheduling;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// What gives way to event loops, its own and those of others, in the life of a worker.
///
/// Its second compiler does so always. Beside others that serve it starts on half of the processors, with compilers that both give way
/// like what keeps house; it takes the rest of the processors when it serves, for its compilers some seconds later. From then on what is not an event loop or a lane gives way as well: where a thread is
/// ready beside an event loop, the kernel shares the processor between them, and a request waits for a tick of its clock. When it
/// leaves its compilers are on half of the processors again.
///
/// *Owner*: the control thread, which is the one that begins it.
final class GentleLife {
    /// By then what serves is compiled, most of it.
    private static final Duration COMPILING = Duration.ofSeconds(5);

    private @Nullable Processors processors;
    private long dueNanos = Long.MAX_VALUE;

    private GentleLife(@Nullable Processors processors) {
        this.processors = processors;
    }

    /// @param besideOthers whether anybody serves meanwhile
    static GentleLife begin(boolean besideOthers) {
        if (besideOthers) {
            Scheduling.compilersGiveWay(Scheduling.HOUSEKEEPING);
            return new GentleLife(Processors.half());
        }
        Scheduling.secondCompilerGivesWay();
        return new GentleLife(null);
    }

    /// The worker serves from now on.
    ///
    /// @param thread the other one that keeps house
    void served(Executor thread) {
        Scheduling.giveWay(Scheduling.HOUSEKEEPING);
        thread.execute(() -> Scheduling.giveWay(Scheduling.HOUSEKEEPING));
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
        Scheduling.compilersGiveWay(Scheduling.HOUSEKEEPING);
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

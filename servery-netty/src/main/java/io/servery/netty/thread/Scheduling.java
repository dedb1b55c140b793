package io.servery.netty.thread;

import io.servery.supervisor.posix.Posix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// What threads ask of the kernel's scheduler, sched(7): on Linux a matter of one thread. They stay as they are where the
/// kernel refuses.
public final class Scheduling {
    /// By how much whatever is not waited for gives way: a tenth of the weight of others, next to nothing beside who serves, enough to
    /// come to an end on a busy host.
    public static final int HOUSEKEEPING = 10;

    private static final Posix SETPRIORITY = Posix.systemCall("setpriority", 141, 140);
    private static final Posix GETPRIORITY = Posix.systemCall("getpriority", 140, 141);
    private static final Posix SCHED_SETATTR = Posix.systemCall("sched_setattr", 314, 274);
    private static final Posix SCHED_GETATTR = Posix.systemCall("sched_getattr", 315, 275);
    private static final long PRIO_PROCESS = 0;
    private static final int SCHED_OTHER = 0;
    private static final int NICENESS_MAX = 19;
    private static final int NICENESS_TOLD_MAX = 20;
    private static final int SECOND_COMPILER = 7;
    // struct sched_attr of sched_setattr(2), in its first version.
    private static final int ATTRIBUTES_BYTES = 48;
    private static final int POLICY_AT = 4;
    private static final int RUNTIME_AT = 24;
    /// The least that the kernel knows.
    private static final long SHORT_TURN_NANOS = 100_000;

    /// Of whoever asks first, before it gives way itself.
    private static final int AT_START = niceness(Threads.CALLING);

    private Scheduling() {
    }

    /// The calling thread gives way to others when processors are short.
    ///
    /// @param by how much more than this process did at its start: nice(1), from 0 to 19, which is only what nobody else wants
    public static void giveWay(int by) {
        giveWay(Threads.CALLING, by);
    }

    /// The threads on which this JVM compiles give way, and those that they start: they have work for seconds after a start.
    ///
    /// @param by as of [#giveWay]
    public static void compilersGiveWay(int by) {
        Threads.each(Threads::isCompiler, thread -> giveWay(thread, by));
    }

    /// The second compiler gives way, whose code is faster by a half than that of the first: while it makes that, requests are served by
    /// what there is. By a fifth of the weight of others, so that it comes to an end in ten seconds of a processor that is never idle.
    public static void secondCompilerGivesWay() {
        Threads.each(Threads::isSecondCompiler, thread -> giveWay(thread, SECOND_COMPILER));
    }

    /// Never less than before, which needs a privilege that some have.
    private static void giveWay(long thread, int by) {
        int niceness = Math.min(NICENESS_MAX, AT_START + by);
        if (niceness(thread) < niceness) {
            SETPRIORITY.tryCall(PRIO_PROCESS, thread, niceness);
        }
    }

    /// The kernel tells it from 40 to 1, so that it is no error: getpriority(2).
    private static int niceness(long thread) {
        int told = GETPRIORITY.tryCall(PRIO_PROCESS, thread);
        return told > 0 ? NICENESS_TOLD_MAX - told : NICENESS_MAX;
    }

    /// The calling thread asks for short turns that come soon, in place of long ones that come late: the same share of a processor, for a
    /// thread that does a little at a time and is waited for. Linux knows that from 6.12 on, and needs no privilege for it.
    public static void takeShortTurns() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(ATTRIBUTES_BYTES, Long.BYTES);
            ByteBuffer attributes = memory.asByteBuffer().order(ByteOrder.nativeOrder());
            if (SCHED_GETATTR.tryCall(Threads.CALLING, memory.address(), ATTRIBUTES_BYTES, 0) == 0
                    && attributes.getInt(POLICY_AT) == SCHED_OTHER) {
                attributes.putLong(RUNTIME_AT, SHORT_TURN_NANOS);
                SCHED_SETATTR.tryCall(Threads.CALLING, memory.address(), 0);
            }
        }
    }
}

package io.servery.netty.lane;

import io.servery.netty.natives.SystemCall;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// How much a thread gives way to others when processors are short: `setpriority(2)`, which on Linux is a matter of one
/// thread.
public final class ThreadNiceness {
    /// Of x86_64.
    private static final long SYS_SETPRIORITY = 141;
    private static final int PRIO_PROCESS = 0;
    private static final int THIS_THREAD = 0;

    private ThreadNiceness() {
    }

    /// Makes the calling thread give way; it stays as it is where the system has no such call.
    ///
    /// @param niceness from 0, as any thread, to 19, only what nobody else wants
    public static void giveWay(int niceness) {
        if (SystemCall.isAvailable()) {
            SystemCall.of(SYS_SETPRIORITY, PRIO_PROCESS, THIS_THREAD, niceness, 0, 0);
            return;
        }
        Linker linker = Linker.nativeLinker();
        linker.defaultLookup().find("setpriority").ifPresent(address -> {
            MethodHandle call = linker.downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            try {
                var _ = (int) call.invokeExact(PRIO_PROCESS, THIS_THREAD, niceness);
            } catch (Throwable bug) {
                throw new IllegalStateException("setpriority", bug);
            }
        });
    }
}

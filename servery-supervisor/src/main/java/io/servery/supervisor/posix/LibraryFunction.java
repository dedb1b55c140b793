package io.servery.supervisor.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A function of the C library. All are called through one shape, six whole numbers to one, since the linker spends
/// milliseconds of every start on each shape: on Linux, on both processors, whole numbers and addresses travel alike, and
/// what follows a function's own arguments is not looked at, variable ones included.
final class LibraryFunction extends Posix {
    private static final int ARGUMENTS_MAX = 6;

    private final String symbol;
    /// Given before the arguments of a call.
    private final long[] first;
    private volatile @Nullable MemorySegment address;

    LibraryFunction(String name) {
        this(name, name);
    }

    private LibraryFunction(String name, String symbol, long... first) {
        super(name);
        this.symbol = symbol;
        this.first = first;
    }

    static LibraryFunction systemCall(String name, int number) {
        return new LibraryFunction(name, "syscall", number);
    }

    static boolean hasSymbol(String name) {
        return Link.LINKER.defaultLookup().find(name).isPresent();
    }

    @Override
    public int tryCall(long... arguments) {
        MemorySegment state = Link.STATE_OF_THREAD.get();
        int result = (int) invoke(state, arguments);
        return result == -1 ? -state.get(JAVA_INT, Link.ERRNO_OFFSET) : result;
    }

    @Override
    public long callUnchecked(long... arguments) {
        return invoke(Link.STATE_OF_THREAD.get(), arguments);
    }

    private long invoke(MemorySegment state, long... given) {
        long[] all = first.length == 0
                ? given.length == ARGUMENTS_MAX ? given : Arrays.copyOf(given, ARGUMENTS_MAX)
                : after(given);
        try {
            return (long) Link.CALL.invokeExact(address(), state, all[0], all[1], all[2], all[3], all[4], all[5]);
        } catch (Throwable bug) {
            throw new IllegalStateException(symbol, bug);
        }
    }

    private long[] after(long... given) {
        long[] all = Arrays.copyOf(first, ARGUMENTS_MAX);
        System.arraycopy(given, 0, all, first.length, given.length);
        return all;
    }

    private MemorySegment address() {
        MemorySegment known = address;
        if (known == null) {
            known = Link.LINKER.defaultLookup().find(symbol)
                    .orElseThrow(() -> new IllegalStateException("C library: found no " + symbol));
            address = known;
        }
        return known;
    }

    /// What is made at the first call of any.
    private static final class Link {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final StructLayout STATE = Linker.Option.captureStateLayout();
        private static final long ERRNO_OFFSET = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
        private static final MethodHandle CALL = LINKER
                .downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG,
                        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), Linker.Option.captureCallState("errno"));
        /// Where a call leaves its errno: one place a thread, because an allocation a call would cost more than most calls.
        private static final ThreadLocal<MemorySegment> STATE_OF_THREAD = ThreadLocal
                .withInitial(() -> Arena.ofAuto().allocate(STATE));
    }
}

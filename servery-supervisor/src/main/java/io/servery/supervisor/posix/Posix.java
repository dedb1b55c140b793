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
import java.nio.charset.StandardCharsets;

/// One function of the C library. All are called through one shape, six whole numbers to one, since the linker spends
/// milliseconds of every start on each shape: on Linux, on both processors, whole numbers and addresses travel alike, and
/// what follows a function's own arguments is not looked at, variable ones included.
///
/// *Owner*: any thread. A call may block; what blocks for long is never called by an event loop.
public final class Posix {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle CALL = LINKER
            .downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), Linker.Option.captureCallState("errno"));
    private static final int ARGUMENTS_MAX = 6;
    /// Where a call leaves its errno: one place a thread, because an allocation a call would cost more than most calls.
    private static final ThreadLocal<MemorySegment> STATE_OF_THREAD = ThreadLocal
            .withInitial(() -> Arena.ofAuto().allocate(STATE));

    static final Posix STRERROR = function("strerror");

    private final String name;
    private final MemorySegment address;

    private Posix(String name, MemorySegment address) {
        this.name = name;
        this.address = address;
    }

    /// The function of this name.
    ///
    /// @throws IllegalStateException if the C library has none
    public static Posix function(String name) {
        return new Posix(name, LINKER.defaultLookup().find(name)
                .orElseThrow(() -> new IllegalStateException("C library: found no " + name)));
    }

    /// Whether the C library has it.
    public static boolean exists(String name) {
        return LINKER.defaultLookup().find(name).isPresent();
    }

    /// Calls a function that returns an int, −1 with errno where it failed. Interrupted by a signal, it is called again.
    ///
    /// @throws PosixException where it failed
    public int call(long... arguments) throws PosixException {
        int result = raw(arguments);
        while (result == -Errno.EINTR) {
            result = raw(arguments);
        }
        if (result < 0) {
            throw failure(result);
        }
        return result;
    }

    /// As [#call], but gives −errno where it failed.
    public int tryCall(long... arguments) {
        return raw(arguments);
    }

    /// As [#call] for a function that gives the number of the error itself, and 0 for success: posix_spawn(3) and its kind.
    public void callForError(long... arguments) throws PosixException {
        int error = (int) callUnchecked(arguments);
        if (error != 0) {
            throw new PosixException(name, error);
        }
    }

    /// The exception for what [#tryCall] gave.
    public PosixException failure(int result) {
        return new PosixException(name, -result);
    }

    /// The whole result, whatever it means.
    public long callUnchecked(long... arguments) {
        return invoke(STATE_OF_THREAD.get(), arguments);
    }

    private int raw(long... arguments) {
        MemorySegment state = STATE_OF_THREAD.get();
        int result = (int) invoke(state, arguments);
        return result == -1 ? -state.get(JAVA_INT, ERRNO_OFFSET) : result;
    }

    private long invoke(MemorySegment state, long... given) {
        long[] all = given.length == ARGUMENTS_MAX ? given : java.util.Arrays.copyOf(given, ARGUMENTS_MAX);
        try {
            return (long) CALL.invokeExact(address, state, all[0], all[1], all[2], all[3], all[4], all[5]);
        } catch (Throwable bug) {
            throw new IllegalStateException(name, bug);
        }
    }

    /// A text with the zero that ends it, in the memory of the arena.
    public static MemorySegment text(Arena arena, String text) {
        return arena.allocateFrom(text, StandardCharsets.UTF_8);
    }
}

package io.servery.netty.start;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The calls of the C library, by the FFM API.
///
/// Both in one shape, since the linker spends a start's time on each: on Linux, on both processors, whole numbers and
/// addresses travel alike.
final class LibraryCalls implements ProcessCalls {
    private static final String ERRNO = "errno";
    private static final Linker LINKER = Linker.nativeLinker();
    private static final FunctionDescriptor THREE_NUMBERS = FunctionDescriptor.of(ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    @Override
    public int fcntl(long descriptor, long command, long argument) {
        return call("fcntl", descriptor, command, argument);
    }

    @Override
    public int execve(long path, long arguments, long environment) {
        return call("execve", path, arguments, environment);
    }

    private static int call(String name, long first, long second, long third) {
        MethodHandle function = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), THREE_NUMBERS,
                Linker.Option.captureCallState(ERRNO));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            int result = (int) function.invokeExact(state, first, second, third);
            return result >= 0
                    ? 0
                    : state.get(ValueLayout.JAVA_INT, Linker.Option.captureStateLayout()
                            .byteOffset(PathElement.groupElement(ERRNO)));
        } catch (Throwable bug) {
            throw new IllegalStateException(name, bug);
        }
    }
}

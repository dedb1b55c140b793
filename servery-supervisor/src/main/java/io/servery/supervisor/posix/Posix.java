package io.servery.supervisor.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// One function of POSIX or Linux: numbers and addresses in, a number out. Where there is a choice it is a system call without
/// the C library, since that needs no linker, which takes a tenth of a second of a start.
///
/// *Owner*: any thread. A call may block; what blocks for long is never called by an event loop.
public abstract sealed class Posix permits KernelFunction, LibraryFunction {
    private final String name;

    Posix(String name) {
        this.name = name;
    }

    /// The function of this name.
    ///
    /// @throws IllegalStateException if the C library has none, at its first call if not now
    public static Posix function(String name) {
        int number = SystemCall.isAvailable() ? KernelFunction.number(name) : KernelFunction.NONE;
        return number == KernelFunction.NONE ? new LibraryFunction(name) : new KernelFunction(name, number);
    }

    /// A system call that not every C library has a function for.
    ///
    /// @param amd64 its number there
    /// @param arm64 its number there
    public static Posix systemCall(String name, int amd64, int arm64) {
        return SystemCall.isAvailable()
                ? new KernelFunction(name, amd64)
                : LibraryFunction.systemCall(name, System.getProperty("os.arch").equals("amd64") ? amd64 : arm64);
    }

    /// Whether the C library has it.
    public static boolean exists(String name) {
        return LibraryFunction.hasSymbol(name);
    }

    /// Calls a function that returns an int, −1 with errno where it failed. Interrupted by a signal, it is called again.
    ///
    /// @throws PosixException where it failed
    public int call(long... arguments) throws PosixException {
        int result = tryCall(arguments);
        while (result == -Errno.EINTR) {
            result = tryCall(arguments);
        }
        if (result < 0) {
            throw failure(result);
        }
        return result;
    }

    /// As [#call], but gives −errno where it failed.
    public abstract int tryCall(long... arguments);

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

    /// The whole result of a function that does not use errno, whatever it means.
    public abstract long callUnchecked(long... arguments);

    /// A text with the zero that ends it, in the memory of the arena.
    public static MemorySegment text(Arena arena, String text) {
        return arena.allocateFrom(text, StandardCharsets.UTF_8);
    }
}

package io.servery.supervisor.posix;

import java.util.Map;

/// A system call, called as such: on x86_64, where [SystemCall] has its library.
final class KernelFunction extends Posix {
    static final int NONE = -1;
    /// Those whose function in the C library does nothing else, by their names there (syscall(2), asm/unistd_64.h): what both
    /// processes call all the time, and all that a worker calls. Not here: those that the C library applies to every thread
    /// (setuid(2) and its kind).
    private static final Map<String, Integer> NUMBERS = Map.ofEntries(
            Map.entry("read", 0), Map.entry("write", 1), Map.entry("close", 3), Map.entry("poll", 7),
            Map.entry("getpid", 39), Map.entry("socket", 41), Map.entry("connect", 42), Map.entry("sendmsg", 46),
            Map.entry("recvmsg", 47), Map.entry("bind", 49), Map.entry("listen", 50), Map.entry("getsockname", 51),
            Map.entry("setsockopt", 54), Map.entry("getsockopt", 55),
            Map.entry("kill", 62), Map.entry("fcntl", 72), Map.entry("chmod", 90), Map.entry("setpriority", 141),
            Map.entry("prctl", 157), Map.entry("waitid", 247), Map.entry("accept4", 288),
            Map.entry("eventfd", 290), // as eventfd2(2), which has the flags
            Map.entry("pipe2", 293));

    private final int number;

    KernelFunction(String name, int number) {
        super(name);
        this.number = number;
    }

    /// Of the function of this name, or [#NONE].
    static int number(String name) {
        return NUMBERS.getOrDefault(name, NONE);
    }

    @Override
    public int tryCall(long... arguments) {
        return (int) callUnchecked(arguments);
    }

    @Override
    public long callUnchecked(long... given) {
        return SystemCall.of(number, at(given, 0), at(given, 1), at(given, 2), at(given, 3), at(given, 4));
    }

    private static long at(long[] given, int index) {
        return index < given.length ? given[index] : 0;
    }
}

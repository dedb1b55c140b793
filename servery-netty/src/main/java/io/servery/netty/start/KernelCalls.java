package io.servery.netty.start;

import io.servery.supervisor.posix.SystemCall;

/// The calls of the kernel itself (x86_64).
final class KernelCalls implements ProcessCalls {
    private static final long SYS_EXECVE = 59;
    private static final long SYS_FCNTL = 72;

    @Override
    public int fcntl(long descriptor, long command, long argument) {
        return (int) -Math.min(0, SystemCall.of(SYS_FCNTL, descriptor, command, argument, 0, 0));
    }

    @Override
    public int execve(long path, long arguments, long environment) {
        return (int) -Math.min(0, SystemCall.of(SYS_EXECVE, path, arguments, environment, 0, 0));
    }
}

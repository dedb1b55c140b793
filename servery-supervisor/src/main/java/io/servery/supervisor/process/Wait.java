package io.servery.supervisor.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.servery.core.lifecycle.ExitStatus;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// waitid(2): first looking, then taking.
final class Wait {
    private static final Posix WAITID = Posix.function("waitid");
    private static final Posix PRCTL = Posix.function("prctl");
    private static final Posix GETPID = Posix.function("getpid");

    private static final long P_ALL = 0;
    private static final long P_PID = 1;
    private static final long WNOHANG = 1;
    private static final long WEXITED = 4;
    private static final long WNOWAIT = 0x1000000;
    private static final long PR_GET_CHILD_SUBREAPER = 37;

    // siginfo_t, the same on both processors.
    private static final long SIGINFO_BYTES = 128;
    private static final long SI_CODE = 8;
    private static final long SI_PID = 16;
    private static final long SI_STATUS = 24;
    private static final int CLD_EXITED = 1;

    /// A child that ended and is still a zombie.
    record Found(int pid, ExitStatus status) {
    }

    private Wait() {
    }

    /// How the child ended, or null while it runs; it stays a zombie.
    static @Nullable Found peek(int pid) throws PosixException {
        return found(P_PID, pid, WNOHANG | WNOWAIT);
    }

    /// Some child that ended, or null where none did; it stays a zombie.
    static @Nullable Found peekAny() throws PosixException {
        return found(P_ALL, 0, WNOHANG | WNOWAIT);
    }

    /// Takes a child that ended.
    static void reap(int pid) throws PosixException {
        found(P_PID, pid, WNOHANG);
    }

    private static @Nullable Found found(long idType, int id, long options) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(SIGINFO_BYTES, Long.BYTES);
            int result = WAITID.tryCall(idType, id, info.address(), WEXITED | options);
            if (result == -Errno.ECHILD && idType == P_ALL) {
                return null;
            }
            if (result < 0) {
                throw WAITID.failure(result);
            }
            int pid = info.get(JAVA_INT, SI_PID);
            return pid == 0 ? null : new Found(pid, status(info));
        }
    }

    private static ExitStatus status(MemorySegment info) {
        int status = info.get(JAVA_INT, SI_STATUS);
        return info.get(JAVA_INT, SI_CODE) == CLD_EXITED ? new ExitStatus.Code(status) : new ExitStatus.Signal(status);
    }

    static boolean takesOrphans() throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment subreaper = arena.allocate(JAVA_INT);
            PRCTL.call(PR_GET_CHILD_SUBREAPER, subreaper.address(), 0, 0, 0);
            return GETPID.call() == 1 || subreaper.get(JAVA_INT, 0) != 0;
        }
    }
}

package io.servery.supervisor.process;

import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Posix;

/// One process that the parent spawned, from its start until it is reaped; leader of a process group. In the session of
/// its parent: each session has its own share of the processors where the kernel groups by them, sched(7), and only within
/// a session does one process give way to another.
///
/// *Owner*: the thread of its [Processes].
public final class ChildProcess {
    private static final Posix KILL = Posix.function("kill");

    private final int pid;
    private final String token;
    private final int lifeline;
    private final int descriptor;
    private boolean reaped;

    /// @param lifeline the end to write of the pipe that is its standard input
    /// @param descriptor a pidfd, or −1
    ChildProcess(int pid, String token, int lifeline, int descriptor) {
        this.pid = pid;
        this.token = token;
        this.lifeline = lifeline;
        this.descriptor = descriptor;
    }

    public int pid() {
        return pid;
    }

    /// What the process read as the first line of its standard input, and nobody else knows.
    public String token() {
        return token;
    }

    /// What poll(2) finds readable when the process ended: pidfd_open(2). −1, which poll(2) passes over, where the kernel
    /// has none or the process is reaped.
    public int descriptor() {
        return reaped ? -1 : descriptor;
    }

    /// Signals the process and all of its group; nothing once it is reaped. A process that exits or cannot be signalled any
    /// more is found out by reaping.
    public void signal(Signal signal) {
        if (!reaped) {
            KILL.tryCall(-pid, signal.number());
        }
    }

    /// Its pid may be another's from now on; the standard input of its orphans, if any, ends.
    void letGo() {
        reaped = true;
        Descriptors.close(lifeline);
        if (descriptor >= 0) {
            Descriptors.close(descriptor);
        }
    }

    @Override
    public String toString() {
        return "ChildProcess[pid=" + pid + ", token=<redacted>]";
    }
}

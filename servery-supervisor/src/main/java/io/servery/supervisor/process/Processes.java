package io.servery.supervisor.process;

import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// The children of the parent.
///
/// *Owner*: one thread, which spawns, signals and reaps. *Invariant*: none but its own children is reaped, so that nobody's
/// exit code is stolen; [#reapStrangers] alone takes others, where this process has to.
public final class Processes {
    private static final Posix WRITE = Posix.function("write");
    /// The C library has no name for it before 2.36.
    private static final Posix PIDFD_OPEN = Posix.systemCall("pidfd_open", 434, 434);
    private static final Posix PRCTL = Posix.function("prctl");
    private static final Posix SIGNAL = Posix.function("signal");
    private static final Posix SETRLIMIT = Posix.function("setrlimit");

    private static final long PR_SET_NO_NEW_PRIVS = 38;
    private static final long PR_CAP_AMBIENT = 47;
    private static final long PR_CAP_AMBIENT_CLEAR_ALL = 4;
    private static final long RLIMIT_CORE = 4;
    private static final long SIGCHLD = 17;
    private static final long SIG_DFL = 0;
    /// As many hexadecimal digits as `Bounds.TOKEN_BYTES_MAX` lets through.
    private static final int TOKEN_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final List<ChildProcess> children = new ArrayList<>();

    /// What children inherit from the thread that spawns and from the process: no new privileges by execve(2) (prctl(2), per
    /// thread, so it is this one that has to spawn), none of its capabilities where a service manager had made them
    /// ambient, and no core dumps, of this process neither: both hold keys. And whoever
    /// started this process may have told it to ignore SIGCHLD: then the kernel would reap, and nobody know how they ended.
    public static void harden() throws PosixException {
        PRCTL.call(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        PRCTL.tryCall(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); // this thread keeps what it may do: capabilities(7)
        SIGNAL.callUnchecked(SIGCHLD, SIG_DFL);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment none = arena.allocate(2L * Long.BYTES, Long.BYTES); // rlim_cur and rlim_max
            SETRLIMIT.call(RLIMIT_CORE, none.address());
        }
    }

    /// Spawns a process in a group of its own, with the default disposition of every signal and none blocked.
    ///
    /// Its standard input is a pipe that holds one line, a token, and ends when this process does; its standard output and
    /// error are this process's. It has no other descriptor where the C library has posix_spawn_file_actions_addclosefrom_np
    /// (glibc 2.34); elsewhere it keeps what was opened without close-on-exec, which the JDK does and nothing in this module.
    ///
    /// @throws PosixException naming the program, where it cannot be executed or this process is out of descriptors
    public ChildProcess spawn(Command command) throws PosixException {
        byte[] secret = new byte[TOKEN_BYTES];
        random.nextBytes(secret);
        String token = HexFormat.of().formatHex(secret);
        int[] pipe;
        try {
            pipe = Descriptors.pipe();
        } catch (PosixException none) {
            throw none.about(command.executable().toString());
        }
        try {
            write(pipe[1], token + "\n");
            int pid = Spawn.spawn(command, pipe[0]);
            int watched = PIDFD_OPEN.tryCall(pid, 0);
            ChildProcess child = new ChildProcess(pid, token, pipe[1], Math.max(watched, -1));
            children.add(child);
            return child;
        } catch (PosixException failed) {
            Descriptors.close(pipe[1]);
            throw failed;
        } finally {
            Descriptors.close(pipe[0]);
        }
    }

    private static void write(int pipe, String line) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, line.getBytes(StandardCharsets.US_ASCII));
            WRITE.call(pipe, bytes.address(), bytes.byteSize());
        }
    }

    /// Those that are not reaped yet, in the order of their spawning.
    public List<ChildProcess> children() {
        return List.copyOf(children);
    }

    /// Reaps those that ended. What is left of the group of one is killed while its pid still is taken by it.
    public List<Ended> reap() throws PosixException {
        List<Ended> ended = new ArrayList<>();
        for (ChildProcess child : children()) {
            Wait.Found found = Wait.peek(child.pid());
            if (found != null) {
                child.signal(Signal.KILL);
                Wait.reap(child.pid());
                child.letGo();
                children.remove(child);
                ended.add(new Ended(child, found.status()));
            }
        }
        return ended;
    }

    /// Whether orphans become children of this process: it is PID 1, of a container say, or a subreaper (prctl(2)).
    public static boolean takesOrphans() throws PosixException {
        return Wait.takesOrphans();
    }

    /// Reaps every child that ended and was not spawned here: the duty of PID 1. Nothing else in this process may wait for
    /// children of its own then.
    ///
    /// @return how many
    public int reapStrangers() throws PosixException {
        int reaped = 0;
        for (Wait.Found found = Wait.peekAny(); found != null; found = Wait.peekAny()) {
            int pid = found.pid();
            if (children.stream().anyMatch(child -> child.pid() == pid)) {
                return reaped; // comes first again until it is reaped
            }
            Wait.reap(pid);
            reaped++;
        }
        return reaped;
    }
}

package io.servery.supervisor.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.servery.supervisor.posix.Posix;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/// Has a process that starts beside others that serve take only the time that these leave: SCHED_IDLE, sched(7). A JVM that
/// starts keeps a processor busy for most of a second, and requests would wait for their turn beside it.
///
/// Only where it can be ended again: a user gets a thread back from SCHED_IDLE where RLIMIT_NICE lets it have the nice value
/// that it has, which root grants before it gives up its power (with CAP_SYS_RESOURCE), and `LimitNICE=+0` of systemd does;
/// or with CAP_SYS_NICE.
///
/// *Owner*: the thread of the parent's loop.
public final class Deference {
    private static final Posix SET_SCHEDULER = Posix.function("sched_setscheduler");
    private static final Posix GETRLIMIT = Posix.function("getrlimit");
    private static final Posix SETRLIMIT = Posix.function("setrlimit");
    private static final long SCHED_OTHER = 0;
    private static final long SCHED_IDLE = 5;
    private static final long RLIMIT_NICE = 13;
    private static final String EFFECTIVE = "CapEff:";
    private static final long CAP_SYS_NICE = 1L << 23;
    /// 20 minus the nice value, getrlimit(2): of 0, which everyone begins with.
    private static final long OF_NICE_ZERO = 20;
    /// Threads that begin meanwhile have what their maker had: a second look finds them, a third is never needed in practice.
    private static final int LOOKS_MAX = 5;

    private Deference() {
    }

    /// Lets children of this process be made to defer, if it may decide that: before it becomes another user.
    public static void allow() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocate(2L * Long.BYTES, Long.BYTES); // rlim_cur and rlim_max
            limit.asByteBuffer().order(ByteOrder.nativeOrder()).putLong(OF_NICE_ZERO).putLong(OF_NICE_ZERO);
            SETRLIMIT.tryCall(RLIMIT_NICE, limit.address());
        }
    }

    /// Whether what [#begin] does can be undone.
    static boolean isAllowed() {
        return isWithinLimit() || hasCapability();
    }

    private static boolean hasCapability() {
        try {
            return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                    .filter(line -> line.startsWith(EFFECTIVE))
                    .anyMatch(line -> (Long.parseUnsignedLong(line.substring(EFFECTIVE.length()).strip(), 16)
                            & CAP_SYS_NICE) != 0);
        } catch (IOException unknown) {
            return false;
        }
    }

    private static boolean isWithinLimit() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocate(2L * Long.BYTES, Long.BYTES);
            return GETRLIMIT.tryCall(RLIMIT_NICE, limit.address()) == 0
                    && Long.compareUnsigned(limit.asByteBuffer().order(ByteOrder.nativeOrder()).getLong(),
                            OF_NICE_ZERO) >= 0;
        }
    }

    /// The process defers from now on, with every thread that it makes, if that may be undone.
    ///
    /// @return whether it has to be undone: also where not every thread could be reached
    public static boolean begin(int pid) {
        if (!isAllowed()) {
            return false;
        }
        set(pid, SCHED_IDLE);
        return true;
    }

    /// The process is one like others again.
    public static void end(int pid) {
        set(pid, SCHED_OTHER);
    }

    /// A thread that ends meanwhile is none that this is for.
    private static void set(int pid, long policy) {
        Path threads = Path.of("/proc", Integer.toString(pid), "task");
        Set<String> done = new HashSet<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment parameter = arena.allocate(JAVA_INT); // sched_priority: 0
            for (int look = 0; look < LOOKS_MAX; look++) {
                boolean found = false;
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(threads)) {
                    for (Path entry : entries) {
                        String thread = entry.getFileName().toString();
                        if (done.add(thread)) {
                            found = true;
                            SET_SCHEDULER.tryCall(Integer.parseInt(thread), policy, parameter.address());
                        }
                    }
                }
                if (!found) {
                    return;
                }
            }
        } catch (IOException | DirectoryIteratorException gone) {
            // So are its threads, or this process is out of descriptors: whoever begins has to end it.
        }
    }
}

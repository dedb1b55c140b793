package io.servery.supervisor.host;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// What a service manager is told: sd_notify(3), without its library. Never waits and never fails: a manager that does not
/// listen is no reason not to serve.
public final class SystemdNotifier {
    static final String SOCKET = "NOTIFY_SOCKET";
    static final String WATCHDOG_USEC = "WATCHDOG_USEC";
    static final String WATCHDOG_PID = "WATCHDOG_PID";
    static final String EXEC_PID = "SYSTEMD_EXEC_PID";

    private static final Posix SOCKET_CALL = Posix.function("socket");
    private static final Posix SENDTO = Posix.function("sendto");
    private static final Posix CLOCK_GETTIME = Posix.function("clock_gettime");
    private static final long AF_UNIX = 1;
    private static final long SOCK_DGRAM_CLOEXEC_NONBLOCK = 0x80802;
    private static final long MSG_NOSIGNAL = 0x4000;
    private static final long CLOCK_MONOTONIC = 1;
    private static final int PATH_BYTES_MAX = 107;

    private final Optional<String> socket;
    private final Optional<Duration> watchdogInterval;
    private final Optional<Long> mainPid;

    private SystemdNotifier(Optional<String> socket, Optional<Duration> watchdogInterval, Optional<Long> mainPid) {
        this.socket = socket;
        this.watchdogInterval = watchdogInterval;
        this.mainPid = mainPid;
    }

    /// For the manager that the environment names, if it names one.
    ///
    /// @param pid this process's
    public static SystemdNotifier of(Map<String, String> environment, long pid) {
        Optional<String> socket = Optional.ofNullable(environment.get(SOCKET)).filter(SystemdNotifier::isAddress);
        String own = Long.toString(pid);
        Optional<Duration> watchdog = socket.isPresent() && environment.getOrDefault(WATCHDOG_PID, own).equals(own)
                ? half(environment.getOrDefault(WATCHDOG_USEC, ""))
                : Optional.empty();
        // Set to what the manager executed: a wrapper, where it is not this process.
        boolean wrapped = !environment.getOrDefault(EXEC_PID, own).equals(own);
        return new SystemdNotifier(socket, watchdog, wrapped ? Optional.of(pid) : Optional.empty());
    }

    private static boolean isAddress(String text) {
        return text.length() > 1 && (text.startsWith("/") || text.startsWith("@"))
                && text.getBytes(StandardCharsets.UTF_8).length <= PATH_BYTES_MAX;
    }

    private static Optional<Duration> half(String micros) {
        if (!micros.matches("[1-9][0-9]{0,14}")) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofNanos(Long.parseLong(micros) * 500));
    }

    /// How often [#watchdog] is expected at least: half of what the manager waits. Empty when it does not.
    public Optional<Duration> watchdogInterval() {
        return watchdogInterval;
    }

    /// The service serves: after a start, and after a reload whatever came of it.
    public void ready(String status) {
        send("READY=1\nSTATUS=" + line(status) + mainPid.map(pid -> "\nMAINPID=" + pid).orElse(""));
    }

    /// A reload has begun.
    public void reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=" + monotonicMicros());
    }

    /// The service has begun to stop.
    public void stopping() {
        send("STOPPING=1");
    }

    /// What `systemctl status` shows.
    public void status(String status) {
        send("STATUS=" + line(status));
    }

    /// The loop turns.
    public void watchdog() {
        if (watchdogInterval.isPresent()) {
            send("WATCHDOG=1");
        }
    }

    /// A message is one assignment a line.
    private static String line(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ");
    }

    private static long monotonicMicros() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(2L * Long.BYTES, Long.BYTES); // struct timespec
            CLOCK_GETTIME.tryCall(CLOCK_MONOTONIC, time.address());
            return time.get(JAVA_LONG, 0) * 1_000_000 + time.get(JAVA_LONG, Long.BYTES) / 1_000;
        }
    }

    private void send(String message) {
        socket.ifPresent(address -> send(address, message.getBytes(StandardCharsets.UTF_8)));
    }

    private static void send(String name, byte[] message) {
        int descriptor;
        try {
            descriptor = SOCKET_CALL.call(AF_UNIX, SOCK_DGRAM_CLOEXEC_NONBLOCK, 0);
        } catch (PosixException none) {
            return; // out of descriptors: the next message may go
        }
        try (Arena arena = Arena.ofConfined()) {
            byte[] path = name.getBytes(StandardCharsets.UTF_8);
            MemorySegment address = arena.allocate(Short.BYTES + (long) path.length, Short.BYTES);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(path, 0, address, ValueLayout.JAVA_BYTE, Short.BYTES, path.length);
            if (path[0] == '@') {
                address.set(ValueLayout.JAVA_BYTE, Short.BYTES, (byte) 0); // an abstract name: unix(7)
            }
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, message);
            SENDTO.tryCall(descriptor, bytes.address(), bytes.byteSize(), MSG_NOSIGNAL, address.address(),
                    address.byteSize());
        } finally {
            Descriptors.close(descriptor);
        }
    }
}

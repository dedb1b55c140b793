package io.servery.supervisor.host;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.servery.supervisor.Census;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// What a service manager is told: sd_notify(3), sd_watchdog_enabled(3). The manager is a real socket.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
@Timeout(60)
class SystemdNotifierTest {
    private static final long PID = 4711;

    @TempDir
    Path folder;

    /// A datagram socket at a path, or at an abstract name where it begins with `@`.
    private static final class Receiver implements AutoCloseable {
        private final int descriptor;

        Receiver(String name) throws PosixException {
            descriptor = Posix.function("socket").call(1, 0x80802, 0);
            byte[] path = name.getBytes(StandardCharsets.UTF_8);
            if (path[0] == '@') {
                path[0] = 0;
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment address = arena.allocate(2L + path.length, 2);
                address.set(JAVA_SHORT, 0, (short) 1);
                MemorySegment.copy(path, 0, address, JAVA_BYTE, 2, path.length);
                Posix.function("bind").call(descriptor, address.address(), address.byteSize());
            }
        }

        /// The next message: it is there when its sending returned.
        String next() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bytes = arena.allocate(1024);
                int read = Posix.function("recv").tryCall(descriptor, bytes.address(), bytes.byteSize(), 0);
                return read == -Errno.EAGAIN
                        ? "nothing"
                        : new String(bytes.asSlice(0, read).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
            }
        }

        @Override
        public void close() {
            Descriptors.close(descriptor);
        }
    }

    private String path() {
        return folder.resolve("notify").toString();
    }

    private static SystemdNotifier notifier(Map<String, String> environment) {
        return SystemdNotifier.of(environment, PID);
    }

    @Test
    void managerIsToldOfEachState() throws PosixException {
        try (Receiver manager = new Receiver(path())) {
            SystemdNotifier notifier = notifier(Map.of("NOTIFY_SOCKET", path()));
            notifier.ready("2 workers");
            notifier.status("draining\nuntil 12:00");
            notifier.stopping();

            assertThat(manager.next()).isEqualTo("READY=1\nSTATUS=2 workers");
            assertThat(manager.next()).isEqualTo("STATUS=draining until 12:00");
            assertThat(manager.next()).isEqualTo("STOPPING=1");
            assertThat(manager.next()).isEqualTo("nothing");
        }
    }

    /// Without the time, the manager could take the READY of an earlier reload for the end of this one: systemd.service(5),
    /// Type=notify-reload.
    @Test
    void reloadCarriesTheTimeOfTheMonotonicClock() throws PosixException {
        try (Receiver manager = new Receiver(path())) {
            long before = System.nanoTime() / 1000;
            notifier(Map.of("NOTIFY_SOCKET", path())).reloading();
            long after = System.nanoTime() / 1000;

            String message = manager.next();
            assertThat(message).matches("RELOADING=1\nMONOTONIC_USEC=\\d+");
            // HotSpot's nanoTime is this clock on Linux.
            assertThat(Long.parseLong(message.substring(message.lastIndexOf('=') + 1))).isBetween(before, after + 1);
        }
    }

    @Test
    void abstractSocketIsReachedToo() throws PosixException {
        String name = "@servery-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        try (Receiver manager = new Receiver(name)) {
            notifier(Map.of("NOTIFY_SOCKET", name)).stopping();

            assertThat(manager.next()).isEqualTo("STOPPING=1");
        }
    }

    @Test
    void watchdogIsFedAtHalfOfWhatItWaitsWhereItMeansThisProcess() throws PosixException {
        try (Receiver manager = new Receiver(path())) {
            Map<String, String> own = Map.of("NOTIFY_SOCKET", path(), "WATCHDOG_USEC", "30000000", "WATCHDOG_PID",
                    Long.toString(PID));
            assertThat(notifier(own).watchdogInterval()).contains(Duration.ofSeconds(15));
            notifier(own).watchdog();
            assertThat(manager.next()).isEqualTo("WATCHDOG=1");

            SystemdNotifier other = notifier(
                    Map.of("NOTIFY_SOCKET", path(), "WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "1"));
            other.watchdog();
            assertThat(other.watchdogInterval()).isEmpty();
            assertThat(manager.next()).isEqualTo("nothing");
        }
        assertThat(notifier(Map.of("NOTIFY_SOCKET", path(), "WATCHDOG_USEC", "3")).watchdogInterval())
                .contains(Duration.ofNanos(1500));
        for (String wrong : List.of("", "0", "-5", "soon", "9999999999999999")) {
            assertThat(notifier(Map.of("NOTIFY_SOCKET", path(), "WATCHDOG_USEC", wrong)).watchdogInterval()).isEmpty();
        }
    }

    @Test
    void processThatTheManagerDidNotStartItselfNamesItself() throws PosixException {
        try (Receiver manager = new Receiver(path())) {
            notifier(Map.of("NOTIFY_SOCKET", path(), "SYSTEMD_EXEC_PID", "1")).ready("serving");
            notifier(Map.of("NOTIFY_SOCKET", path(), "SYSTEMD_EXEC_PID", Long.toString(PID))).ready("serving");

            assertThat(manager.next()).isEqualTo("READY=1\nSTATUS=serving\nMAINPID=" + PID);
            assertThat(manager.next()).isEqualTo("READY=1\nSTATUS=serving");
        }
    }

    @Test
    void managerThatIsNotThereOrDoesNotReadIsNoFault() throws PosixException {
        List<String> before = Census.descriptors();
        notifier(Map.of()).ready("serving");
        notifier(Map.of("NOTIFY_SOCKET", path())).ready("serving");
        for (String wrong : List.of("", "@", "/", "relative", "vsock:2:1234", "/" + "x".repeat(200))) {
            notifier(Map.of("NOTIFY_SOCKET", wrong)).ready("serving");
        }
        try (Receiver manager = new Receiver(path())) {
            SystemdNotifier notifier = notifier(Map.of("NOTIFY_SOCKET", path()));
            for (int i = 0; i < 10_000; i++) {
                notifier.status("one more than the queue takes, at some time");
            }
            assertThat(manager.next()).startsWith("STATUS=");
        }
        assertThat(Census.descriptors()).isEqualTo(before);
    }

    @Test
    void workersAreNotToldOfTheManager() {
        assertThat(WorkerEnvironment.of(Map.of("PATH", "/bin", "A", "b=c", "NOTIFY_SOCKET", "/s", "WATCHDOG_USEC", "1",
                "WATCHDOG_PID", "2", "SYSTEMD_EXEC_PID", "3", "LISTEN_PID", "4", "LISTEN_FDS", "5", "LISTEN_FDNAMES",
                "six"))).containsExactly("A=b=c", "PATH=/bin");
    }
}

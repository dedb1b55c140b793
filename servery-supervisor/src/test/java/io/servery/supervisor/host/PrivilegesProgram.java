package io.servery.supervisor.host;

import io.servery.core.fault.ExitCode;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import io.servery.supervisor.process.Command;
import io.servery.supervisor.process.Processes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/// A parent that is root and becomes another user: prints what each of its threads and a child may do, and whether a port
/// below 1024 can be bound then.
final class PrivilegesProgram {
    private PrivilegesProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        CountDownLatch become = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            try {
                become.await();
                print("other");
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        Processes.harden();
        switch (Privileges.of(Optional.of(arguments[0]), Optional.empty())) {
            case Outcome.Given<Privileges>(Privileges wanted) -> System.out.println(wanted.assume());
            case Outcome.Refused<Privileges>(String message, ExitCode code) -> System.out.println(code + " " + message);
        }
        print("loop");
        become.countDown();
        other.join();
        System.out.println("bind " + bind());
        Processes processes = new Processes();
        processes.spawn(new Command(Path.of("/bin/sh"),
                List.of("-c", "while read name rest; do echo \"child $name $rest\"; done < /proc/self/status"),
                List.of()));
        while (!processes.children().isEmpty()) {
            processes.reap();
            Thread.onSpinWait();
        }
        try {
            Posix.function("setresuid").call(0, 0, 0);
            System.out.println("root again");
        } catch (PosixException refused) {
            System.out.println("never root again");
        }
    }

    private static void print(String who) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/thread-self/status"))) {
            System.out.println(who + " " + line.replace('\t', ' '));
        }
    }

    /// The first of the ports that root alone may bind which nobody has.
    private static String bind() throws PosixException {
        for (int port = 600; port < 1024; port++) {
            int socket = Posix.function("socket").call(2, 0x80001, 0);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment address = arena.allocate(16, 4);
                address.set(ValueLayout.JAVA_SHORT, 0, (short) 2);
                address.set(ValueLayout.JAVA_SHORT, 2, Short.reverseBytes((short) port));
                address.set(ValueLayout.JAVA_INT, 4, 0x0100007f);
                int result = Posix.function("bind").tryCall(socket, address.address(), 16);
                if (result != -98) {
                    return result == 0 ? "ok" : "errno " + -result;
                }
            } finally {
                Posix.function("close").call(socket);
            }
        }
        return "no free port";
    }
}

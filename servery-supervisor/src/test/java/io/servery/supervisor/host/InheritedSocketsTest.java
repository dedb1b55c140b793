package io.servery.supervisor.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.fault.ExitCode;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Sockets from systemd: sd_listen_fds(3). Real ones travel as descriptors 3 and 4 into a program of its own.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class InheritedSocketsTest {
    private static final long PID = 4711;

    @TempDir
    Path folder;

    private static Outcome<Map<String, List<Integer>>> of(Map<String, String> environment) {
        return InheritedSockets.of(environment, PID);
    }

    @Test
    void environmentThatMeansAnotherProcessOrNobodyGivesNone() {
        Outcome<Map<String, List<Integer>>> none = new Outcome.Given<>(Map.of());

        assertThat(of(Map.of())).isEqualTo(none);
        assertThat(of(Map.of("LISTEN_PID", "1", "LISTEN_FDS", "2"))).isEqualTo(none);
        assertThat(of(Map.of("LISTEN_FDS", "2"))).isEqualTo(none);
        assertThat(of(Map.of("LISTEN_PID", "4711", "LISTEN_FDS", "0"))).isEqualTo(none);
        assertThat(of(Map.of("LISTEN_PID", "4711"))).isEqualTo(none);
    }

    @Test
    void wrongNumbersAndNamesAreTold() {
        for (String wrong : List.of("-1", "many", "254", "1000", "01")) {
            assertThat(of(Map.of("LISTEN_PID", "4711", "LISTEN_FDS", wrong))).isEqualTo(new Outcome.Refused<>(
                    "env LISTEN_FDS: found `" + wrong + "`; expected a number up to 253", ExitCode.CONFIGURATION));
        }
        assertThat(of(Map.of("LISTEN_PID", "4711", "LISTEN_FDS", "2", "LISTEN_FDNAMES", "a:b:c")))
                .isEqualTo(new Outcome.Refused<>(
                        "env LISTEN_FDNAMES: found 3 names for 2 sockets; expected one for each",
                        ExitCode.CONFIGURATION));
    }

    /// A TCP socket, listening or not, without close-on-exec: what a child process of ours would never get.
    private static int socket(boolean listening) throws PosixException {
        int socket = Posix.function("socket").call(2, 1, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(16, 4);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) 2);
            address.set(ValueLayout.JAVA_INT, 4, 0x0100007f);
            Posix.function("bind").call(socket, address.address(), 16);
        }
        if (listening) {
            Posix.function("listen").call(socket, 1);
        }
        return socket;
    }

    /// Processes of this module and of the JDK have no such descriptors, so this one is spawned by hand.
    private List<String> run(int third, int fourth, String... environment) throws Exception {
        Path out = folder.resolve("out");
        List<String> command = ChildJvm.command(folder, InheritedProgram.class, environment);
        List<String> shell = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" > '" + out + "' 2>&1", "sh"));
        shell.addAll(command);
        spawnAndWait(shell, third, fourth);
        return Files.readAllLines(out);
    }

    private static void spawnAndWait(List<String> command, int third, int fourth) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment actions = arena.allocate(512, 8);
            Posix.function("posix_spawn_file_actions_init").call(actions.address());
            // By way of numbers that are free for sure: the sources may be 3 or 4 themselves.
            Posix dup2 = Posix.function("posix_spawn_file_actions_adddup2");
            dup2.callForError(actions.address(), third, 1003);
            dup2.callForError(actions.address(), fourth, 1004);
            dup2.callForError(actions.address(), 1003, 3);
            dup2.callForError(actions.address(), 1004, 4);
            Posix.function("posix_spawn_file_actions_addclosefrom_np").callForError(actions.address(), 5);
            MemorySegment arguments = arena.allocate(ValueLayout.ADDRESS, command.size() + 1L);
            for (int i = 0; i < command.size(); i++) {
                arguments.setAtIndex(ValueLayout.ADDRESS, i, Posix.text(arena, command.get(i)));
            }
            MemorySegment none = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment pid = arena.allocate(ValueLayout.JAVA_INT);
            Posix.function("posix_spawn").callForError(pid.address(), Posix.text(arena, command.getFirst()).address(),
                    actions.address(), 0, arguments.address(), none.address());
            Posix.function("waitpid").call(pid.get(ValueLayout.JAVA_INT, 0), 0, 0);
            Posix.function("posix_spawn_file_actions_destroy").callUnchecked(actions.address());
        }
    }

    @Test
    void listeningSocketsAreTakenByNameAndInheritedByNobodyElse() throws Exception {
        int web = socket(true);
        int admin = socket(true);
        try {
            List<String> lines = run(web, admin, "LISTEN_FDS=2", "LISTEN_FDNAMES=web:admin");
            assertThat(lines.getFirst()).isEqualTo("Given[value={web=[3], admin=[4]}]");
            for (String flags : lines.subList(1, 3)) {
                assertThat(Integer.parseInt(flags.replaceAll(".*flags:\\s*", ""), 8) & 02004000).isEqualTo(02004000);
            }
            assertThat(run(web, admin, "LISTEN_FDS=2", "LISTEN_FDNAMES=web:web").getFirst())
                    .isEqualTo("Given[value={web=[3, 4]}]");
            assertThat(run(web, admin, "LISTEN_FDS=2").getFirst()).isEqualTo("Given[value={unknown=[3, 4]}]");
        } finally {
            Set.of(web, admin).forEach(Descriptors::close);
        }
    }

    @Test
    void socketThatDoesNotListenAndFileAreRefusedByName() throws Exception {
        int web = socket(true);
        int idle = socket(false);
        int[] pipe = Descriptors.pipe();
        try {
            assertThat(run(web, idle, "LISTEN_FDS=2", "LISTEN_FDNAMES=web:idle")).containsExactly(
                    "Refused[message=socket idle (descriptor 4): found one that does not listen for streams; expected "
                            + "ListenStream= and Accept=no in its unit, exitCode=CONFIGURATION]");
            assertThat(run(pipe[0], web, "LISTEN_FDS=2", "LISTEN_FDNAMES=pipe:web")).containsExactly(
                    "Refused[message=socket pipe (descriptor 3): getsockopt: Socket operation on non-socket (errno 88), "
                            + "exitCode=CONFIGURATION]");
        } finally {
            Set.of(web, idle, pipe[0], pipe[1]).forEach(Descriptors::close);
        }
    }
}

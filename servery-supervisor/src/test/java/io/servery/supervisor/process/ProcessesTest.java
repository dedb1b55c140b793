package io.servery.supervisor.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.servery.core.control.Bounds;
import io.servery.core.lifecycle.ExitStatus;
import io.servery.supervisor.Census;
import io.servery.supervisor.channel.Poller;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Spawning, signalling and reaping real processes.
///
/// What a child prints goes to a file: its standard output is that of this JVM, which the test runner reads.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class ProcessesTest {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long PR_SET_CHILD_SUBREAPER = 36;
    /// Signals 32 and 33 are not for programs: nptl(7).
    private static final long OF_THE_C_LIBRARY = 3L << 31;

    @TempDir
    Path folder;

    private final Processes processes = new Processes();
    private final Processes others = new Processes();

    @AfterEach
    void reapAll() throws IOException {
        for (Processes each : List.of(processes, others)) {
            each.children().forEach(child -> child.signal(Signal.KILL));
            endOfAll(each);
        }
    }

    private ChildProcess shell(String script) throws PosixException {
        return shell(processes, script);
    }

    private ChildProcess shell(Processes parent, String script) throws PosixException {
        return parent.spawn(new Command(SHELL, List.of("-c", script),
                List.of("PATH=/usr/bin:/bin", "OUT=" + folder.resolve("out"), "DIR=" + folder)));
    }

    /// Waits for the end of every child, as a loop does: by poll(2).
    private static List<Ended> endOfAll(Processes parent) throws IOException {
        List<Ended> ended = new ArrayList<>(parent.reap());
        try (Poller poller = new Poller()) {
            while (!parent.children().isEmpty()) {
                List<Watching> watched = parent.children().stream().map(Watching::new).toList();
                poller.await(watched, LIMIT);
                assertThat(watched).anyMatch(each -> each.told);
                ended.addAll(parent.reap());
            }
        }
        return ended;
    }

    private static final class Watching implements Poller.Watched {
        private final ChildProcess child;
        private boolean told;

        Watching(ChildProcess child) {
            this.child = child;
        }

        @Override
        public int descriptor() {
            return child.descriptor();
        }

        @Override
        public void ready(boolean readable, boolean writable) {
            told = true;
        }
    }

    private ExitStatus end() throws IOException {
        List<Ended> ended = endOfAll(processes);
        assertThat(ended).hasSize(1);
        return ended.getFirst().status();
    }

    private List<String> out() throws IOException {
        return Files.readAllLines(folder.resolve("out"));
    }

    private static boolean runs(long pid) {
        return Files.exists(Path.of("/proc/" + pid)) && !state(pid).startsWith("Z");
    }

    private static String state(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(line -> line.startsWith("State:")).findFirst().orElse("State:").substring(6).strip();
        } catch (IOException gone) {
            return "Z";
        }
    }

    private String written(String name) {
        Path file = folder.resolve(name);
        await().atMost(LIMIT).until(() -> Files.exists(file) && Files.readString(file).endsWith("\n"));
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void tokenIsTheFirstLineOfStandardInput() throws IOException {
        ChildProcess child = shell("read line; echo \"$line\" > $OUT");

        assertThat(end()).isEqualTo(new ExitStatus.Code(0));
        assertThat(out()).containsExactly(child.token());
        assertThat(child.token()).matches("[0-9a-f]{64}").hasSizeLessThanOrEqualTo(Bounds.TOKEN_BYTES_MAX);
        assertThat(child.toString()).doesNotContain(child.token());
    }

    @Test
    void tokenOfEachIsItsOwn() throws IOException {
        Set<String> tokens = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            tokens.add(shell("exit 0").token());
        }
        assertThat(tokens).hasSize(8);
        endOfAll(processes);
    }

    @Test
    void standardInputOfAJvmGoesOnUntilTheParentLetsGo() throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        ChildProcess child = processes.spawn(new Command(SHELL, List.of("-c",
                "exec \"$0\" -Xshare:auto -XX:TieredStopAtLevel=1 -cp \"$1\" " + StdinPrinter.class.getName()
                        + " > \"$OUT\"",
                java.toString(), System.getProperty("java.class.path")), List.of("OUT=" + folder.resolve("out"))));

        assertThat(written("out")).isEqualTo("line " + child.token());
        assertThat(runs(child.pid())).isTrue();

        child.letGo(); // what the kernel does when the parent is gone
        await().atMost(LIMIT).until(() -> out().contains("end"));
        await().atMost(LIMIT).until(() -> !processes.reap().isEmpty());
    }

    @Test
    void argumentsAndEnvironmentArriveAsTheyAreAndNothingElse() throws IOException {
        processes.spawn(new Command(SHELL,
                List.of("-c", "{ printf '%s\\n' \"$@\"; tr '\\0' '\\n' < /proc/$$/environ; } > \"$OUT\"", "name",
                        "two words", "", "ünï"),
                List.of("OUT=" + folder.resolve("out"), "A=b=c d")));

        end();
        assertThat(out()).containsExactly("two words", "", "ünï", "OUT=" + folder.resolve("out"), "A=b=c d");
    }

    @Test
    void childHasItsThreeStandardDescriptorsAlone() throws IOException {
        shell("exec sleep 60"); // its lifeline is open here, and must not be in the next one
        // The shell's own redirection is descriptor 1; `ls` would open one more, a glob none that stays.
        ChildProcess child = shell("cd /proc/$$/fd; echo * > $OUT; exec sleep 60");
        written("out");

        await().atMost(LIMIT).until(() -> descriptorsOf(child.pid()).equals(Set.of("0", "1", "2")));
        assertThat(Files.readSymbolicLink(Path.of("/proc/" + child.pid() + "/fd/0")).toString()).startsWith("pipe:");
        for (int standard = 1; standard <= 2; standard++) {
            assertThat(Files.readSymbolicLink(Path.of("/proc/" + child.pid() + "/fd/" + standard)))
                    .isEqualTo(Files.readSymbolicLink(Path.of("/proc/self/fd/" + standard)));
        }
    }

    private static Set<String> descriptorsOf(int pid) throws IOException {
        Set<String> found = new HashSet<>();
        try (var all = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            all.forEach(one -> found.add(one.getFileName().toString()));
        }
        return found;
    }

    @Test
    void childLeadsAGroupOfItsOwn() throws IOException {
        ChildProcess child = shell("exec sleep 60");

        String[] fields = Files.readString(Path.of("/proc/" + child.pid() + "/stat")).replaceFirst(".*\\) ", "")
                .split(" ", -1);
        assertThat(fields[2]).as("process group").isEqualTo(Integer.toString(child.pid()));
    }

    @Test
    void childBlocksAndIgnoresNoSignal() throws IOException {
        Posix signal = Posix.function("signal");
        long before = signal.callUnchecked(28, 1); // SIGWINCH, SIG_IGN
        try {
            assertThat(mask("/proc/thread-self/status", "SigBlk:")).as("a Java thread blocks some").isNotZero();
            assertThat(mask("/proc/self/status", "SigIgn:") & 1L << 27).isNotZero();
            ChildProcess child = shell("exec sleep 60");

            assertThat(mask("/proc/" + child.pid() + "/status", "SigBlk:")).isZero();
            assertThat(mask("/proc/" + child.pid() + "/status", "SigIgn:") & ~OF_THE_C_LIBRARY).isZero();
        } finally {
            signal.callUnchecked(28, before);
        }
    }

    private static long mask(String status, String name) throws IOException {
        return Files.readAllLines(Path.of(status)).stream().filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseUnsignedLong(line.substring(name.length()).strip(), 16)).findFirst()
                .orElseThrow();
    }

    @Test
    void exitCodesAndSignalsAreTold() throws IOException {
        for (int code : new int[]{0, 1, 78, 255}) {
            shell("exit " + code);
            assertThat(end()).isEqualTo(new ExitStatus.Code(code));
        }
        ChildProcess killed = shell("exec sleep 60");
        killed.signal(Signal.KILL);
        assertThat(end()).isEqualTo(new ExitStatus.Signal(9));
        shell("kill -SEGV $$");
        assertThat(end()).isEqualTo(new ExitStatus.Signal(11));
    }

    @Test
    void childThatRunsIsNotReaped() throws IOException {
        ChildProcess child = shell("exec sleep 60");

        assertThat(processes.reap()).isEmpty();
        assertThat(processes.children()).containsExactly(child);
    }

    @Test
    void signalReachesTheWholeGroup() throws IOException {
        ChildProcess child = shell("sh -c 'echo $$ > $DIR/grandchild; exec sleep 60' & wait");
        long grandchild = Long.parseLong(written("grandchild"));

        child.signal(Signal.TERM);

        assertThat(end()).isEqualTo(new ExitStatus.Signal(15));
        await().atMost(LIMIT).until(() -> !runs(grandchild));
    }

    @Test
    void whatIsLeftOfAGroupIsKilledWhenItsLeaderEnded() throws IOException {
        shell("sh -c 'trap \"\" TERM; echo $$ > $DIR/grandchild; while :; do sleep 60; done' & "
                + "while [ ! -s $DIR/grandchild ]; do sleep 0.01; done; exit 3");
        long grandchild = Long.parseLong(written("grandchild"));

        assertThat(end()).isEqualTo(new ExitStatus.Code(3));
        await().atMost(LIMIT).until(() -> !runs(grandchild));
    }

    @Test
    void reapedPidIsNotSignalledAnyMore() throws IOException {
        ChildProcess child = shell("exit 0");
        end();

        assertThat(child.descriptor()).isEqualTo(-1);
        assertThat(Files.exists(Path.of("/proc/" + child.pid()))).isFalse();
        child.signal(Signal.KILL);
    }

    @Test
    void programThatCannotBeExecutedIsNamedAndLeavesNothing() throws IOException {
        List<String> before = Census.descriptors();
        Path missing = folder.resolve("no-such-java");
        assertThatThrownBy(() -> processes.spawn(new Command(missing, List.of(), List.of())))
                .isInstanceOfSatisfying(PosixException.class, failed -> assertThat(failed.is(Errno.ENOENT)).isTrue())
                .hasMessage(missing + ": posix_spawn: No such file or directory (errno 2)");

        Path text = Files.writeString(folder.resolve("text"), "no program");
        assertThatThrownBy(() -> processes.spawn(new Command(text, List.of(), List.of())))
                .isInstanceOfSatisfying(PosixException.class, failed -> assertThat(failed.is(Errno.EACCES)).isTrue())
                .hasMessageContaining(text.toString());

        assertThat(processes.children()).isEmpty();
        assertThat(Census.descriptors()).isEqualTo(before);
    }

    @Test
    void childrenOfOthersAreLeftToThem() throws IOException {
        ChildProcess stranger = shell(others, "exit 7");
        await().atMost(LIMIT).until(() -> state(stranger.pid()).startsWith("Z"));
        ChildProcess own = shell("exit 1");
        await().atMost(LIMIT).until(() -> state(own.pid()).startsWith("Z"));

        assertThat(processes.reap()).extracting(Ended::child).containsExactly(own);
        assertThat(others.reap()).containsExactly(new Ended(stranger, new ExitStatus.Code(7)));
    }

    @Test
    void strangersAreReapedWithoutTakingTheOwn() throws IOException {
        Posix prctl = Posix.function("prctl");
        assertThat(Processes.takesOrphans()).isEqualTo(ProcessHandle.current().pid() == 1);
        prctl.call(PR_SET_CHILD_SUBREAPER, 1);
        try {
            assertThat(Processes.takesOrphans()).isTrue();
            ChildProcess own = shell(
                    "setsid sh -c 'echo $$ > $DIR/orphan; while [ ! -e $DIR/go ]; do sleep 0.01; done' & "
                            + "while [ ! -s $DIR/orphan ]; do sleep 0.01; done; exit 5");
            long orphan = Long.parseLong(written("orphan"));
            await().atMost(LIMIT).until(() -> state(own.pid()).startsWith("Z"));
            Files.createFile(folder.resolve("go")); // the shell is gone: the orphan is nobody's but this process's
            List<Ended> ended = new ArrayList<>();
            int[] reaped = {0};
            await().atMost(LIMIT).until(() -> {
                reaped[0] += processes.reapStrangers();
                ended.addAll(processes.reap());
                return reaped[0] == 1;
            });

            assertThat(ended).containsExactly(new Ended(own, new ExitStatus.Code(5)));
            assertThat(Files.exists(Path.of("/proc/" + orphan))).isFalse();
        } finally {
            prctl.call(PR_SET_CHILD_SUBREAPER, 0);
        }
    }

    @Test
    void childOfAHardenedThreadGainsNoPrivilegesAndDumpsNoCore() throws IOException, InterruptedException {
        List<Throwable> failures = new ArrayList<>();
        Thread loop = new Thread(() -> {
            try {
                Processes.harden();
                ChildProcess child = shell("exec sleep 60");
                assertThat(Files.readAllLines(Path.of("/proc/" + child.pid() + "/status"))).contains("NoNewPrivs:\t1");
                assertThat(Files.readAllLines(Path.of("/proc/" + child.pid() + "/limits")))
                        .anyMatch(line -> line.matches("Max core file size +0 +0 .*"));
            } catch (Throwable failed) {
                failures.add(failed);
            }
        });
        loop.start();
        loop.join();
        assertThat(failures).isEmpty();
        assertThat(Files.readAllLines(Path.of("/proc/thread-self/status"))).as("another thread")
                .contains("NoNewPrivs:\t0");
    }

    @Test
    void manyLivesLeaveNoDescriptorAndNoZombie() throws IOException {
        shell("exit 0");
        end();
        List<String> before = Census.descriptors();
        List<Long> pids = new ArrayList<>();
        for (int round = 0; round < 25; round++) {
            pids.add((long) shell("exit 0").pid());
            pids.add((long) shell("kill -9 $$").pid());
            endOfAll(processes);
        }

        assertThat(Census.descriptors()).isEqualTo(before);
        assertThat(pids).noneMatch(pid -> Files.exists(Path.of("/proc/" + pid)));
    }
}

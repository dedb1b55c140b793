package io.servery.supervisor.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.core.fault.ExitCode;
import io.servery.supervisor.Census;
import io.servery.supervisor.channel.UnixSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// One parent a runtime directory: flock(2).
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class RuntimeLockTest {
    private static final int UID = Accounts.own().uid();
    private static final int GID = Accounts.own().gid();

    @TempDir
    Path folder;

    private static Outcome<RuntimeLock> take(Path directory) {
        return RuntimeLock.take(directory, UID, GID);
    }

    private static RuntimeLock taken(Path directory) {
        return switch (take(directory)) {
            case Outcome.Given<RuntimeLock>(RuntimeLock lock) -> lock;
            case Outcome.Refused<RuntimeLock>(String message, ExitCode _) -> throw new AssertionError(message);
        };
    }

    private static Outcome<RuntimeLock> refused(ExitCode code, String message) {
        return new Outcome.Refused<>("runtime.runtime_directory: " + message, code);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void directoryIsMadeForItsUserAloneAndGoesAgain() throws IOException {
        List<String> before = Census.descriptors();
        Path directory = folder.resolve("run");
        try (RuntimeLock lock = taken(directory)) {
            assertThat(lock.directory()).isEqualTo(directory);
            assertThat(mode(directory)).isEqualTo("rwx------");
            assertThat(mode(directory.resolve(RuntimeLock.FILE))).isEqualTo("rw-------");
            assertThat(directory.resolve(RuntimeLock.FILE))
                    .hasContent(Long.toString(ProcessHandle.current().pid()));
        }
        assertThat(directory).doesNotExist();
        assertThat(Census.descriptors()).isEqualTo(before);
    }

    @Test
    void directoryThatWasThereStays() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("run"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        taken(directory).close();

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void directoryThatOthersMayLookIntoIsRefused() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("run"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));

        assertThat(take(directory)).isEqualTo(refused(ExitCode.CONFIGURATION, "found " + directory + " of user " + UID
                + " with mode 755; expected user " + UID + " and mode 700"));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void directoryOfAnotherUserIsRefused() throws IOException {
        assumeTrue(UID == 0, "only root can make a directory of another user");
        Path directory = Files.createDirectory(folder.resolve("run"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        Files.setAttribute(directory, "unix:uid", 65534);

        assertThat(take(directory)).isEqualTo(refused(ExitCode.CONFIGURATION,
                "found " + directory + " of user 65534 with mode 700; expected user 0 and mode 700"));
    }

    @Test
    void directoryIsMadeForWhoTheParentIsGoingToBe() throws IOException {
        assumeTrue(UID == 0, "only root can become another user");
        Path directory = folder.resolve("run");
        assertThat(RuntimeLock.take(directory, 65534, 65534)).isInstanceOfSatisfying(Outcome.Given.class, given -> {
            try (RuntimeLock lock = (RuntimeLock) given.value()) {
                assertThat(Files.getAttribute(lock.directory(), "unix:uid")).isEqualTo(65534);
                assertThat(Files.getAttribute(lock.directory().resolve(RuntimeLock.FILE), "unix:uid")).isEqualTo(65534);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void linkAndFileAreRefused() throws IOException {
        Path real = folder.resolve("real");
        taken(real).close();
        Files.createDirectory(real);
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        Path file = Files.createFile(folder.resolve("file"));
        for (Path wrong : List.of(link, file)) {
            assertThat(take(wrong)).isEqualTo(refused(ExitCode.CONFIGURATION,
                    "found no directory at " + wrong + "; expected one, or nothing, and no link"));
        }
        assertThat(real).isEmptyDirectory();
    }

    @Test
    void missingParentOfTheDirectoryIsNamed() {
        Path directory = folder.resolve("missing").resolve("run");

        assertThat(take(directory)).isEqualTo(
                refused(ExitCode.FAILED, directory + ": mkdir: No such file or directory (errno 2)"));
    }

    @Test
    void secondParentIsToldWhoTheFirstIs() throws IOException {
        List<String> before = Census.descriptors();
        Path directory = folder.resolve("run");
        try (RuntimeLock first = taken(directory)) {
            assertThat(take(directory)).isEqualTo(refused(ExitCode.TEMPORARY,
                    "found " + first.directory() + " in use by the parent with pid " + ProcessHandle.current().pid()
                            + "; stop it, or give this service a directory of its own"));
            assertThat(directory.resolve(RuntimeLock.FILE)).exists();
        }
        taken(directory).close();
        assertThat(Census.descriptors()).isEqualTo(before);
    }

    @Test
    void parentThatWasKilledLeavesTheLockToTheNext() throws Exception {
        Path directory = folder.resolve("run");
        Process first = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), Holding.class.getName(), directory.toString())
                .redirectError(folder.resolve("err").toFile()).start();
        try (BufferedReader said = first.inputReader()) {
            assertThat(said.readLine()).isEqualTo("held");
            assertThat(take(directory)).isEqualTo(refused(ExitCode.TEMPORARY, "found " + directory
                    + " in use by the parent with pid " + first.pid()
                    + "; stop it, or give this service a directory of its own"));
        } finally {
            first.destroyForcibly().waitFor();
        }
        assertThat(directory.resolve(RuntimeLock.FILE)).hasContent(Long.toString(first.pid()));
        try (RuntimeLock second = taken(directory)) {
            assertThat(second.directory().resolve(RuntimeLock.FILE))
                    .hasContent(Long.toString(ProcessHandle.current().pid()));
        }
    }

    /// A program that takes a directory, says so, and stays until it is killed.
    static final class Holding {
        private Holding() {
        }

        public static void main(String[] arguments) throws IOException {
            System.out.println(take(Path.of(arguments[0])) instanceof Outcome.Given<RuntimeLock> ? "held" : "refused");
            System.in.read();
        }
    }

    @Test
    void socketsOfADeadParentAreRemovedAndNothingElse() throws IOException {
        Path directory = folder.resolve("run");
        RuntimeLock made = taken(directory);
        Path stale = directory.resolve("control.sock");
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(stale));
        }
        Path file = Files.writeString(directory.resolve("notes"), "mine");
        Path link = Files.createSymbolicLink(directory.resolve("link"), stale);
        made.close();
        try (UnixSocket living = UnixSocket.listen(directory.resolve("living.sock"), 1);
                RuntimeLock lock = taken(directory)) {
            assertThat(living.descriptor()).isNotNegative();
            assertThat(lock.directory()).isEqualTo(directory);
            assertThat(stale).doesNotExist();
            assertThat(file).hasContent("mine");
            assertThat(Files.isSymbolicLink(link)).isTrue();
            assertThat(directory.resolve("living.sock")).exists();
        }
        assertThat(file).exists();
    }

    @Test
    void fullDiskIsToldWithTheFile() throws IOException {
        Path directory = folder.resolve("run");
        taken(directory).close();
        Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(
                PosixFilePermissions.fromString("rwx------")));
        Path file = Files.createSymbolicLink(directory.resolve(RuntimeLock.FILE), Path.of("/dev/full"));

        assertThat(take(directory)).isEqualTo(
                refused(ExitCode.FAILED, file + ": write: No space left on device (errno 28)"));
    }
}

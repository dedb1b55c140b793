package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.servery.core.config.RuntimeDirectory.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The rule by which parent and operator find each other.
class RuntimeDirectoryTest {
    private static final Optional<Path> NONE = Optional.empty();

    @TempDir
    Path directory;

    private Path file;
    private Host here;

    @BeforeEach
    void files() throws IOException {
        file = Files.writeString(directory.resolve("servery.toml"), "");
        here = Host.of(Map.of());
    }

    private static Host host(Map<String, String> environment) {
        return new Host(environment, Path.of("/t"), 1000);
    }

    @Test
    void configuredDirectoryIsTheOne() throws IOException {
        Host host = host(Map.of("XDG_RUNTIME_DIR", "/run/user/1000"));
        assertThat(RuntimeDirectory.ofFile(Optional.of(Path.of("/r")), file, host)).isEqualTo(Path.of("/r"));
        assertThat(RuntimeDirectory.ofProcess(Optional.of(Path.of("/r")), 7, host)).isEqualTo(Path.of("/r"));
    }

    @Test
    void elseItIsBelowTheUsersRuntimeDirectoryOrTheTemporaryOne() throws IOException {
        Path name = RuntimeDirectory.ofFile(NONE, file, host(Map.of())).getFileName();

        assertThat(name.toString()).matches("[0-9a-f]{16}");
        assertThat(RuntimeDirectory.ofFile(NONE, file, host(Map.of())))
                .isEqualTo(Path.of("/t/servery-1000").resolve(name));
        assertThat(RuntimeDirectory.ofFile(NONE, file, host(Map.of("XDG_RUNTIME_DIR", "/run/user/1000"))))
                .isEqualTo(Path.of("/run/user/1000/servery").resolve(name));
        assertThat(RuntimeDirectory.ofFile(NONE, file, host(Map.of("XDG_RUNTIME_DIR", "relative"))))
                .isEqualTo(Path.of("/t/servery-1000").resolve(name));
        assertThat(RuntimeDirectory.ofProcess(NONE, 7, host(Map.of()))).isEqualTo(Path.of("/t/servery-1000/pid-7"));
    }

    @Test
    void fileHasOneNameHoweverItIsWritten() throws IOException {
        Path other = Files.writeString(directory.resolve("other.toml"), "");
        Path link = Files.createSymbolicLink(directory.resolve("link.toml"), file);
        Path expected = RuntimeDirectory.ofFile(NONE, file, host(Map.of()));

        assertThat(RuntimeDirectory.ofFile(NONE, link, host(Map.of()))).isEqualTo(expected);
        assertThat(RuntimeDirectory.ofFile(NONE, directory.resolve("x/../servery.toml"), host(Map.of())))
                .isEqualTo(expected);
        assertThat(RuntimeDirectory.ofFile(NONE, other, host(Map.of()))).isNotEqualTo(expected);
    }

    @Test
    void fileThatIsGoneStillNamesItsService() throws IOException {
        Path before = RuntimeDirectory.ofFile(NONE, file, host(Map.of()));
        Path link = Files.createSymbolicLink(directory.resolve("d"), directory);
        Files.delete(file);

        assertThat(RuntimeDirectory.ofFile(NONE, link.resolve("servery.toml"), host(Map.of()))).isEqualTo(before);
    }

    @Test
    void pathOfASocketFitsIntoItsAddress() throws IOException {
        Host longUser = host(Map.of("XDG_RUNTIME_DIR", "/" + "r".repeat(80)));
        Path found = RuntimeDirectory.ofFile(NONE, file, longUser);

        assertThat(found).startsWithRaw(Path.of("/t"));
        assertThat(found.resolve(RuntimeDirectory.OPERATOR_SOCKET).toString().length()).isLessThan(108);
        assertThatIOException().isThrownBy(() -> RuntimeDirectory.ofFile(NONE, file,
                new Host(Map.of(), Path.of("/" + "t".repeat(80)), 1000)))
                .withMessageContaining("longer than 80 bytes; expected `runtime.runtime_directory`");
    }

    @Test
    void invalidConfigurationStillSaysWhereItsServiceIs() throws IOException {
        ConfigurationInputs inputs = Loaded.in(directory).inputs();
        for (String text : List.of("runtime.runtime_directory = \"/r\"\nx = 1\nlistener.port = -1\n",
                "schema_version = 1\nruntime.runtime_directory = \"/r\"\nruntime.user = 3\n")) {
            Files.writeString(file, text);
            assertThat(Configuration.runtimeDirectory(inputs)).contains(Path.of("/r"));
        }
        Files.writeString(file, "profile = \"production\"\ntls.mode = 3\n");
        assertThat(Configuration.runtimeDirectory(inputs)).contains(Path.of("/run/servery"));
        Files.writeString(file, "schema_version = 1\n");
        assertThat(Configuration.runtimeDirectory(inputs)).isEmpty();
        Files.writeString(file, "[runtime]\n  runtime_directory = \"/r\"\nnot TOML\n");
        assertThat(Configuration.runtimeDirectory(inputs)).contains(Path.of("/r"));
        assertThat(Configuration.runtimeDirectory(
                Loaded.in(directory).env("SERVERY__RUNTIME__RUNTIME_DIRECTORY", "/e").inputs()))
                .as("the environment is over the file").contains(Path.of("/e"));
        Files.writeString(file, "not TOML\n");
        assertThat(Configuration.runtimeDirectory(inputs)).isEmpty();
        Files.delete(file);
        assertThat(Configuration.runtimeDirectory(inputs)).isEmpty();
        assertThat(Configuration.runtimeDirectory(
                Loaded.in(directory).env("SERVERY__RUNTIME__RUNTIME_DIRECTORY", "/e").inputs()))
                .contains(Path.of("/e"));
    }

    @Test
    void privateDirectoryAboveIsMadeForItsUserAloneAndTakenAgain() throws IOException {
        Host host = new Host(Map.of(), directory, here.uid());
        Path runtime = RuntimeDirectory.ofFile(NONE, file, host);
        assertThatIOException().isThrownBy(() -> RuntimeDirectory.vet(runtime, host))
                .isInstanceOf(NoSuchFileException.class);

        RuntimeDirectory.claimAbove(runtime, host);
        RuntimeDirectory.claimAbove(runtime, host);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(runtime.getParent())))
                .isEqualTo("rwx------");
        assertThat(runtime).doesNotExist();

        Files.createDirectory(runtime);
        RuntimeDirectory.vet(runtime, host);
    }

    @Test
    void aboveAConfiguredDirectoryNothingIsMade() throws IOException {
        RuntimeDirectory.claimAbove(directory.resolve("absent").resolve("run"), here);
        assertThat(directory.resolve("absent")).doesNotExist();
    }

    @Test
    void directoryThatCannotBeMadeIsNamed() {
        Host host = new Host(Map.of("XDG_RUNTIME_DIR", "/proc/none"), directory, here.uid());

        assertThatIOException().isThrownBy(() -> RuntimeDirectory.claimAbove(Path.of("/proc/none/servery/x"), host))
                .withMessageStartingWith("/proc/none/servery: found that it cannot be made (NoSuchFileException)");
    }

    @Test
    void operatorTrustsNothingThatOthersCanWrite() throws IOException {
        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwx---"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), Files.createDirectory(directory.resolve("d")));
        Path plain = Files.createFile(directory.resolve("plain"));
        for (Path path : new Path[]{open, link, plain}) {
            assertThatIOException().isThrownBy(() -> RuntimeDirectory.vet(path, here))
                    .withMessageContaining(path + ": found something of user " + here.uid() + " with mode");
        }
    }

    @Test
    void privateDirectoryBelowOneOfOthersIsNotTaken() throws IOException {
        Host host = new Host(Map.of(), directory, here.uid());
        Path runtime = RuntimeDirectory.ofFile(NONE, file, host);
        RuntimeDirectory.claimAbove(runtime, host);
        Files.createDirectory(runtime);
        Files.setPosixFilePermissions(runtime.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatIOException().isThrownBy(() -> RuntimeDirectory.claimAbove(runtime, host));
        assertThatIOException().isThrownBy(() -> RuntimeDirectory.vet(runtime, host));
    }
}

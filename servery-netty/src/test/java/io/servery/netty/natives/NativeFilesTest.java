package io.servery.netty.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(value = OS.LINUX, disabledReason = "the native files are Linux's")
class NativeFilesTest {
    @TempDir
    Path temporary;

    private Path runtime;
    private Path directory;

    @BeforeEach
    void name() throws IOException {
        runtime = Files.createDirectory(temporary.resolve("runtime"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        directory = runtime.resolve("native");
    }

    @ParameterizedTest
    @EnumSource
    void everyLibraryIsInTheJarAndUnpackedAsItIsThere(NativeLibrary library) throws IOException {
        PrivateDirectory.claim(directory);
        Path file = NativeFiles.unpack(library, directory);
        try (var jar = NativeFilesTest.class.getClassLoader().getResourceAsStream(library.resource())) {
            assertThat(file).hasBinaryContent(jar.readAllBytes());
        }
        assertThat(names()).as("nothing beside it").containsExactly(file.getFileName().toString());
    }

    @Test
    void nextProcessUsesTheSameFileAgain() throws IOException {
        PrivateDirectory.claim(directory);
        Path file = NativeFiles.unpack(NativeLibrary.BROTLI, directory);
        Object first = Files.getAttribute(file, "unix:ino");
        PrivateDirectory.claim(directory);
        assertThat(NativeFiles.unpack(NativeLibrary.BROTLI, directory)).isEqualTo(file);
        assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(first);
    }

    @Test
    void fileThatWasChangedIsReplaced() throws IOException {
        PrivateDirectory.claim(directory);
        Path file = NativeFiles.unpack(NativeLibrary.ZSTD, directory);
        byte[] content = Files.readAllBytes(file);
        byte[] planted = content.clone();
        planted[planted.length / 2] ^= 1;
        Files.write(file, planted);
        assertThat(NativeFiles.unpack(NativeLibrary.ZSTD, directory)).isEqualTo(file).hasBinaryContent(content);
    }

    @Test
    void linkInPlaceOfTheFileIsReplacedAndItsTargetLeftAlone() throws IOException {
        PrivateDirectory.claim(directory);
        Path file = NativeFiles.unpack(NativeLibrary.ZSTD, directory);
        Path elsewhere = Files.move(file, temporary.resolve("elsewhere.so"));
        Files.createSymbolicLink(file, elsewhere);
        assertThat(NativeFiles.unpack(NativeLibrary.ZSTD, directory)).isEqualTo(file);
        assertThat(Files.isSymbolicLink(file)).isFalse();
        assertThat(elsewhere).exists();
    }

    @Test
    void directoryIsForItsOwnerAlone() throws IOException {
        PrivateDirectory.claim(directory);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory))).isEqualTo("rwx------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwx---rwx", "rwxr-xr-x"})
    void directoryThatOthersMayEnterIsRefused(String permissions) throws IOException {
        Files.createDirectory(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
        assertThatThrownBy(() -> PrivateDirectory.claim(directory)).isInstanceOf(IOException.class)
                .hasMessageContaining("expected a directory of user").hasMessageContaining("mode 700");
    }

    @Test
    void directoryInAPlaceWhereOthersCanRenameIsRefused() throws IOException {
        Files.setPosixFilePermissions(runtime, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> PrivateDirectory.claim(directory)).isInstanceOf(IOException.class)
                .hasMessageContaining("open to other users");
    }

    @Test
    void linkInPlaceOfTheDirectoryIsRefused() throws IOException {
        Path own = Files.createDirectory(temporary.resolve("own"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(directory, own);
        assertThatThrownBy(() -> PrivateDirectory.claim(directory)).isInstanceOf(IOException.class);
        assertThat(own).isEmptyDirectory();
    }

    @Test
    void directoryOfAnotherUserIsRefused() throws IOException {
        Files.createDirectory(directory,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assumeTrue(becomes(directory, 12345), "only root can give a directory away");
        assertThatThrownBy(() -> PrivateDirectory.claim(directory)).isInstanceOf(IOException.class)
                .hasMessageContaining("user 12345");
    }

    @Test
    void directoryThatCannotBeMadeIsRefusedWithTheReason() {
        Path beneathNothing = temporary.resolve("absent").resolve("absent").resolve("native");
        assertThatThrownBy(() -> PrivateDirectory.claim(beneathNothing)).isInstanceOf(IOException.class)
                .hasMessageContaining("NoSuchFileException");
    }

    private static boolean becomes(Path path, int user) {
        try {
            Files.setAttribute(path, "unix:uid", user);
            return true;
        } catch (IOException notRoot) {
            return false;
        }
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}

package io.servery.netty.natives;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where native files are loaded from: `native` in the runtime directory, or a directory of this user in the temporary one.
///
/// A file is written at its first use, and used again by every later process of the same version; its content is compared
/// each time, with the jar or with the sum in its name. Where that is not possible a library unpacks a copy of its own, as it does by itself.
///
/// *Owner*: any thread. *Invariant*: only what came from the jar is loaded.
public final class NativeFiles {
    /// Where Netty unpacks what it finds in its jars; read when it is first to load a library itself.
    private static final String WORK_DIRECTORY = "io.netty.native.workdir";

    private static volatile @Nullable Path directory;

    private NativeFiles() {
    }

    /// A directory that could not be used.
    ///
    /// @param message what was found and what was expected
    public record Rejected(Path path, String message) {
    }

    /// Chooses the directory and loads the library of the transport from it. Before anything of Netty's epoll is touched.
    ///
    /// @return the directories that were tried in vain; the last line of defence is the library's own way
    public static List<Rejected> prepare(Optional<Path> runtimeDirectory) {
        List<Path> candidates = new ArrayList<>();
        runtimeDirectory.ifPresent(runtime -> candidates.add(runtime.toAbsolutePath().resolve("native")));
        List<Rejected> rejected = new ArrayList<>();
        try {
            candidates.add(Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath()
                    .resolve("servery-native-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid")));
        } catch (IOException | UnsupportedOperationException notLinux) {
            candidates.clear();
        }
        TransportClasses.initialize(() -> choose(candidates, rejected));
        return rejected;
    }

    /// Takes the first of these from which the library of the transport can be loaded.
    private static void choose(List<Path> candidates, List<Rejected> rejected) {
        for (Path candidate : candidates) {
            try {
                PrivateDirectory.claim(candidate);
                // Should ours not be the one that Netty takes, its own loader has to unpack it where that may be done.
                System.setProperty(WORK_DIRECTORY, candidate.toString());
                System.load(unpack(NativeLibrary.EPOLL, candidate).toString());
                directory = candidate;
                return;
            } catch (FileNotFoundException notInTheJar) {
                return;
            } catch (IOException | UnsatisfiedLinkError refused) {
                rejected.add(new Rejected(candidate, String.valueOf(refused.getMessage())));
            }
        }
    }

    /// All that Netty loads is loaded: its own loader, which would unpack once more what it cannot know of, gets no place for
    /// that, fails before it has opened the jar, and Netty takes what is there.
    ///
    /// @param library a file, so that nothing can be made beneath it
    static void endUnpackingByNetty(Path library) {
        System.setProperty(WORK_DIRECTORY, library.resolve("loaded").toString());
    }

    /// Loads a library from the chosen directory, so that its own loader finds it done.
    ///
    /// @return the file, or nothing when the library must help itself
    public static Optional<Path> load(NativeLibrary library) {
        Path chosen = directory;
        if (chosen == null) {
            return Optional.empty();
        }
        try {
            // Once more: a directory in a shared place may be gone by now, and another's in its stead.
            PrivateDirectory.claim(chosen);
            Path file = unpack(library, chosen);
            System.load(file.toString());
            return Optional.of(file);
        } catch (IOException | UnsatisfiedLinkError refused) {
            return Optional.empty();
        }
    }

    /// The library's file in a directory that is private already: the one that is there, or a new one.
    static Path unpack(NativeLibrary library, Path directory) throws IOException {
        Path known = UnpackedFile.known(library, directory);
        return known != null ? known : unpackAnew(library, directory);
    }

    private static Path unpackAnew(NativeLibrary library, Path directory) throws IOException {
        byte[] content = content(library);
        Path file = directory.resolve(UnpackedFile.name(library, content));
        if (!holds(file, content)) {
            Path fresh = Files.createTempFile(directory, "unpacking", ".tmp");
            try {
                Files.write(fresh, content);
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(fresh);
            }
        }
        return file;
    }

    private static boolean holds(Path file, byte[] content) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) == content.length
                && Arrays.equals(Files.readAllBytes(file), content);
    }

    private static byte[] content(NativeLibrary library) throws IOException {
        try (InputStream in = NativeFiles.class.getClassLoader().getResourceAsStream(library.resource())) {
            if (in == null) {
                throw new FileNotFoundException(library.resource());
            }
            return in.readAllBytes();
        }
    }
}

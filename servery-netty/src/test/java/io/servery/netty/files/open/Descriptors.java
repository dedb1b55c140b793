package io.servery.netty.files.open;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// The descriptors of this process that lie beneath a directory.
public final class Descriptors {
    private Descriptors() {
    }

    public static List<String> beneath(Path directory) throws IOException {
        return beginning(directory.toString());
    }

    /// Those of forms in memory.
    public static List<String> ofForms() throws IOException {
        return beginning("/memfd:servery-form");
    }

    private static List<String> beginning(String prefix) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.map(Descriptors::target).filter(Objects::nonNull).filter(target -> target.startsWith(prefix))
                    .toList();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

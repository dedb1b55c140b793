package io.servery.interop.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// A secret as Kubernetes mounts it: `tls.crt` and `tls.key` are links to files in `..data`, which is a link to a folder of
/// the current content. An update is one rename of that link.
final class MountedSecret {
    private final Path mount;
    private int versions;

    MountedSecret(Path mount, Pair first) {
        this.mount = mount;
        try {
            Files.createDirectories(mount);
            update(first);
            Files.createSymbolicLink(mount.resolve("tls.crt"), Path.of("..data", "tls.crt"));
            Files.createSymbolicLink(mount.resolve("tls.key"), Path.of("..data", "tls.key"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Pair pair() {
        return new Pair(mount.resolve("tls.crt"), mount.resolve("tls.key"));
    }

    /// The former folder goes once the link has moved on.
    void update(Pair next) {
        try {
            Path data = mount.resolve("..data");
            Path former = mount.resolve(".." + versions);
            Path latter = Files.createDirectory(mount.resolve(".." + ++versions));
            Files.copy(next.chain(), latter.resolve("tls.crt"));
            Files.copy(next.key(), latter.resolve("tls.key"));
            Path link = Files.createSymbolicLink(mount.resolve("..data_tmp"), latter.getFileName());
            Files.move(link, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Files.deleteIfExists(former.resolve("tls.crt"));
            Files.deleteIfExists(former.resolve("tls.key"));
            Files.deleteIfExists(former);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

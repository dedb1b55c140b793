package io.servery.acme.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;

/// Who may read what is kept: its owner, who is this process, and nobody else.
///
/// What is found otherwise is refused and not mended: somebody has to learn that a key was open to others.
final class Privacy {
    private static final Set<PosixFilePermission> OF_OTHERS = Set
            .copyOf(EnumSet.complementOf(EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE)));

    private Privacy() {
    }

    /// Makes it, and what is missing above it, for its owner alone, if nothing is there.
    static void requirePrivateDirectory(Path directory) throws IOException {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(directory,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        PosixFileAttributes found = attributes(directory);
        if (!found.isDirectory()) {
            throw new StateException(directory, "found no directory; expected one");
        }
        requirePrivate(directory, found);
    }

    static void requirePrivateFile(Path file) throws IOException {
        PosixFileAttributes found = attributes(file);
        if (!found.isRegularFile()) {
            throw new StateException(file, "found no regular file; expected one");
        }
        requirePrivate(file, found);
    }

    /// Whoever makes a file owns it: this says who we are, and that we may write here.
    static void requireOwn(Path directory) throws IOException {
        Path probe = directory.resolve("owner.new");
        Files.deleteIfExists(probe);
        UserPrincipal me = attributes(Files.createFile(probe)).owner();
        Files.delete(probe);
        UserPrincipal found = attributes(directory).owner();
        if (!found.equals(me)) {
            throw new StateException(directory, "found the owner " + found + "; expected " + me);
        }
    }

    private static void requirePrivate(Path path, PosixFileAttributes found) throws StateException {
        if (found.permissions().stream().anyMatch(OF_OTHERS::contains)) {
            throw new StateException(path, "found the mode " + PosixFilePermissions.toString(found.permissions())
                    + "; expected no access for group and others (what was kept there may be known to them)");
        }
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }
}

package io.servery.netty.natives;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/// A directory that this user alone can write into, and that nobody else can put in its place.
///
/// Code is loaded from it: whoever could write there would run as this service.
final class PrivateDirectory {
    private static final int PERMISSIONS = 0777;
    private static final int OWNER_ALONE = 0700;
    private static final int OTHERS_WRITE = 0022;
    private static final int STICKY = 01000;
    private static final int ROOT = 0;

    private PrivateDirectory() {
    }

    /// Makes it, or takes the one that is there.
    ///
    /// @throws IOException in words for people, without the path, when it cannot be had or is not private
    static void claim(Path directory) throws IOException {
        int own = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Path parent = Objects.requireNonNull(directory.toAbsolutePath().getParent(), "a directory beneath another");
        create(parent);
        create(directory);
        int parentOwner = (int) Files.getAttribute(parent, "unix:uid");
        int parentMode = (int) Files.getAttribute(parent, "unix:mode");
        if (parentOwner != own && parentOwner != ROOT
                || (parentMode & OTHERS_WRITE) != 0 && (parentMode & STICKY) == 0) {
            throw new IOException("found " + parent + " open to other users; expected one that they cannot rename in");
        }
        int owner = (int) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        int mode = (int) Files.getAttribute(directory, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) || owner != own
                || (mode & PERMISSIONS) != OWNER_ALONE) {
            throw new IOException("found something of user " + owner + " with mode "
                    + Integer.toOctalString(mode & PERMISSIONS)
                    + "; expected a directory of user " + own + " with mode 700");
        }
    }

    private static void create(Path directory) throws IOException {
        try {
            Files.createDirectory(directory,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException there) {
            // Judged by the caller.
        } catch (IOException refused) {
            if (!Files.isDirectory(directory)) {
                throw new IOException("cannot be made: " + reason(refused), refused);
            }
        }
    }

    /// The message of a file system's exception is the path alone, so the class says more.
    static String reason(IOException refused) {
        return refused.getClass().getSimpleName() + " " + refused.getMessage();
    }
}

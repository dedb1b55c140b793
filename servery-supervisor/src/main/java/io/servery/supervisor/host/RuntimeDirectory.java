package io.servery.supervisor.host;

import io.servery.supervisor.channel.UnixSocket;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// The directory of control and operator sockets: a real directory that one user alone may look into.
final class RuntimeDirectory {
    private static final Posix MKDIR = Posix.function("mkdir");
    private static final Posix CHOWN = Posix.function("chown");
    private static final int PERMISSIONS = 07777;
    private static final int OWNER_ALONE = 0700;
    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private RuntimeDirectory() {
    }

    /// Makes it for this user, or takes the one that is there. Its own parent has to be there.
    ///
    /// @return whether it was made
    /// @throws IOException in words for people
    static boolean claim(Path directory, int uid, int gid) throws IOException {
        boolean made = make(directory, uid, gid);
        int mode = (int) Files.getAttribute(directory, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        int owner = (int) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("found no directory at " + directory + "; expected one, or nothing, and no link");
        }
        if (owner != uid || (mode & PERMISSIONS) != OWNER_ALONE) {
            throw new IOException("found " + directory + " of user " + owner + " with mode "
                    + Integer.toOctalString(mode & PERMISSIONS) + "; expected user " + uid + " and mode 700");
        }
        return made;
    }

    private static boolean make(Path directory, int uid, int gid) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            long path = Posix.text(arena, directory.toString()).address();
            int result = MKDIR.tryCall(path, OWNER_ALONE);
            if (result == -Errno.EEXIST) {
                return false;
            }
            if (result < 0) {
                throw MKDIR.failure(result).about(directory.toString());
            }
            CHOWN.call(path, uid, gid);
            return true;
        }
    }

    /// Removes the sockets that nobody listens on: a dead parent's. Whatever else is there stays.
    static void removeStaleSockets(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                int mode = (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
                if ((mode & FILE_TYPE) == SOCKET && !UnixSocket.answers(file)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}

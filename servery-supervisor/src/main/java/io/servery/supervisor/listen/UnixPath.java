package io.servery.supervisor.listen;

import io.servery.supervisor.channel.UnixSocket;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// The file of a Unix socket before it is bound, and after its end.
public final class UnixPath {
    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private UnixPath() {
    }

    /// A socket file that nobody answers on was left by a process that was killed; any other file is not ours to remove.
    static void removeStale(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        if (!isSocket(path)) {
            throw new BindException("the path exists and is not a socket");
        }
        if (UnixSocket.answers(path)) {
            throw new BindException("another process listens there");
        }
        Files.delete(path);
    }

    /// Removes the file of a socket of ours that is closed. What somebody has put in its place is not ours to remove.
    ///
    /// @throws IOException which says of which path, and what to do
    public static void remove(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!isSocket(path)) {
            throw new IOException(
                    path + ": found something else than the socket that was made there; it is left as it is");
        }
        try {
            Files.deleteIfExists(path);
        } catch (IOException kept) {
            throw new IOException(
                    path + ": the file of the socket could not be removed (" + kept + "); remove it by hand",
                    kept);
        }
    }

    private static boolean isSocket(Path path) throws IOException {
        return ((Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & FILE_TYPE) == SOCKET;
    }
}

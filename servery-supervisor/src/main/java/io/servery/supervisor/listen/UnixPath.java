package io.servery.supervisor.listen;

import io.servery.supervisor.channel.UnixSocket;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The file of a Unix socket of ours, from the time that it is bound until it is removed.
///
/// *Invariant*: while the socket is open no other file has the key of its file, even where that lost its name.
///
/// @param path where it was made
/// @param key which file that is: its device and inode; null where there was none any more
public record UnixPath(Path path, @Nullable Object key) {
    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET = 0140000;

    /// The file of a socket that was bound just now.
    public static UnixPath bound(Path path) {
        try {
            return new UnixPath(path, keyOf(path));
        } catch (IOException gone) {
            // Somebody was faster: there is nothing of ours to remove.
            return new UnixPath(path, null);
        }
    }

    private static @Nullable Object keyOf(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
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

    /// Removes the file, when the socket is closed. What somebody has put in its place is not ours to remove: another kind of
    /// file, or the socket of another process that found the name free.
    ///
    /// @throws IOException which says of which path, and what to do
    public void remove() throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Objects.equals(key, keyOf(path))) {
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

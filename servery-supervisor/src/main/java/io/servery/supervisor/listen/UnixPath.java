package io.servery.supervisor.listen;

import io.servery.supervisor.channel.UnixSocket;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The file of a Unix socket before it is bound.
final class UnixPath {
    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private UnixPath() {
    }

    /// A socket file that nobody answers on was left by a process that was killed; any other file is not ours to remove.
    static void removeStale(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        if (((Integer) Files.getAttribute(path, "unix:mode") & FILE_TYPE) != SOCKET) {
            throw new BindException("the path exists and is not a socket");
        }
        if (UnixSocket.answers(path)) {
            throw new BindException("another process listens there");
        }
        Files.delete(path);
    }
}

package io.servery.supervisor.loop;

import io.servery.supervisor.channel.Poller;
import io.servery.supervisor.channel.UnixSocket;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A Unix socket at which others find this parent.
///
/// *Owner*: the loop. *Invariant*: without room, or without a descriptor to be had, connections wait in the queue.
final class Door implements Poller.Watched, AutoCloseable {
    private static final int BACKLOG = 64;
    /// So long nothing is accepted after a connection could not be.
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    /// Whoever takes connections, to close them.
    interface Host {
        void welcome(UnixSocket connection) throws PosixException;
    }

    private final Path path;
    private final UnixSocket listening;
    private final BooleanSupplier room;
    private final Host host;
    private final Consumer<String> troubled;
    /// Whether it was said that nothing can be accepted, and nothing was since.
    private boolean told;
    private long pausedSince = System.nanoTime() - PAUSE_NANOS;

    /// @param troubled told once, when no connection can be taken, until one could
    Door(Path path, BooleanSupplier room, Host host, Consumer<String> troubled) throws IOException {
        this.path = path;
        this.listening = UnixSocket.listen(path, BACKLOG);
        this.room = room;
        this.host = host;
        this.troubled = troubled;
    }

    Path path() {
        return path;
    }

    @Override
    public int descriptor() {
        boolean paused = System.nanoTime() - pausedSince < PAUSE_NANOS;
        return paused || !room.getAsBoolean() ? -1 : listening.descriptor(); // poll(2) passes over −1
    }

    /// Room is asked for once more: what was heard in the same turn may have taken it.
    @Override
    public void ready(boolean readable, boolean writable) {
        if (!room.getAsBoolean()) {
            return;
        }
        try {
            UnixSocket connection = listening.accept();
            if (connection != null) {
                welcome(connection);
                told = false;
            }
        } catch (PosixException noDescriptor) {
            pausedSince = System.nanoTime();
            tell(noDescriptor);
        }
    }

    /// Whoever waits there does not know, and a worker that is not heard looks as if it were at fault.
    private void tell(PosixException cause) {
        if (!told) {
            told = true;
            troubled.accept("who connects to " + path + " has to wait: " + cause.getMessage());
        }
    }

    private void welcome(UnixSocket connection) throws PosixException {
        try {
            host.welcome(connection);
        } catch (PosixException failed) {
            connection.close();
            throw failed;
        }
    }

    @Override
    public void close() {
        listening.close();
        try {
            Files.deleteIfExists(path);
        } catch (IOException left) {
            // The next parent of this directory removes it.
        }
    }
}

package io.servery.supervisor.host;

import io.servery.core.fault.ExitCode;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.Posix;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// The right to be the one parent of a runtime directory: flock(2) on a file in it, which ends with the process however that
/// ends. Who has it is written there.
///
/// *Owner*: the thread that took it.
public final class RuntimeLock implements AutoCloseable {
    /// The name of the file.
    public static final String FILE = "parent.lock";

    private static final String KEY = "runtime.runtime_directory: ";
    private static final Posix OPEN = Posix.function("open");
    private static final Posix FLOCK = Posix.function("flock");
    private static final Posix FCHOWN = Posix.function("fchown");
    private static final Posix FTRUNCATE = Posix.function("ftruncate");
    private static final Posix WRITE = Posix.function("write");
    private static final long O_RDWR_CREAT_CLOEXEC = 02000102;
    private static final long OWNER_ALONE = 0600;
    private static final long LOCK_EX_NB = 6;

    private final Path directory;
    private final int descriptor;
    private final boolean made;

    private RuntimeLock(Path directory, int descriptor, boolean made) {
        this.directory = directory;
        this.descriptor = descriptor;
        this.made = made;
    }

    /// Takes a directory, which it makes with mode 700 where there is none, and removes the sockets of a parent that died.
    ///
    /// @param uid who the parent is going to be: the directory and the file are that user's
    public static Outcome<RuntimeLock> take(Path directory, int uid, int gid) {
        try {
            boolean made = RuntimeDirectory.claim(directory, uid, gid);
            int descriptor = lock(directory.resolve(FILE));
            if (descriptor < 0) {
                return new Outcome.Refused<>(KEY + "found " + directory + " in use by " + holder(directory)
                        + "; stop it, or give this service a directory of its own", ExitCode.TEMPORARY);
            }
            try {
                FCHOWN.call(descriptor, uid, gid);
                write(descriptor, directory.resolve(FILE));
                RuntimeDirectory.removeStaleSockets(directory);
                return new Outcome.Given<>(new RuntimeLock(directory, descriptor, made));
            } catch (IOException failed) {
                Descriptors.close(descriptor);
                throw failed;
            }
        } catch (PosixException failed) {
            return new Outcome.Refused<>(KEY + failed.getMessage(),
                    failed.is(Errno.EACCES) || failed.is(Errno.EPERM) ? ExitCode.PERMISSION : ExitCode.FAILED);
        } catch (IOException judged) {
            return new Outcome.Refused<>(KEY + judged.getMessage(), ExitCode.CONFIGURATION);
        }
    }

    /// The descriptor of the file, or −1 where another has the lock. A file that its holder removed meanwhile is none.
    private static int lock(Path file) throws IOException {
        while (true) {
            int descriptor = open(file);
            int result = FLOCK.tryCall(descriptor, LOCK_EX_NB);
            if (result == 0 && isStillThere(file, descriptor)) {
                return descriptor;
            }
            Descriptors.close(descriptor);
            if (result == -Errno.EAGAIN) {
                return -1;
            }
            if (result < 0) {
                throw FLOCK.failure(result).about(file.toString());
            }
        }
    }

    private static int open(Path file) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            return OPEN.call(Posix.text(arena, file.toString()).address(), O_RDWR_CREAT_CLOEXEC, OWNER_ALONE);
        } catch (PosixException failed) {
            throw failed.about(file.toString());
        }
    }

    private static boolean isStillThere(Path file, int descriptor) throws IOException {
        try {
            return Files.getAttribute(file, "unix:ino")
                    .equals(Files.getAttribute(Path.of("/proc/self/fd/" + descriptor), "unix:ino"));
        } catch (NoSuchFileException removed) {
            return false;
        }
    }

    private static String holder(Path directory) throws IOException {
        String pid = Files.readString(directory.resolve(FILE)).strip();
        return pid.isEmpty() ? "another parent" : "the parent with pid " + pid;
    }

    private static void write(int descriptor, Path file) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pid = arena.allocateFrom(ValueLayout.JAVA_BYTE,
                    (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII));
            WRITE.call(descriptor, pid.address(), pid.byteSize());
            FTRUNCATE.call(descriptor, pid.byteSize());
        } catch (PosixException failed) {
            throw failed.about(file.toString());
        }
    }

    /// The directory that is this parent's.
    public Path directory() {
        return directory;
    }

    /// Lets go of the directory; removes the file, and the directory if it was made here and nothing else is in it.
    @Override
    public void close() throws IOException {
        try {
            Files.deleteIfExists(directory.resolve(FILE)); // while it is locked, or it could be another's already
        } finally {
            Descriptors.close(descriptor);
        }
        if (made) {
            try {
                Files.deleteIfExists(directory);
            } catch (DirectoryNotEmptyException | AccessDeniedException kept) {
                // What others put there is theirs, and another parent may have come; or the directory above is one in which
                // the user of the service may remove nothing.
            }
        }
    }
}

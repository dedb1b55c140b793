package io.servery.netty.files.open;

import static io.servery.netty.files.open.OpenFlags.O_DIRECTORY;
import static io.servery.netty.files.open.OpenFlags.PLACE;
import static io.servery.netty.files.open.OpenFlags.READ;

import io.servery.core.config.StaticFiles.Symlinks;
import io.servery.http.exchange.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A directory whose contents are served: opened once, so that renaming or replacing it later changes nothing until the
/// next generation opens it anew.
///
/// *Owner*: any thread, until it is closed. What it does blocks: it belongs on a lane.
public final class Root implements AutoCloseable {
    private static final byte[] ITSELF = {};

    private final Calls calls;
    private final int descriptor;
    private final Beneath beneath;

    private Root(Calls calls, int descriptor, Symlinks policy) {
        this.calls = calls;
        this.descriptor = descriptor;
        this.beneath = new Beneath(calls, descriptor, policy);
    }

    /// Opens the directory.
    ///
    /// @throws IOException when it is not there, is no directory or may not be searched, or when this is not Linux
    public static Root open(Path directory, Symlinks policy) throws IOException {
        String system = System.getProperty("os.name");
        if (!system.equals("Linux")) {
            throw new IOException("root: " + directory + ": found " + system
                    + "; expected Linux, whose system calls keep files beneath their root");
        }
        return open(directory, policy, Calls.ofKernel());
    }

    static Root open(Path directory, Symlinks policy, Calls calls) throws IOException {
        byte[] path = directory.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8);
        int descriptor = calls.openat(Calls.AT_FDCWD, path, PLACE | O_DIRECTORY);
        if (descriptor < 0) {
            throw new IOException("root: " + directory + ": cannot be opened (error " + -descriptor
                    + "); expected a directory that this process may search");
        }
        return new Root(calls, descriptor, policy);
    }

    /// Whether the kernel contains lookups (`openat2`), or our walk does.
    public boolean containedByKernel() {
        return beneath.byKernel();
    }

    /// Opens what lies at a path.
    ///
    /// @param path relative to the root, without empty segments, `.` and `..`, without a slash at its ends; empty for the
    ///     root itself
    public Opened open(String path) {
        if (climbs(path)) {
            return refused(Errno.EXDEV);
        }
        byte[] bytes = bytes(path);
        int opened = beneath.open(bytes, READ);
        if (opened == -Errno.EACCES) {
            return unreadable(bytes);
        }
        return opened < 0 ? refused(-opened) : judged(opened, bytes);
    }

    /// Gives the directory back; what was opened beneath it stays open.
    @Override
    public void close() {
        calls.close(descriptor);
    }

    // Targets are free of this long before; the kernel would contain it, our walk and `follow` would not.
    private static boolean climbs(String path) {
        return path.contains("..") && ("/" + path + "/").contains("/../");
    }

    private static byte[] bytes(String path) {
        if (path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("path: found NUL; it would end the path early");
        }
        return path.getBytes(StandardCharsets.UTF_8);
    }

    private Opened judged(int opened, byte[] path) {
        Attributes attributes = new Attributes();
        int known = calls.stat(opened, ITSELF, attributes);
        if (known >= 0 && attributes.directory()) {
            return new Opened.Directory(new OpenedDirectory(calls, beneath, path, opened, true));
        }
        if (known >= 0 && attributes.regular()) {
            return file(opened, attributes);
        }
        calls.close(opened);
        return known < 0 ? refused(-known) : new Opened.Refused(Refusal.NOT_FOUND, 0);
    }

    private Opened file(int opened, Attributes attributes) {
        try {
            return new Opened.File(
                    new OpenedFile(calls, DescriptorChannel.of(opened, calls), attributes.identity()));
        } catch (IOException e) {
            calls.close(opened);
            return new Opened.Refused(Refusal.STORAGE_FAILED, Errno.EIO);
        }
    }

    /// A directory that may be searched but not read still holds files that may be served.
    private Opened unreadable(byte[] path) {
        int place = beneath.open(path, PLACE | O_DIRECTORY);
        return place < 0
                ? refused(Errno.EACCES)
                : new Opened.Directory(new OpenedDirectory(calls, beneath, path, place, false));
    }

    private static Opened refused(int errno) {
        return new Opened.Refused(Errno.refusal(errno), errno);
    }
}

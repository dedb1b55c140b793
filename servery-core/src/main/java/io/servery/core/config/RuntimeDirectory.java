package io.servery.core.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Where a service has its sockets: the one rule that its parent and the commands of its operator share.
///
///     runtime.runtime_directory                      where it is configured
///     $XDG_RUNTIME_DIR/servery/NAME                  else
///     the temporary directory/servery-UID/NAME       without that variable, or where the first would be too long
///
/// NAME is the beginning of the SHA-256 of the real path of the configuration file, or `pid-` and the process id of a
/// service without one: that directory is named on the command line.
public final class RuntimeDirectory {
    /// The socket on which the operator is heard.
    public static final String OPERATOR_SOCKET = "operator.sock";

    /// Leaves room for the name of a socket below it: a socket address holds 107 bytes.
    static final int BYTES_MAX = 80;

    private static final int NAME_DIGITS = 16;
    private static final int OTHERS_WRITE = 0022;
    private static final int PERMISSIONS = 0777;
    private static final int ROOT = 0;

    private RuntimeDirectory() {
    }

    /// What the rule looks at of the process.
    ///
    /// @param temporary the temporary directory
    /// @param uid of the process
    public record Host(Map<String, String> environment, Path temporary, int uid) {
        public Host {
            environment = Map.copyOf(environment);
        }

        /// This process.
        public static Host of(Map<String, String> environment) throws IOException {
            return new Host(environment, Path.of(System.getProperty("java.io.tmpdir", "/tmp")),
                    (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        }
    }

    /// The directory of a service that has a configuration file.
    ///
    /// @param configured `runtime.runtime_directory`
    /// @param file absolute
    /// @throws IOException in words for people where every place would be too long
    public static Path ofFile(Optional<Path> configured, Path file, Host host) throws IOException {
        return configured.isPresent() ? configured.get() : of(digest(real(file).toString()), host);
    }

    /// The directory of a service without a configuration file.
    ///
    /// @throws IOException in words for people where every place would be too long
    public static Path ofProcess(Optional<Path> configured, long pid, Host host) throws IOException {
        return configured.isPresent() ? configured.get() : of("pid-" + pid, host);
    }

    private static Path of(String name, Host host) throws IOException {
        String variable = host.environment().getOrDefault("XDG_RUNTIME_DIR", "");
        Stream<Path> user = variable.startsWith("/") ? Stream.of(Path.of(variable, "servery")) : Stream.empty();
        List<Path> places = Stream.concat(user, Stream.of(host.temporary().resolve("servery-" + host.uid())))
                .map(base -> base.resolve(name).toAbsolutePath()).toList();
        return places.stream().filter(RuntimeDirectory::fits).findFirst()
                .orElseThrow(() -> new IOException("found no place for a private runtime directory: " + places.getLast()
                        + " is longer than " + BYTES_MAX + " bytes; expected `runtime.runtime_directory`"));
    }

    private static boolean fits(Path directory) {
        return directory.toString().getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX;
    }

    /// The real path, or what it would be: a file that is gone still names its service.
    private static Path real(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        try {
            return absolute.toRealPath();
        } catch (IOException _) {
            Path parent = absolute.getParent();
            return parent == null ? absolute : real(parent).resolve(absolute.getFileName());
        }
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, NAME_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// Makes the directory above a private one for this user alone, or takes the one that is there if nobody else can write
    /// into it. Above a configured one nothing is made.
    ///
    /// @throws IOException in words for people when it cannot be had
    public static void claimAbove(Path directory, Host host) throws IOException {
        Path parent = directory.getParent();
        if (parent != null && isPrivate(parent, host)) {
            create(parent);
            check(parent, host, false);
        }
    }

    /// Whether the directory above is one that this rule makes.
    private static boolean isPrivate(Path parent, Host host) {
        String variable = host.environment().getOrDefault("XDG_RUNTIME_DIR", "");
        return parent.equals(host.temporary().resolve("servery-" + host.uid()).toAbsolutePath())
                || variable.startsWith("/") && parent.equals(Path.of(variable, "servery"));
    }

    private static void create(Path directory) throws IOException {
        try {
            Files.createDirectory(directory,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException _) {
            // Judged by the caller.
        } catch (IOException refused) {
            throw new IOException(directory + ": found that it cannot be made ("
                    + Printable.cause(refused) + "); expected a directory above it that can be written into",
                    refused);
        }
    }

    /// Whether what is there can be trusted by an operator: nobody but this user or root put it there.
    ///
    /// @throws IOException in words for people when it cannot, or when nothing is there
    public static void vet(Path directory, Host host) throws IOException {
        check(directory, host, true);
        Path parent = directory.getParent();
        if (parent != null && isPrivate(parent, host)) {
            check(parent, host, true);
        }
    }

    private static void check(Path directory, Host host, boolean operator) throws IOException {
        int owner;
        int mode;
        try {
            owner = (int) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            mode = (int) Files.getAttribute(directory, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        } catch (AccessDeniedException refused) {
            throw new IOException(directory + ": found no permission to look at it; expected it", refused);
        }
        boolean trusted = owner == host.uid() || operator && (owner == ROOT || host.uid() == ROOT);
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) || !trusted || (mode & OTHERS_WRITE) != 0) {
            throw new IOException(directory + ": found something of user " + owner + " with mode "
                    + Integer.toOctalString(mode & PERMISSIONS) + "; expected a directory of user " + host.uid()
                    + " that nobody else can write into");
        }
    }
}

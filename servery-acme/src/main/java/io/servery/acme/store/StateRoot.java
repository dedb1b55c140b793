package io.servery.acme.store;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.servery.core.tls.Identity;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Where a service keeps what concerns its certificates, and the lock that makes it the only one there.
///
///     acme/lock                            held for as long as this is open
///     acme/account-HASH/                   the account at one authority, for one external account
///     acme/NAME-HASH/                      one set of names at one authority
///
/// *Owner*: any thread.
public final class StateRoot implements AutoCloseable {
    private static final int HASH_BYTES = 8;
    private static final int NAME_CHARS_MAX = 100;

    private final Disk disk;
    private final Path acme;
    private final FileChannel lock;

    private StateRoot(Disk disk, Path acme, FileChannel lock) {
        this.disk = disk;
        this.acme = acme;
        this.lock = lock;
    }

    /// Takes the lock.
    ///
    /// @param root of all state of the service; made if it is not there
    /// @throws StateException if what is there is open to others, is another's, or is in use
    public static StateRoot open(Path root) throws IOException {
        Path acme = root.resolve("acme");
        Privacy.requirePrivateDirectory(acme);
        FileChannel lock = lock(acme);
        try {
            Privacy.requireOwn(acme);
            Disk disk = new RealDisk();
            disk.syncDirectory(root);
            return new StateRoot(disk, acme, lock);
        } catch (IOException | RuntimeException failed) {
            lock.close();
            throw failed;
        }
    }

    /// What one set of names at one authority keeps. With others it begins anew, and finds what it had when they come back.
    ///
    /// @param authority URL of its directory
    /// @param externalAccount the identifier of its key, which an account is bound to for as long as it lives (RFC 8555,
    ///        section 7.3.4): with another one it is another account
    /// @throws StateException if what is there is open to others, or is another's
    public StateDirectory of(URI authority, Optional<String> externalAccount, List<String> names) throws IOException {
        Path withoutExternal = account(authority.toString());
        Path ofAccount = externalAccount.map(key -> account(authority + " " + key)).orElse(withoutExternal);
        Path ofIdentity = path(authority, names);
        for (Path directory : List.of(ofAccount, ofIdentity)) {
            Privacy.requirePrivateDirectory(directory);
            Privacy.requireOwn(directory);
        }
        disk.syncDirectory(acme);
        if (externalAccount.isPresent()) {
            adopt(withoutExternal, ofAccount);
        }
        return new StateDirectory(disk, ofAccount, ofIdentity);
    }

    /// The certificate that these names have, and nothing made: for whoever asks while another set of names is in use.
    public Loaded<Identity> certificate(URI authority, List<String> names) throws IOException {
        return StateDirectory.certificate(path(authority, names)).read(disk);
    }

    /// Gives the lock back.
    @Override
    public void close() throws IOException {
        lock.close();
    }

    private Path account(String whose) {
        return acme.resolve("account-" + hash(whose));
    }

    /// Builds before kept every account of an authority under the name that is now that of one without an external account, and did
    /// not note that the authority was told of it. Such a one is moved to where it belongs, once: another would be registered in
    /// its place, and some authorities let a key identifier be used for one alone.
    private void adopt(Path former, Path ofAccount) throws IOException {
        RecordFile<KeptAccount> before = StateDirectory.account(former);
        RecordFile<KeptAccount> now = StateDirectory.account(ofAccount);
        if (!now.isPresent() && before.peek().filter(account -> !account.told()).isPresent()) {
            disk.rename(before.path(), now.path());
            disk.syncDirectory(ofAccount);
            disk.syncDirectory(former);
        }
    }

    private Path path(URI authority, List<String> names) {
        List<String> sorted = names.stream().sorted().distinct().toList();
        return acme.resolve(readable(sorted.getFirst()) + "-" + hash(authority + " " + String.join(" ", sorted)));
    }

    private static FileChannel lock(Path acme) throws IOException {
        Path file = acme.resolve("lock");
        FileChannel channel = FileChannel.open(file, Set.of(CREATE, WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        if (tryLock(channel) == null) {
            channel.close();
            throw new StateException(file, "found the lock taken; expected no other process that uses this directory");
        }
        return channel;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException ofThisProcess) {
            return null;
        }
    }

    private static String hash(String text) {
        return HexFormat.of().formatHex(Envelope.sha256(text.getBytes(StandardCharsets.UTF_8)), 0, HASH_BYTES);
    }

    private static String readable(String name) {
        String safe = name.replaceAll("[^A-Za-z0-9.-]", "_");
        return safe.substring(0, Math.min(safe.length(), NAME_CHARS_MAX));
    }
}

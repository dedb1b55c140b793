package io.servery.acme.store;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.servery.acme.renewal.History;
import io.servery.core.tls.Identity;
import io.servery.core.tls.KeyPairs;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What one identity keeps, and the lock that makes it the only one.
///
///     acme/lock                            held for as long as this is open
///     acme/account-HASH/account            the key of the account at one authority
///     acme/NAME-HASH/certificate           what is active; chain and key in one file
///     acme/NAME-HASH/candidate             what was obtained and is not active yet
///     acme/NAME-HASH/order                 the order under way
///     acme/NAME-HASH/history               failures
///     acme/…/KIND.damaged                  what was found damaged last
///
/// An identity is the authority and the names: with others it begins anew, and finds what it had when they come back.
///
/// *Owner*: one thread at a time.
public final class StateDirectory implements AutoCloseable {
    private static final int HASH_BYTES = 8;
    private static final RecordFile.Codec<Identity> IDENTITY = new PemCodec<>(
            identity -> identity.certificatesPem() + identity.keyPem(), text -> Identity.of(text, text));
    private static final int NAME_CHARS_MAX = 100;

    private final Disk disk;
    private final FileChannel lock;
    private final RecordFile<KeyPair> account;
    private final RecordFile<Identity> certificate;
    private final RecordFile<Identity> candidate;
    private final RecordFile<PendingOrder> order;
    private final RecordFile<History> history;

    private StateDirectory(Disk disk, FileChannel lock, Path ofAccount, Path ofIdentity) {
        this.disk = disk;
        this.lock = lock;
        account = new RecordFile<>(ofAccount, "account", new PemCodec<>(KeyPairs::pem, KeyPairs::of));
        certificate = new RecordFile<>(ofIdentity, "certificate", IDENTITY);
        candidate = new RecordFile<>(ofIdentity, "candidate", IDENTITY);
        order = new RecordFile<>(ofIdentity, "order", PendingOrder.CODEC);
        history = new RecordFile<>(ofIdentity, "history", new HistoryCodec());
    }

    /// The state of one set of names at one authority, locked against every other owner until it is closed.
    ///
    /// @param root of all state of the service; made if it is not there
    /// @param authority URL of its directory
    /// @throws StateException if what is there is open to others, is another's, or is in use
    public static StateDirectory open(Path root, URI authority, List<String> names) throws IOException {
        return open(new RealDisk(), root, authority, names);
    }

    static StateDirectory open(Disk disk, Path root, URI authority, List<String> names) throws IOException {
        Path acme = root.resolve("acme");
        Privacy.requirePrivateDirectory(acme);
        FileChannel lock = lock(acme);
        try {
            Path ofAccount = acme.resolve("account-" + hash(authority.toString()));
            List<String> sorted = names.stream().sorted().distinct().toList();
            Path ofIdentity = acme.resolve(readable(names.getFirst()) + "-" + hash(authority + " "
                    + String.join(" ", sorted)));
            Privacy.requirePrivateDirectory(ofAccount);
            Privacy.requirePrivateDirectory(ofIdentity);
            for (Path directory : List.of(acme, ofAccount, ofIdentity)) {
                Privacy.requireOwn(directory);
            }
            disk.syncDirectory(root);
            disk.syncDirectory(acme);
            StateDirectory state = new StateDirectory(disk, lock, ofAccount, ofIdentity);
            state.deleteLeftovers();
            return state;
        } catch (IOException | RuntimeException failed) {
            lock.close();
            throw failed;
        }
    }

    public Loaded<KeyPair> account() throws IOException {
        return account.read(disk);
    }

    public void keepAccount(KeyPair key) throws IOException {
        account.write(disk, key);
    }

    public Loaded<Identity> certificate() throws IOException {
        return certificate.read(disk);
    }

    public Loaded<Identity> candidate() throws IOException {
        return candidate.read(disk);
    }

    public void keepCandidate(Identity obtained) throws IOException {
        candidate.write(disk, obtained);
    }

    public void discardCandidate() throws IOException {
        candidate.delete(disk);
    }

    /// The candidate is the certificate from now on. What stops on the way leaves the candidate too, which is offered again.
    public void promoteCandidate() throws IOException {
        if (candidate.read(disk) instanceof Loaded.Present<Identity>(Identity obtained)) {
            certificate.write(disk, obtained);
            candidate.delete(disk);
        }
    }

    public Loaded<PendingOrder> order() throws IOException {
        return order.read(disk);
    }

    public void keepOrder(PendingOrder pending) throws IOException {
        order.write(disk, pending);
    }

    public void discardOrder() throws IOException {
        order.delete(disk);
    }

    public Loaded<History> history() throws IOException {
        return history.read(disk);
    }

    public void keepHistory(History next) throws IOException {
        history.write(disk, next);
    }

    /// Gives the lock back.
    @Override
    public void close() throws IOException {
        lock.close();
    }

    private void deleteLeftovers() throws IOException {
        for (RecordFile<?> file : List.of(account, certificate, candidate, order, history)) {
            file.deleteLeftover(disk);
        }
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

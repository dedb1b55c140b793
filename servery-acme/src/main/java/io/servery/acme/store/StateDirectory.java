package io.servery.acme.store;

import io.servery.acme.renewal.History;
import io.servery.core.tls.Identity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// What one identity keeps, beneath a [StateRoot].
///
///     acme/account-HASH/account            one account at one authority
///     acme/NAME-HASH/certificate           what is active; chain and key in one file
///     acme/NAME-HASH/candidate             what was obtained and is not active yet
///     acme/NAME-HASH/order                 the order under way
///     acme/NAME-HASH/history               failures
///     acme/…/KIND.damaged                  what was found damaged last
///
/// *Owner*: one thread at a time. *Invariant*: its root is open.
public final class StateDirectory {
    private static final RecordFile.Codec<Identity> IDENTITY = new PemCodec<>(
            identity -> identity.certificatesPem() + identity.keyPem(), text -> Identity.of(text, text));

    private final Disk disk;
    private final RecordFile<KeptAccount> account;
    private final RecordFile<Identity> certificate;
    private final RecordFile<Identity> candidate;
    private final RecordFile<PendingOrder> order;
    private final RecordFile<History> history;

    StateDirectory(Disk disk, Path ofAccount, Path ofIdentity) throws IOException {
        this.disk = disk;
        account = account(ofAccount);
        certificate = certificate(ofIdentity);
        candidate = new RecordFile<>(ofIdentity, "candidate", IDENTITY);
        order = new RecordFile<>(ofIdentity, "order", PendingOrder.CODEC);
        history = new RecordFile<>(ofIdentity, "history", new HistoryCodec());
        for (RecordFile<?> file : List.of(account, certificate, candidate, order, history)) {
            file.deleteLeftover(disk);
        }
    }

    static RecordFile<KeptAccount> account(Path ofAccount) {
        return new RecordFile<>(ofAccount, "account", KeptAccount.CODEC);
    }

    static RecordFile<Identity> certificate(Path ofIdentity) {
        return new RecordFile<>(ofIdentity, "certificate", IDENTITY);
    }

    /// The account.
    public Loaded<KeptAccount> account() throws IOException {
        return account.read(disk);
    }

    /// Keeps the account.
    public void keepAccount(KeptAccount known) throws IOException {
        account.write(disk, known);
    }

    /// What is active.
    public Loaded<Identity> certificate() throws IOException {
        return certificate.read(disk);
    }

    /// What was obtained and is not active yet.
    public Loaded<Identity> candidate() throws IOException {
        return candidate.read(disk);
    }

    /// Keeps what was obtained.
    public void keepCandidate(Identity obtained) throws IOException {
        candidate.write(disk, obtained);
    }

    /// Forgets what was obtained.
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

    /// The order under way.
    public Loaded<PendingOrder> order() throws IOException {
        return order.read(disk);
    }

    /// Keeps the order under way.
    public void keepOrder(PendingOrder pending) throws IOException {
        order.write(disk, pending);
    }

    /// Forgets the order.
    public void discardOrder() throws IOException {
        order.delete(disk);
    }

    /// What failed, and until when the authority wants to be left alone.
    public Loaded<History> history() throws IOException {
        return history.read(disk);
    }

    /// Keeps what failed.
    public void keepHistory(History next) throws IOException {
        history.write(disk, next);
    }
}

package io.servery.netty.identity;

import io.servery.core.config.Tls;
import io.servery.core.fault.Fault;
import io.servery.core.tls.AuthoritiesReading;
import io.servery.core.tls.CertificateNames;
import io.servery.core.tls.Credentials;
import io.servery.core.tls.Identity;
import io.servery.core.tls.IdentityReader;
import io.servery.core.tls.IdentityReading;
import io.servery.core.tls.IdentityText;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the files that `[tls]` names, and finds every fault of all of them at once.
///
/// *Owner*: a thread that may wait for a file system.
public final class CredentialFiles {
    private static final String DEFAULT_TABLE = "tls.manual";
    private static final String IDENTITY_TABLE = "tls.identity";

    private final Tls.On tls;
    private final Instant now;
    private final List<Fault> faults = new ArrayList<>();

    private CredentialFiles(Tls.On tls, Instant now) {
        this.tls = tls;
        this.now = now;
    }

    /// What is to be shown.
    ///
    /// @param made the identity that no file holds, where the configuration asks for such a one
    /// @param now when it must be valid
    public static CredentialsReading read(Tls.On tls, Supplier<Identity> made, Instant now) {
        return new CredentialFiles(tls, now).read(made, true).whole();
    }

    /// The same, each identity by itself: one that cannot be shown keeps no other from being. Not whose word is taken for
    /// that of clients, which holds for the life of a generation.
    static Parts parts(Tls.On tls, Supplier<Identity> made, Instant now) {
        return new CredentialFiles(tls, now).read(made, false);
    }

    /// What was found of each identity, in the order of the configuration, that by default first.
    ///
    /// @param names the hosts that choose each; empty of that by default
    record Parts(List<Optional<Identity>> identities, List<List<String>> names, List<X509Certificate> authorities,
            List<Fault> faults) {
        CredentialsReading whole() {
            return faults.isEmpty()
                    ? new CredentialsReading.Accepted(
                            of(identities.stream().map(Optional::orElseThrow).toList(), authorities))
                    : new CredentialsReading.Refused(faults);
        }

        /// With what was shown before in the place of what cannot be.
        Credentials orElse(Credentials before) {
            List<Identity> known = before.identities().toList();
            return known.size() == identities.size()
                    ? of(IntStream.range(0, known.size()).mapToObj(at -> identities.get(at).orElse(known.get(at)))
                            .toList(), before.clientAuthorities())
                    : before;
        }

        private Credentials of(List<Identity> all, List<X509Certificate> clients) {
            return new Credentials(all.getFirst(), IntStream.range(1, all.size()).mapToObj(
                    at -> new Credentials.Named(all.get(at), CertificateNames.of(names.get(at)))).toList(),
                    clients);
        }
    }

    /// The files of identities: what is shown changes when one of them does.
    public static List<Path> watched(Tls.On tls) {
        return tls.source() instanceof Tls.Manual(Tls.Files byDefault, List<Tls.Identity> others)
                ? Stream.concat(Stream.of(byDefault), others.stream().map(Tls.Identity::files))
                        .flatMap(files -> Stream.of(files.certificate(), files.privateKey())).distinct().toList()
                : List.of();
    }

    /// @param clients whether to read whose word is taken for that of clients
    private Parts read(Supplier<Identity> made, boolean clients) {
        List<X509Certificate> authorities = !clients || tls.clientCertificates() == Tls.ClientCertificates.OFF
                ? List.of()
                : tls.clientCaFile().map(this::clientAuthorities).orElseGet(List::of);
        List<Optional<Identity>> identities = new ArrayList<>();
        List<List<String>> names = new ArrayList<>(List.of(List.of()));
        switch (tls.source()) {
            case Tls.SelfSigned _,Tls.Acme _ -> identities.add(Optional.of(made.get()));
            case Tls.Manual(Tls.Files files, List<Tls.Identity> others) -> {
                identities.add(identity(DEFAULT_TABLE, files, List.of()));
                for (Tls.Identity other : others) {
                    identities.add(identity(IDENTITY_TABLE, other.files(), other.names()));
                    names.add(other.names());
                }
            }
            case Tls.OfParent _ -> throw new IllegalStateException("a worker reads no files of identities");
        }
        return new Parts(identities, names, authorities, faults.stream().sorted(Fault.BY_PLACE).toList());
    }

    private Optional<Identity> identity(String table, Tls.Files files, List<String> names) {
        String certificates = text(table + ".certificate_file", files.certificate());
        String key = text(table + ".private_key_file", files.privateKey());
        if (certificates == null || key == null) {
            return Optional.empty();
        }
        IdentityText text = new IdentityText(table, files.certificate().toString(), certificates,
                files.privateKey().toString(), key, files.password(), names);
        return switch (IdentityReader.read(text, now)) {
            case IdentityReading.Accepted(Identity identity) -> Optional.of(identity);
            case IdentityReading.Refused(List<Fault> found) -> {
                faults.addAll(found);
                yield Optional.empty();
            }
        };
    }

    private List<X509Certificate> clientAuthorities(Path file) {
        return switch (authorities("tls.client_ca_file", file)) {
            case AuthoritiesReading.Accepted(List<X509Certificate> certificates) -> certificates;
            case AuthoritiesReading.Refused(List<Fault> found) -> {
                faults.addAll(found);
                yield List.of();
            }
        };
    }

    /// The certificates of authorities that a file holds.
    ///
    /// @param key the key of the configuration that names it
    public static AuthoritiesReading authorities(String key, Path file) {
        return switch (FileText.read(key, file)) {
            case FileText.Read(String text) -> AuthoritiesReading.read(key, file.toString(), text);
            case FileText.Unread(Fault fault) -> new AuthoritiesReading.Refused(List.of(fault));
        };
    }

    private @Nullable String text(String key, Path file) {
        return switch (FileText.read(key, file)) {
            case FileText.Read(String text) -> text;
            case FileText.Unread(Fault fault) -> {
                faults.add(fault);
                yield null;
            }
        };
    }
}

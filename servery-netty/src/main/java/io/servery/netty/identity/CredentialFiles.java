package io.servery.netty.identity;

import io.servery.core.config.Tls;
import io.servery.core.fault.Fault;
import io.servery.core.fault.Place;
import io.servery.core.tls.AuthoritiesReading;
import io.servery.core.tls.CertificateNames;
import io.servery.core.tls.Credentials;
import io.servery.core.tls.Identity;
import io.servery.core.tls.IdentityReader;
import io.servery.core.tls.IdentityReading;
import io.servery.core.tls.IdentityText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
    /// Far more than a chain needs, and than the authorities of the world.
    private static final int BYTES_MAX = 1 << 20;

    private final Tls.On tls;
    private final Instant now;
    private final List<Fault> faults = new ArrayList<>();

    private CredentialFiles(Tls.On tls, Instant now) {
        this.tls = tls;
        this.now = now;
    }

    /// What is to be shown.
    ///
    /// @param selfSigned the identity that vouches for itself, where the configuration asks for one
    /// @param now when it must be valid
    public static CredentialsReading read(Tls.On tls, Supplier<Identity> selfSigned, Instant now) {
        return new CredentialFiles(tls, now).read(selfSigned, true).whole();
    }

    /// The same, each identity by itself: one that cannot be shown keeps no other from being. Not whose word is taken for
    /// that of clients, which holds for the life of a generation.
    static Parts parts(Tls.On tls, Supplier<Identity> selfSigned, Instant now) {
        return new CredentialFiles(tls, now).read(selfSigned, false);
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
    private Parts read(Supplier<Identity> selfSigned, boolean clients) {
        List<X509Certificate> authorities = !clients || tls.clientCertificates() == Tls.ClientCertificates.OFF
                ? List.of()
                : tls.clientCaFile().map(this::authorities).orElseGet(List::of);
        List<Optional<Identity>> identities = new ArrayList<>();
        List<List<String>> names = new ArrayList<>(List.of(List.of()));
        switch (tls.source()) {
            case Tls.SelfSigned _ -> identities.add(Optional.of(selfSigned.get()));
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

    private List<X509Certificate> authorities(Path file) {
        String text = text("tls.client_ca_file", file);
        return switch (text == null ? null : AuthoritiesReading.read("tls.client_ca_file", file.toString(), text)) {
            case null -> List.of();
            case AuthoritiesReading.Accepted(List<X509Certificate> certificates) -> certificates;
            case AuthoritiesReading.Refused(List<Fault> found) -> {
                faults.addAll(found);
                yield List.of();
            }
        };
    }

    /// PEM is ASCII; whatever else is there is for its reader to refuse.
    private @Nullable String text(String key, Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                refuse(key, file, Files.exists(file) ? "no regular file" : "no file", "one in PEM");
            } else if (Files.size(file) > BYTES_MAX) {
                refuse(key, file, "more than " + BYTES_MAX + " bytes", "a file in PEM");
            } else {
                return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            }
        } catch (AccessDeniedException _) {
            refuse(key, file, "no permission to read it", "a file that the user of the service may read");
        } catch (NoSuchFileException _) {
            refuse(key, file, "no file", "one in PEM");
        } catch (IOException e) {
            refuse(key, file, "a file that cannot be read (" + e.getMessage() + ")", "one in PEM");
        }
        return null;
    }

    private void refuse(String key, Path file, String found, String expected) {
        faults.add(Fault.configuration(new Place.Named(file.toString()),
                "`" + key + "`: found " + found + "; expected " + expected));
    }
}

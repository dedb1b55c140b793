package io.servery.interop.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// The two files of an identity.
///
/// @param chain its certificate and those that follow it
/// @param key its private key
record Pair(Path chain, Path key) {

    /// The lines of a table that name them.
    String files() {
        return "certificate_file = \"" + chain + "\"\nprivate_key_file = \"" + key + "\"";
    }

    /// The end of `[tls]` and the whole of `[tls.manual]`.
    String manual() {
        return "mode = \"manual\"\n[tls.manual]\n" + files();
    }

    /// A whole `[[tls.identity]]`.
    String identity(String... names) {
        return "[[tls.identity]]\nnames = [\"" + String.join("\", \"", names) + "\"]\n" + files();
    }

    List<X509Certificate> certificates() {
        try (InputStream in = Files.newInputStream(chain)) {
            List<X509Certificate> certificates = new ArrayList<>();
            CertificateFactory.getInstance("X.509").generateCertificates(in)
                    .forEach(each -> certificates.add((X509Certificate) each));
            return certificates;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (CertificateException e) {
            throw new IllegalStateException(e);
        }
    }

    /// By this one certificate is told from another.
    BigInteger serial() {
        return certificates().getFirst().getSerialNumber();
    }

    /// A copy in a folder of its own, to be changed.
    Pair copy(Path folder) {
        try {
            Files.createDirectories(folder);
            Pair copy = new Pair(folder.resolve("tls.crt"), folder.resolve("tls.key"));
            copy.become(this);
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Has these files replaced, each by a rename, one after the other.
    void become(Pair next) {
        replace(chain, next.chain);
        replace(key, next.key);
    }

    private static void replace(Path file, Path next) {
        try {
            Path beside = file.resolveSibling(file.getFileName() + ".next");
            Files.copy(next, beside, StandardCopyOption.REPLACE_EXISTING);
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Has these files written over in place.
    void overwrite(Pair next) {
        try {
            Files.write(chain, Files.readAllBytes(next.chain));
            Files.write(key, Files.readAllBytes(next.key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

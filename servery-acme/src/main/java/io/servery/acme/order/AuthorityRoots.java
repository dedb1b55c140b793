package io.servery.acme.order;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;

/// The file `tls.acme.directory_ca_file`: by whom a private authority is trusted.
public final class AuthorityRoots {
    private AuthorityRoots() {
    }

    /// The certificates of a file.
    ///
    /// @throws IOException if the file cannot be read, or holds anything but certificates in PEM
    public static List<X509Certificate> read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            List<X509Certificate> roots = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast).toList();
            if (roots.isEmpty()) {
                throw new IOException(file + ": found no certificate; expected at least one in PEM");
            }
            return roots;
        } catch (CertificateException unreadable) {
            throw new IOException(file + ": found " + unreadable.getMessage() + "; expected certificates in PEM",
                    unreadable);
        }
    }
}

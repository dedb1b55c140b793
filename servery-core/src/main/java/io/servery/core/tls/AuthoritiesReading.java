package io.servery.core.tls;

import io.servery.core.fault.Fault;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// What became of a file with the certificates of authorities.
public sealed interface AuthoritiesReading {

    /// Every certificate of the file, at least one.
    record Accepted(List<X509Certificate> certificates) implements AuthoritiesReading {
        public Accepted {
            certificates = List.copyOf(certificates);
        }
    }

    /// Everything that is wrong; at least one fault.
    record Refused(List<Fault> faults) implements AuthoritiesReading {
        public Refused {
            faults = List.copyOf(faults);
        }
    }

    /// Reads the certificates of a file.
    ///
    /// Dates are not judged: a file of many authorities holds old ones, and each handshake judges those that it meets.
    ///
    /// @param key the key of the configuration that names the file: `tls.client_ca_file`
    /// @param file its name
    static AuthoritiesReading read(String key, String file, String text) {
        TlsFaults faults = new TlsFaults(key, file);
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            certificates.addAll(CertificateReader.read(PemText.read(text)));
        } catch (Unusable unusable) {
            faults.add(unusable);
        }
        for (X509Certificate certificate : certificates) {
            if (certificate.getBasicConstraints() < 0) {
                faults.add("the certificate of " + Shown.name(certificate.getSubjectX500Principal())
                        + ", which is no authority", "certificates of authorities");
            }
        }
        return faults.faults().isEmpty() ? new Accepted(certificates) : new Refused(faults.faults());
    }
}

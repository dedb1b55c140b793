package io.servery.core.tls;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// The certificates of a PEM text (RFC 7468 §5). A private key beside them is passed over: some tools write one file.
final class CertificateReader {
    private static final String LABEL = "CERTIFICATE";

    private CertificateReader() {
    }

    /// At least one certificate, in the order of the file.
    ///
    /// @throws Unusable where there is none, or one that cannot be read
    static List<X509Certificate> read(List<PemBlock> blocks) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (PemBlock block : blocks) {
            if (block.label().equals(LABEL)) {
                certificates.add(certificate(block));
            }
        }
        if (certificates.isEmpty()) {
            throw new Unusable(Unusable.NO_LINE,
                    blocks.isEmpty() ? "no PEM block" : "no certificate but " + blocks.getFirst().label(),
                    "a CERTIFICATE");
        }
        return certificates;
    }

    private static X509Certificate certificate(PemBlock block) {
        ByteArrayInputStream content = new ByteArrayInputStream(block.content());
        try {
            if (block.content()[0] == DerReader.SEQUENCE
                    && CertificateFactory.getInstance("X.509").generateCertificate(
                            content) instanceof X509Certificate certificate
                    && content.available() == 0) {
                certificate.getSubjectAlternativeNames(); // an extension that cannot be read is found here, not later
                certificate.getExtendedKeyUsage();
                return certificate;
            }
        } catch (CertificateException _) {
            // Said below; the JDK's reasons are about bytes, and the file is mended as a whole.
        }
        throw new Unusable(block.line(), "a certificate that cannot be read", "X.509 in DER");
    }
}

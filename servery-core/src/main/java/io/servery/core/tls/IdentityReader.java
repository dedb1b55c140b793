package io.servery.core.tls;

import io.servery.core.fault.Fault;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads and judges an identity: every fault of both files at once.
public final class IdentityReader {
    private final IdentityText text;
    private final TlsFaults ofCertificate;
    private final TlsFaults ofKey;
    private final TlsFaults ofNames;

    private IdentityReader(IdentityText text) {
        this.text = text;
        boolean configured = !text.table().isEmpty();
        ofCertificate = new TlsFaults(configured ? text.table() + ".certificate_file" : "certificate",
                text.certificateFile());
        ofKey = new TlsFaults(configured ? text.table() + ".private_key_file" : "private key", text.keyFile());
        ofNames = new TlsFaults(configured ? text.table() + ".names" : "names", text.certificateFile());
    }

    /// The identity of these texts, or everything that is wrong with them.
    ///
    /// @param now the moment at which the chain must be valid
    public static IdentityReading read(IdentityText text, Instant now) {
        return new IdentityReader(text).read(now);
    }

    private IdentityReading read(Instant now) {
        Optional<List<X509Certificate>> chain = chain();
        Optional<PrivateKey> key = key();
        Optional<CertificateNames> names = Optional.empty();
        if (chain.isPresent()) {
            ChainJudge.judge(chain.get(), now, ofCertificate);
            names = Optional.of(names(chain.get().getFirst()));
        }
        if (chain.isPresent() && key.isPresent()) {
            judgeMatch(chain.get(), key.get());
        }
        List<Fault> faults = new ArrayList<>(ofCertificate.faults());
        faults.addAll(ofKey.faults());
        faults.addAll(ofNames.faults());
        return faults.isEmpty()
                ? new IdentityReading.Accepted(
                        new Identity(chain.orElseThrow(), key.orElseThrow(), names.orElseThrow()))
                : new IdentityReading.Refused(faults);
    }

    private Optional<List<X509Certificate>> chain() {
        try {
            return Optional.of(CertificateReader.read(PemText.read(text.certificates())));
        } catch (Unusable unusable) {
            ofCertificate.add(unusable);
            return Optional.empty();
        }
    }

    private Optional<PrivateKey> key() {
        try {
            return Optional.of(PrivateKeyReader.read(PemText.read(text.key()), text.password()));
        } catch (Unusable unusable) {
            ofKey.add(unusable);
            return Optional.empty();
        }
    }

    private CertificateNames names(X509Certificate certificate) {
        try {
            CertificateNames names = CertificateNames.of(certificate);
            for (String wanted : text.names()) {
                CertificateNames asked = CertificateNames.of(List.of(wanted));
                if (asked.isEmpty() || !names.coversAll(asked)) {
                    ofNames.add("\"" + wanted + "\"", "names of the certificate: " + names);
                }
            }
            return names;
        } catch (CertificateParsingException e) {
            throw new IllegalStateException("CertificateReader reads these", e);
        }
    }

    private void judgeMatch(List<X509Certificate> chain, PrivateKey key) {
        if (belongs(key, chain.getFirst())) {
            return;
        }
        for (int at = 1; at < chain.size(); at++) {
            if (belongs(key, chain.get(at))) {
                ofCertificate.add("the certificate of the private key in place " + (at + 1), "it in the first place");
                return;
            }
        }
        ofKey.add("a key that does not belong to the certificate of "
                + Shown.name(chain.getFirst().getSubjectX500Principal()), "the key of that certificate");
    }

    private static boolean belongs(PrivateKey key, X509Certificate certificate) {
        return KeyKind.of(certificate.getPublicKey()).map(kind -> kind.belong(key, certificate.getPublicKey()))
                .orElse(false);
    }
}

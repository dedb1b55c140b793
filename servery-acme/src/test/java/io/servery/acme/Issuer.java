package io.servery.acme;

import io.servery.core.tls.Identity;
import io.servery.core.tls.KeyPairs;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// Issues certificates for tests: a root that signs itself, and whatever it is asked for.
public final class Issuer {
    private static final AtomicLong SERIALS = new AtomicLong(1000);

    private final KeyPair key;
    private final X509Certificate certificate;

    private Issuer(KeyPair key, X509Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    /// What a certificate says.
    public record Wish(Instant from, Instant until, KeyPurposeId usage, List<String> names) {
        public static Wish of(String... names) {
            Instant now = Instant.now();
            return new Wish(now.minus(Duration.ofHours(1)), now.plus(Duration.ofDays(90)),
                    KeyPurposeId.id_kp_serverAuth,
                    List.of(names));
        }

        public Wish during(Instant begin, Instant end) {
            return new Wish(begin, end, usage, names);
        }

        public Wish forUsage(KeyPurposeId other) {
            return new Wish(from, until, other, names);
        }
    }

    public static Issuer root() throws Exception {
        KeyPair key = key();
        Wish wish = Wish.of().during(Instant.now().minus(Duration.ofDays(1)),
                Instant.now().plus(Duration.ofDays(1000)));
        return new Issuer(key, build(wish, key, new X500Name("CN=root"), key, true));
    }

    public static KeyPair key() {
        return KeyPairs.make(new SecureRandom());
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public X509Certificate issue(Wish wish, KeyPair subject) throws Exception {
        return build(wish, subject, new X500Name("CN=root"), key, false);
    }

    /// What the subject shows: its certificate, ours, its key.
    public Identity identity(Wish wish, KeyPair subject) throws Exception {
        return Identity.of(Identity.certificatesPem(List.of(issue(wish, subject), certificate)),
                KeyPairs.pem(subject));
    }

    private static X509Certificate build(Wish wish, KeyPair subject, X500Name issuer, KeyPair issuerKey, boolean isCa)
            throws Exception {
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(issuer,
                BigInteger.valueOf(SERIALS.incrementAndGet()), Date.from(wish.from()), Date.from(wish.until()),
                isCa ? issuer : new X500Name("CN=leaf"), subject.getPublic());
        builder.addExtension(Extension.authorityKeyIdentifier, false,
                new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(issuerKey.getPublic()));
        if (isCa) {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        } else {
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(wish.usage()));
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(wish.names().stream()
                    .map(name -> new GeneralName(name.matches("[0-9.]+|.*:.*")
                            ? GeneralName.iPAddress
                            : GeneralName.dNSName, name))
                    .toArray(GeneralName[]::new)));
        }
        byte[] der = builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(issuerKey.getPrivate()))
                .getEncoded();
        return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(
                new ByteArrayInputStream(der));
    }
}

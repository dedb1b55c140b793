package io.servery.acme.challenge;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// The certificate of RFC 8737, section 3: self-signed, for one name, with the digest of the key authorization in a critical
/// extension.
///
/// acme4j makes one for an RSA key only; a P-256 key takes less than a millisecond.
final class AlpnCertificate {
    /// id-pe-acmeIdentifier (RFC 8737, section 6.1).
    private static final ASN1ObjectIdentifier ACME_IDENTIFIER = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.31");
    private static final Duration LIFETIME = Duration.ofDays(1);

    private AlpnCertificate() {
    }

    static ChallengeResponse.TlsAlpn01 of(Name name, String keyAuthorization, Instant now) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(keyAuthorization.getBytes(StandardCharsets.US_ASCII));
            return new ChallengeResponse.TlsAlpn01(name.serverName(), certificate(name, digest, pair, now),
                    pair.getPrivate());
        } catch (GeneralSecurityException | OperatorCreationException | IOException impossible) {
            throw new AssertionError("every Java platform has what this certificate needs", impossible);
        }
    }

    private static X509Certificate certificate(Name name, byte[] digest, KeyPair pair, Instant now)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        X500Name subject = new X500Name("CN=acme.invalid");
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(subject,
                BigInteger.valueOf(now.toEpochMilli()), Date.from(now.minus(LIFETIME)), Date.from(now.plus(LIFETIME)),
                subject, pair.getPublic());
        GeneralName general = switch (name) {
            case Name.Dns(String text) -> new GeneralName(GeneralName.dNSName, text);
            case Name.Ip ip -> new GeneralName(GeneralName.iPAddress, ip.text());
        };
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(general));
        builder.addExtension(ACME_IDENTIFIER, true, new DEROctetString(digest));
        byte[] der = builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()))
                .getEncoded();
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(der));
    }
}

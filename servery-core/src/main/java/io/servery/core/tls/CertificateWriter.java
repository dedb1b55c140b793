package io.servery.core.tls;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;

/// Certificates that a key on P-256 signs for itself (RFC 5280), and what its owner asks an authority to sign (RFC 2986), in
/// DER.
final class CertificateWriter {
    private static final int BOOLEAN = 0x01;
    private static final int BIT_STRING = 0x03;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;
    private static final int ATTRIBUTES = 0xa0;
    private static final int EXTENSIONS = 0xa3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;
    private static final byte[] TRUE = {(byte) 0xff};
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String ALTERNATIVES = "2.5.29.17";
    /// extensionRequest (RFC 2985 §5.4.2).
    private static final String EXTENSION_REQUEST = "1.2.840.113549.1.9.14";
    /// ecdsa-with-SHA256 (RFC 5758 §3.2).
    private static final String SIGNATURE = "1.2.840.10045.4.3.2";
    /// From here on dates have four digits of a year (RFC 5280 §4.1.2.5).
    private static final Instant LONG_YEARS = Instant.parse("2050-01-01T00:00:00Z");

    private CertificateWriter() {
    }

    /// What a certificate says beside its key.
    ///
    /// @param name of who signs and is signed, for people
    record Content(String name, BigInteger serial, Instant from, Instant until, byte[] extensions) {
    }

    /// A certificate that a key signs for itself.
    static byte[] certificate(KeyPair keys, Content content) {
        byte[] name = DerWriter.sequence(DerWriter.element(SET, DerWriter.sequence(DerWriter.identifier(COMMON_NAME),
                DerWriter.text(UTF8_STRING, content.name))));
        return signed(keys, DerWriter.sequence(
                DerWriter.element(VERSION, DerWriter.integer(BigInteger.TWO)),
                DerWriter.integer(content.serial),
                algorithm(),
                name,
                DerWriter.sequence(time(content.from), time(content.until)),
                name,
                keys.getPublic().getEncoded(),
                DerWriter.element(EXTENSIONS, content.extensions)));
    }

    /// A request for a certificate of this key with these extensions, whose subject is nobody but its names.
    static byte[] request(KeyPair keys, byte[] extensions) {
        return signed(keys, DerWriter.sequence(
                DerWriter.integer(BigInteger.ZERO),
                DerWriter.sequence(),
                keys.getPublic().getEncoded(),
                DerWriter.element(ATTRIBUTES, DerWriter.sequence(DerWriter.identifier(EXTENSION_REQUEST),
                        DerWriter.element(SET, extensions)))));
    }

    /// The extension with the names that a certificate is for.
    ///
    /// @param names in the form of [HostText]
    static byte[] alternatives(Collection<String> names) {
        return extension(ALTERNATIVES, DerWriter.sequence(
                names.stream().map(CertificateWriter::alternative).toArray(byte[][]::new)));
    }

    private static byte[] alternative(String name) {
        return name.startsWith("[")
                ? DerWriter.element(IP_ADDRESS, HostText.address(name))
                : DerWriter.text(DNS_NAME, name);
    }

    static byte[] extension(String identifier, byte[] value) {
        return DerWriter.sequence(DerWriter.identifier(identifier), DerWriter.octets(value));
    }

    /// An extension that whoever does not know it must not pass over.
    static byte[] critical(String identifier, byte[] value) {
        return DerWriter.sequence(DerWriter.identifier(identifier), DerWriter.element(BOOLEAN, TRUE),
                DerWriter.octets(value));
    }

    private static byte[] signed(KeyPair keys, byte[] content) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(content);
            return DerWriter.sequence(content, algorithm(),
                    DerWriter.element(BIT_STRING, new byte[1], signature.sign()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has these algorithms", e);
        }
    }

    private static byte[] algorithm() {
        return DerWriter.sequence(DerWriter.identifier(SIGNATURE));
    }

    private static byte[] time(Instant moment) {
        boolean longYear = !moment.isBefore(LONG_YEARS);
        return DerWriter.text(longYear ? GENERALIZED_TIME : UTC_TIME,
                DateTimeFormatter.ofPattern(longYear ? "yyyyMMddHHmmss'Z'" : "yyMMddHHmmss'Z'")
                        .format(moment.atOffset(ZoneOffset.UTC)));
    }
}

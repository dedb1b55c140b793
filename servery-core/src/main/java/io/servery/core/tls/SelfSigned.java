package io.servery.core.tls;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// An identity that vouches for itself, for development: a new P-256 key and a certificate (RFC 5280) that it signs.
///
/// It is no authority: whoever trusts it trusts this one server.
public final class SelfSigned {
    /// What browsers accept at most.
    public static final Duration LIFETIME_MAX = Duration.ofDays(397);

    /// Clocks of clients go behind.
    private static final Duration EARLIER = Duration.ofHours(1);
    private static final List<String> LOCAL = List.of("localhost", "127.0.0.1", "::1");
    private static final Set<String> ANY_ADDRESS = Set.of("[0.0.0.0]", "[0:0:0:0:0:0:0:0]");
    private static final String NAME = "Servery self-signed";

    private static final int BOOLEAN = 0x01;
    private static final int BIT_STRING = 0x03;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;
    private static final byte[] TRUE = {(byte) 0xff};
    /// The first of eight bits, digitalSignature; the other seven are unused.
    private static final byte[] TO_SIGN = {7, (byte) 0x80};
    private static final int KEY_IDENTIFIER_BYTES = 20;
    private static final int SERIAL_BITS = 127;
    /// From here on dates have four digits of a year (RFC 5280 §4.1.2.5).
    private static final Instant LONG_YEARS = Instant.parse("2050-01-01T00:00:00Z");

    private SelfSigned() {
    }

    /// A new identity for these hosts and for this host by its local names.
    ///
    /// @param hosts what the listener is bound to, names or addresses; one that means every address is passed over
    /// @param lifetime at most `LIFETIME_MAX`
    public static Identity make(Collection<String> hosts, Instant now, Duration lifetime, SecureRandom random) {
        if (lifetime.compareTo(LIFETIME_MAX) > 0 || !lifetime.isPositive()) {
            throw new IllegalArgumentException("lifetime: found " + lifetime + "; expected up to " + LIFETIME_MAX);
        }
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair keys = generator.generateKeyPair();
            Instant from = now.minus(EARLIER);
            byte[] content = content(keys, names(hosts), from, from.plus(lifetime), random);
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate(), random);
            signature.update(content);
            byte[] certificate = DerWriter.sequence(content, signatureAlgorithm(), bits(signature.sign()));
            return Identity.of(PemText.write("CERTIFICATE", certificate),
                    PemText.write("PRIVATE KEY", keys.getPrivate().getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has these algorithms", e);
        }
    }

    /// The hosts in their canonical form, without those that no peer asks for.
    private static Set<String> names(Collection<String> hosts) {
        List<String> all = new ArrayList<>(LOCAL);
        all.addAll(hosts);
        Set<String> names = new TreeSet<>(CertificateNames.of(all).texts());
        names.removeAll(ANY_ADDRESS);
        return names;
    }

    private static byte[] content(KeyPair keys, Set<String> names, Instant from, Instant until, SecureRandom random)
            throws GeneralSecurityException {
        byte[] name = DerWriter.sequence(DerWriter.element(SET, DerWriter.sequence(DerWriter.identifier("2.5.4.3"),
                DerWriter.text(UTF8_STRING, NAME))));
        return DerWriter.sequence(
                DerWriter.element(VERSION, DerWriter.integer(BigInteger.TWO)),
                DerWriter.integer(new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1)),
                signatureAlgorithm(),
                name,
                DerWriter.sequence(time(from), time(until)),
                name,
                keys.getPublic().getEncoded(),
                DerWriter.element(EXTENSIONS, extensions(keys, names)));
    }

    private static byte[] extensions(KeyPair keys, Set<String> names) throws GeneralSecurityException {
        byte[] identifier = Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(keys.getPublic().getEncoded()),
                KEY_IDENTIFIER_BYTES); // RFC 7093 §2
        return DerWriter.sequence(
                critical("2.5.29.19", DerWriter.sequence()), // basicConstraints: no authority
                critical("2.5.29.15", DerWriter.element(BIT_STRING, TO_SIGN)),
                extension("2.5.29.37", DerWriter.sequence(DerWriter.identifier("1.3.6.1.5.5.7.3.1"))), // serverAuth
                extension("2.5.29.14", DerWriter.octets(identifier)),
                extension("2.5.29.17", DerWriter.sequence(names.stream().map(SelfSigned::alternative)
                        .toArray(byte[][]::new))));
    }

    private static byte[] alternative(String name) {
        return name.startsWith("[")
                ? DerWriter.element(IP_ADDRESS, HostText.address(name))
                : DerWriter.text(DNS_NAME, name);
    }

    private static byte[] extension(String identifier, byte[] value) {
        return DerWriter.sequence(DerWriter.identifier(identifier), DerWriter.octets(value));
    }

    private static byte[] critical(String identifier, byte[] value) {
        return DerWriter.sequence(DerWriter.identifier(identifier), DerWriter.element(BOOLEAN, TRUE),
                DerWriter.octets(value));
    }

    /// ecdsa-with-SHA256 (RFC 5758 §3.2).
    private static byte[] signatureAlgorithm() {
        return DerWriter.sequence(DerWriter.identifier("1.2.840.10045.4.3.2"));
    }

    private static byte[] bits(byte[] whole) {
        return DerWriter.element(BIT_STRING, new byte[1], whole);
    }

    private static byte[] time(Instant moment) {
        boolean longYear = !moment.isBefore(LONG_YEARS);
        return DerWriter.text(longYear ? GENERALIZED_TIME : UTC_TIME,
                DateTimeFormatter.ofPattern(longYear ? "yyyyMMddHHmmss'Z'" : "yyMMddHHmmss'Z'")
                        .format(moment.atOffset(ZoneOffset.UTC)));
    }
}

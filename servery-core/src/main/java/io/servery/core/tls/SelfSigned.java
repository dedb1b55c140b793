package io.servery.core.tls;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
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

    private static final int BIT_STRING = 0x03;
    /// The first of eight bits, digitalSignature; the other seven are unused.
    private static final byte[] TO_SIGN = {7, (byte) 0x80};
    private static final int KEY_IDENTIFIER_BYTES = 20;
    private static final int SERIAL_BITS = 127;

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
        KeyPair keys = KeyPairs.make(random);
        Instant from = now.minus(EARLIER);
        byte[] certificate = CertificateWriter.certificate(keys, new CertificateWriter.Content(NAME,
                new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1), from, from.plus(lifetime),
                extensions(keys, names(hosts))));
        return Identity.of(PemText.write("CERTIFICATE", certificate),
                PemText.write("PRIVATE KEY", keys.getPrivate().getEncoded()));
    }

    /// The hosts in their canonical form, without those that no peer asks for.
    private static Set<String> names(Collection<String> hosts) {
        List<String> all = new ArrayList<>(LOCAL);
        all.addAll(hosts);
        Set<String> names = new TreeSet<>(CertificateNames.of(all).texts());
        names.removeAll(ANY_ADDRESS);
        return names;
    }

    private static byte[] extensions(KeyPair keys, Set<String> names) {
        return DerWriter.sequence(
                CertificateWriter.critical("2.5.29.19", DerWriter.sequence()), // basicConstraints: no authority
                CertificateWriter.critical("2.5.29.15", DerWriter.element(BIT_STRING, TO_SIGN)),
                CertificateWriter.extension("2.5.29.37",
                        DerWriter.sequence(DerWriter.identifier("1.3.6.1.5.5.7.3.1"))), // serverAuth
                CertificateWriter.extension("2.5.29.14", DerWriter.octets(keyIdentifier(keys))),
                CertificateWriter.alternatives(names));
    }

    private static byte[] keyIdentifier(KeyPair keys) {
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(keys.getPublic().getEncoded()),
                    KEY_IDENTIFIER_BYTES); // RFC 7093 §2
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

package io.servery.acme.order;

import io.servery.acme.challenge.Name;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// What a certificate must be before it may take the place of another.
///
/// Not here: whether clients trust its root, which nobody but they can say.
final class Judge {
    private static final int CHAIN_MAX = 10;
    private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
    /// Types of a general name (RFC 5280, section 4.2.1.6), as the JDK numbers them.
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private Judge() {
    }

    /// @return what is wrong, as `found X; expected Y`
    static Optional<String> complaint(List<X509Certificate> chain, KeyPair key, List<Name> names, Instant now) {
        if (chain.isEmpty() || chain.size() > CHAIN_MAX) {
            return Optional.of("chain: found " + chain.size() + " certificates; expected 1 to " + CHAIN_MAX);
        }
        X509Certificate certificate = chain.getFirst();
        if (!certificate.getPublicKey().equals(key.getPublic())) {
            return Optional.of("key: found a certificate of another key; expected ours");
        }
        return validity(certificate, now).or(() -> names(certificate, names)).or(() -> usage(certificate))
                .or(() -> links(chain, now));
    }

    private static Optional<String> validity(X509Certificate certificate, Instant now) {
        if (!certificate.getNotAfter().after(certificate.getNotBefore()) || now.isBefore(certificate.getNotBefore()
                .toInstant()) || !now.isBefore(certificate.getNotAfter().toInstant())) {
            return Optional.of("validity: found " + certificate.getNotBefore().toInstant() + " to "
                    + certificate.getNotAfter().toInstant() + "; expected one that contains " + now);
        }
        return Optional.empty();
    }

    /// All that were asked for: a certificate with more would speak for somebody else too.
    private static Optional<String> names(X509Certificate certificate, List<Name> wanted) {
        Comparator<Name> byText = Comparator.comparing(Name::text);
        TreeSet<Name> expected = new TreeSet<>(byText);
        expected.addAll(wanted);
        TreeSet<Name> found = new TreeSet<>(byText);
        try {
            Collection<List<?>> entries = certificate.getSubjectAlternativeNames();
            for (List<?> entry : entries == null ? List.<List<?>>of() : entries) {
                found.add(name((Integer) entry.getFirst(), String.valueOf(entry.get(1))));
            }
        } catch (CertificateParsingException | IllegalArgumentException unreadable) {
            return Optional.of("names: found " + unreadable.getMessage() + "; expected " + texts(expected));
        }
        return found.equals(expected)
                ? Optional.empty()
                : Optional.of("names: found " + texts(found) + "; expected " + texts(expected));
    }

    private static Name name(int type, String value) {
        return switch (type) {
            case DNS_NAME -> Name.of(value);
            case IP_ADDRESS -> new Name.Ip(InetAddress.ofLiteral(value));
            default -> throw new IllegalArgumentException("a name of type " + type);
        };
    }

    private static List<String> texts(Collection<Name> names) {
        return names.stream().map(Name::text).toList();
    }

    private static Optional<String> usage(X509Certificate certificate) {
        try {
            List<String> extended = certificate.getExtendedKeyUsage();
            return extended == null || extended.contains(SERVER_AUTHENTICATION)
                    ? Optional.empty()
                    : Optional.of("key usage: found " + extended + "; expected that of a server");
        } catch (CertificateParsingException unreadable) {
            return Optional.of("key usage: found " + unreadable.getMessage() + "; expected that of a server");
        }
    }

    /// Each is signed by the next, which may issue and is valid. The root may be left out (RFC 8446, section 4.4.2), an
    /// intermediate may not: a certificate alone is complete only if it is its own root.
    private static Optional<String> links(List<X509Certificate> chain, Instant now) {
        List<String> broken = new ArrayList<>();
        for (int i = 0; i + 1 < chain.size(); i++) {
            X509Certificate issuer = chain.get(i + 1);
            if (issuer.getBasicConstraints() < 0) {
                broken.add("certificate " + (i + 2) + " may not issue");
            }
            if (Date.from(now).after(issuer.getNotAfter())) {
                broken.add("certificate " + (i + 2) + " expired on " + issuer.getNotAfter().toInstant());
            }
            if (!isSignedBy(chain.get(i), issuer)) {
                broken.add("certificate " + (i + 2) + " did not sign certificate " + (i + 1));
            }
        }
        if (chain.size() == 1 && !isSignedBy(chain.getFirst(), chain.getFirst())) {
            broken.add("no certificate of its issuer");
        }
        return broken.isEmpty()
                ? Optional.empty()
                : Optional.of("chain: found that " + String.join(", ", broken) + "; expected each signed by the next");
    }

    private static boolean isSignedBy(X509Certificate certificate, X509Certificate issuer) {
        try {
            certificate.verify(issuer.getPublicKey());
            return certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal());
        } catch (GeneralSecurityException notSigned) {
            return false;
        }
    }
}

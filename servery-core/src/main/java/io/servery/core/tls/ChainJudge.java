package io.servery.core.tls;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;

/// Whether a chain can be shown: in order, complete as far as that can be known, valid now, strong, for a server.
///
/// A root may be there or be left out. What is missing is known where the last certificate tells that its issuer is none:
/// by where it says the issuer's certificate is fetched (RFC 5280 §4.2.2.1, for the first certificate alone, as those of
/// intermediates lead to roots), or by who it says signed the issuer (§4.2.1.1).
final class ChainJudge {
    private static final int CERTIFICATES_MAX = 10;
    private static final Pattern WEAK_SIGNATURE = Pattern.compile("(SHA1|MD[245]).*");
    private static final String AUTHORITY_INFORMATION = "1.3.6.1.5.5.7.1.1";
    private static final byte[] CA_ISSUERS = DerWriter.identifier("1.3.6.1.5.5.7.48.2");
    private static final String AUTHORITY_KEY = "2.5.29.35";
    private static final int ISSUER_OF_AUTHORITY = 0xa1;
    private static final int DIRECTORY_NAME = 0xa4;
    /// The first of the bits of a key usage.
    private static final int DIGITAL_SIGNATURE = 0;
    private static final String SERVER_USE = "1.3.6.1.5.5.7.3.1";
    private static final String ANY_USE = "2.5.29.37.0";

    private final List<X509Certificate> chain;
    private final Instant now;
    private final TlsFaults faults;

    private ChainJudge(List<X509Certificate> chain, Instant now, TlsFaults faults) {
        this.chain = chain;
        this.now = now;
        this.faults = faults;
    }

    static void judge(List<X509Certificate> chain, Instant now, TlsFaults faults) {
        new ChainJudge(chain, now, faults).judge();
    }

    /// The certificates whose dates matter to peers: all but a root behind others.
    static List<X509Certificate> dated(List<X509Certificate> chain) {
        return chain.size() > 1 && isSelfIssued(chain.getLast()) ? chain.subList(0, chain.size() - 1) : chain;
    }

    private void judge() {
        if (chain.size() > CERTIFICATES_MAX) {
            faults.add(chain.size() + " certificates", "at most " + CERTIFICATES_MAX + ", the server's first");
            return;
        }
        judgeOrder();
        judgeEnd(chain.getLast());
        for (X509Certificate certificate : dated(chain)) {
            judgeDates(certificate);
            judgeStrength(certificate);
        }
        judgeUse(chain.getFirst());
    }

    private void judgeOrder() {
        for (int at = 0; at + 1 < chain.size(); at++) {
            X509Certificate certificate = chain.get(at);
            X509Certificate next = chain.get(at + 1);
            if (!isSigned(certificate, next)) {
                boolean elsewhere = chain.stream()
                        .anyMatch(other -> !other.equals(certificate) && isSigned(certificate, other));
                faults.add("after " + shown(certificate) + " the certificate of " + shown(next),
                        "that of its issuer, " + issuer(certificate) + (elsewhere ? ", which is elsewhere in it" : ""));
            } else if (next.getBasicConstraints() < 0) {
                faults.add("a certificate signed by " + shown(next) + ", which is no authority",
                        "one signed by an authority");
            }
        }
    }

    private static boolean isSigned(X509Certificate certificate, X509Certificate by) {
        if (!certificate.getIssuerX500Principal().equals(by.getSubjectX500Principal())) {
            return false;
        }
        try {
            certificate.verify(by.getPublicKey());
            return true;
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private void judgeEnd(X509Certificate last) {
        boolean fetched = chain.size() == 1 && namesPlaceOfIssuer(last);
        if (!isSelfIssued(last) && (fetched || isIssuedByIntermediate(last))) {
            faults.add("a chain that ends with " + shown(last), "the certificate of its issuer after it, "
                    + issuer(last), "the file with the whole chain is often called fullchain.pem");
        }
    }

    private static boolean isSelfIssued(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
    }

    private static boolean namesPlaceOfIssuer(X509Certificate certificate) {
        return says(certificate, AUTHORITY_INFORMATION, value -> {
            boolean found = false;
            while (value.hasMore()) {
                found |= Arrays.equals(CA_ISSUERS, value.within(DerReader.SEQUENCE).element());
            }
            return found;
        });
    }

    /// Whether the certificate says of its issuer that another signed it, so that the issuer is no root.
    private static boolean isIssuedByIntermediate(X509Certificate certificate) {
        return says(certificate, AUTHORITY_KEY, value -> {
            while (value.hasMore() && !value.is(ISSUER_OF_AUTHORITY)) {
                value.element();
            }
            if (!value.hasMore()) {
                return false;
            }
            DerReader names = value.within(ISSUER_OF_AUTHORITY);
            return names.is(DIRECTORY_NAME) && !new X500Principal(names.content(DIRECTORY_NAME))
                    .equals(certificate.getIssuerX500Principal());
        });
    }

    /// Whether an extension is there and says something; one that is malformed says nothing.
    private static boolean says(X509Certificate certificate, String identifier, Predicate<DerReader> what) {
        byte[] encoded = certificate.getExtensionValue(identifier);
        if (encoded == null) {
            return false;
        }
        try {
            return what.test(DerReader.ofExtension(encoded));
        } catch (Unusable | IllegalArgumentException _) {
            return false;
        }
    }

    private void judgeDates(X509Certificate certificate) {
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        if (now.isAfter(until)) {
            faults.add("the certificate of " + shown(certificate) + ", which expired at " + until,
                    "one that is valid at " + now);
        } else if (now.isBefore(from)) {
            faults.add("the certificate of " + shown(certificate) + ", which is not valid before " + from,
                    "one that is valid at " + now, "is the clock of this host right?");
        }
    }

    private void judgeStrength(X509Certificate certificate) {
        KeyKind.weakness(certificate.getPublicKey()).ifPresent(
                weakness -> faults.add(weakness + " in the certificate of " + shown(certificate), KeyKind.NAMES));
        String signature = certificate.getSigAlgName();
        if (WEAK_SIGNATURE.matcher(signature.toUpperCase(Locale.ROOT)).matches()) {
            faults.add("the certificate of " + shown(certificate) + " signed with " + signature,
                    "a signature with SHA-256 or better");
        }
    }

    private void judgeUse(X509Certificate certificate) {
        try {
            List<String> uses = certificate.getExtendedKeyUsage();
            if (uses != null && !uses.contains(SERVER_USE) && !uses.contains(ANY_USE)) {
                faults.add("the certificate of " + shown(certificate) + ", which is not for servers",
                        "one with the extended key usage serverAuth");
            }
            boolean[] keyUsage = certificate.getKeyUsage();
            if (keyUsage != null && !keyUsage[DIGITAL_SIGNATURE]) { // RFC 5280 §4.2.1.3; RFC 8446 §4.4.2.2
                faults.add("the certificate of " + shown(certificate) + ", whose key may not sign",
                        "one whose key usage has digitalSignature, or without a key usage");
            }
            if (CertificateNames.of(certificate).isEmpty()) {
                faults.add("the certificate of " + shown(certificate) + ", which names no host",
                        "a DNS name or an address in its subjectAltName");
            }
        } catch (CertificateParsingException e) {
            throw new IllegalStateException("CertificateReader reads these", e);
        }
    }

    private static String shown(X509Certificate certificate) {
        return Shown.name(certificate.getSubjectX500Principal());
    }

    private static String issuer(X509Certificate certificate) {
        return Shown.name(certificate.getIssuerX500Principal());
    }
}

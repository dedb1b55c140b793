package io.servery.acme.order;

import io.servery.acme.challenge.ChallengeKind;
import io.servery.acme.challenge.Name;
import io.servery.core.tls.CertificateNames;
import java.net.InetAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/// What is asked of which authority.
///
/// @param directory of the authority (RFC 8555, section 7.1.1)
/// @param roots that the authority itself is trusted by; none means those of the platform
/// @param names of the certificate
/// @param challenge how each of them is proved
/// @param email where the authority may write to
/// @param profile of the certificate, where the authority has several
/// @param termsAccepted that the operator has accepted the terms of the authority
public record AcmeSettings(URI directory, List<X509Certificate> roots, List<Name> names, ChallengeKind challenge,
        Optional<String> email, Optional<String> profile, boolean termsAccepted, Optional<ExternalAccount> external,
        Limits limits) {
    /// Let's Encrypt's, for certificates that clients trust.
    public static final URI PRODUCTION = URI.create("https://acme-v02.api.letsencrypt.org/directory");
    /// Let's Encrypt's, for trying out.
    public static final URI STAGING = URI.create("https://acme-staging-v02.api.letsencrypt.org/directory");

    public AcmeSettings {
        roots = List.copyOf(roots);
        names = names.stream().distinct().toList();
        if (names.isEmpty()) {
            throw new IllegalArgumentException("names: found none; expected at least one");
        }
        if (!isSafe(directory)) {
            throw new IllegalArgumentException("directory: found " + directory
                    + "; expected an https URL (RFC 8555, section 6.1), or http on a loopback address");
        }
    }

    /// The names as those of a certificate.
    CertificateNames certificateNames() {
        return CertificateNames.of(names.stream().map(Name::text).toList());
    }

    private static boolean isSafe(URI directory) {
        if (directory.getHost() == null) {
            return false;
        }
        return directory.getScheme().equals("https")
                || directory.getScheme().equals("http") && isLoopback(directory.getHost());
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
        } catch (IllegalArgumentException aName) {
            return false;
        }
    }
}

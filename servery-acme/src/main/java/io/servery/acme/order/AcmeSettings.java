package io.servery.acme.order;

import io.servery.acme.challenge.Name;
import io.servery.core.config.Tls;
import io.servery.core.tls.CertificateNames;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/// What is asked of which authority.
///
/// @param acme as the configuration has it
/// @param roots that the authority itself is trusted by; none means those of the platform
/// @param names of the certificate: the domains, each once
public record AcmeSettings(Tls.Acme acme, List<X509Certificate> roots, List<Name> names, Limits limits) {
    public AcmeSettings {
        roots = List.copyOf(roots);
        names = List.copyOf(names);
        if (names.isEmpty()) {
            throw new IllegalArgumentException("names: found none; expected at least one");
        }
    }

    /// The settings of a configuration.
    ///
    /// @param roots what `directory_ca_file` holds; none where there is none
    /// @throws IllegalArgumentException where a domain is none that these challenges can prove
    public static AcmeSettings of(Tls.Acme acme, List<X509Certificate> roots, Limits limits) {
        return new AcmeSettings(acme, roots, acme.domains().stream().map(Name::of).distinct().toList(), limits);
    }

    /// The names as they are written, in their order.
    public List<String> texts() {
        return names.stream().map(Name::text).toList();
    }

    /// The identifier of the key of the external account, where there is one.
    public Optional<String> externalAccount() {
        return acme.externalAccount().map(Tls.ExternalAccount::keyId);
    }

    /// The names as those of a certificate.
    CertificateNames certificateNames() {
        return CertificateNames.of(texts());
    }
}

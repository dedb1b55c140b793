package io.servery.core.tls;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// What a listener shows to its peers, and whose word it takes for theirs.
///
/// @param byDefault for clients that ask for no name, or for nobody's
/// @param clientAuthorities who signs the certificates of clients; empty where none is asked for
public record Credentials(Identity byDefault, List<Named> others, List<X509Certificate> clientAuthorities) {
    public Credentials {
        others = List.copyOf(others);
        clientAuthorities = List.copyOf(clientAuthorities);
    }

    /// An identity and the names of clients that choose it.
    public record Named(Identity identity, CertificateNames names) {
    }

    /// All identities, that by default first.
    public Stream<Identity> identities() {
        return Stream.concat(Stream.of(byDefault), others.stream().map(Named::identity));
    }

    /// When the first of them is valid no more.
    public Instant firstExpiry() {
        return identities().map(Identity::notAfter).min(Instant::compareTo).orElseThrow();
    }
}

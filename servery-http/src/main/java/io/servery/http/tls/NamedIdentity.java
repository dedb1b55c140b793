package io.servery.http.tls;

import io.servery.core.tls.CertificateNames;
import io.servery.core.tls.Identity;

/// An identity and the server names of clients that choose it.
public record NamedIdentity(Identity identity, CertificateNames names) {
}

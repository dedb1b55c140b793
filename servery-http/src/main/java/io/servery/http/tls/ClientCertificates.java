package io.servery.http.tls;

import java.security.cert.X509Certificate;
import java.util.List;

/// Whether clients show certificates, and who vouches for them.
public sealed interface ClientCertificates {

    /// None is asked for.
    record Off() implements ClientCertificates {
    }

    /// A client without one is served; one that does not verify is not.
    record Optional(List<X509Certificate> authorities) implements ClientCertificates {
        public Optional {
            authorities = List.copyOf(authorities);
        }
    }

    /// A client without one that verifies is not served.
    record Required(List<X509Certificate> authorities) implements ClientCertificates {
        public Required {
            authorities = List.copyOf(authorities);
        }
    }
}

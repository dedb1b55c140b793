package io.servery.core.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The table `[tls]`: where the certificate of the public listener comes from.
///
/// Only [Off] can be configured so far; the key table refuses the other modes as not yet available.
public sealed interface Tls {

    /// Plain HTTP.
    record Off() implements Tls {
    }

    /// Certificate and key from files.
    record Manual(Path certificateFile, Path privateKeyFile, Optional<Secret> privateKeyPassword) implements Tls {
    }

    /// Certificates from an ACME authority.
    record Acme(List<String> domains, Optional<String> email, String directory) implements Tls {
        public Acme {
            domains = List.copyOf(domains);
        }
    }

    /// A certificate made at start, trusted by nobody.
    record SelfSigned() implements Tls {
    }
}

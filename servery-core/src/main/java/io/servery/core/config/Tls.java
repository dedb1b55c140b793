package io.servery.core.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The table `[tls]`: whether the public listener speaks TLS, and how.
public sealed interface Tls {

    /// Plain HTTP.
    record Off() implements Tls {
    }

    /// TLS on every public address.
    ///
    /// @param minimumVersion the oldest that is spoken
    /// @param groups for the agreement of keys, best first
    /// @param clientCaFile the authorities of client certificates, where any is asked for
    /// @param hsts how long clients are to keep to TLS; zero says nothing of it
    record On(Source source, TlsVersion minimumVersion, List<KeyGroup> groups, ClientCertificates clientCertificates,
            Optional<Path> clientCaFile, Duration hsts) implements Tls {
        public On {
            groups = List.copyOf(groups);
        }
    }

    /// Where identities come from.
    sealed interface Source {
    }

    /// Files, which are watched.
    ///
    /// @param others for clients that ask for one of their names
    record Manual(Files byDefault, List<Identity> others) implements Source {
        public Manual {
            others = List.copyOf(others);
        }
    }

    /// One certificate that the parent makes at its start, trusted by nobody.
    record SelfSigned() implements Source {
    }

    /// In a worker: its parent hands identities over.
    record OfParent() implements Source {
    }

    /// A certificate chain and its key, in PEM.
    record Files(Path certificate, Path privateKey, Optional<Secret> password) {
    }

    /// A table `[[tls.identity]]`.
    ///
    /// @param names the hosts that choose it
    record Identity(List<String> names, Files files) {
        public Identity {
            names = List.copyOf(names);
        }
    }

    /// Whether a client has to show a certificate.
    enum ClientCertificates implements Choice {
        OFF("off"),
        /// None is fine, one that does not verify is not.
        OPTIONAL("optional"),
        REQUIRED("required");

        private final String word;

        ClientCertificates(String word) {
            this.word = word;
        }

        @Override
        public String word() {
            return word;
        }
    }
}

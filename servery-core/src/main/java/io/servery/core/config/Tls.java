package io.servery.core.config;

import java.net.URI;
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

    /// A certificate that the parent gets from an authority (RFC 8555), and renews.
    ///
    /// @param domains names and IP addresses of the certificate, at least one, none with a wildcard
    /// @param email where the authority may write to
    /// @param directory the URL at which the authority begins
    /// @param directoryCaFile by whom the authority itself is trusted; empty for the roots of the platform
    /// @param profile of the certificate, where the authority has several
    /// @param renewBefore so long before its end a certificate is renewed; empty where the authority suggests it
    /// @param termsAccepted that the operator has read the terms of the authority, and accepts them
    record Acme(List<String> domains, Optional<String> email, URI directory, Optional<Path> directoryCaFile,
            AcmeChallenge challenge, Optional<String> profile, Optional<Duration> renewBefore, boolean termsAccepted,
            Optional<ExternalAccount> externalAccount) implements Source {
        public Acme {
            domains = List.copyOf(domains);
        }
    }

    /// How control of a name is proved.
    enum AcmeChallenge implements Choice {
        /// A request over plain HTTP (RFC 8555 §8.3).
        HTTP_01("http-01"),
        /// A handshake (RFC 8737).
        TLS_ALPN_01("tls-alpn-01");

        private final String word;

        AcmeChallenge(String word) {
            this.word = word;
        }

        @Override
        public String word() {
            return word;
        }
    }

    /// An account at the operator of an authority, which an account of ACME is bound to (RFC 8555 §7.3.4).
    ///
    /// @param hmacKey in base64url, as the operator gives it
    record ExternalAccount(String keyId, Secret hmacKey) {
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

package io.servery.core.config;

import java.util.List;

/// The keys of `[tls]` and its tables.
final class TlsKeys {
    private static final long DAY = 86_400_000;
    private static final int NAMES_MAX = 256;

    /// Where the certificate comes from.
    enum Mode implements Choice {
        OFF("off"),
        MANUAL("manual"),
        ACME("acme"),
        SELF_SIGNED("self-signed");

        private final String word;

        Mode(String word) {
            this.word = word;
        }

        @Override
        public String word() {
            return word;
        }
    }

    /// What is asked of a client.
    enum ClientCertificates implements Choice {
        OFF("off"),
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

    static final Key<Mode> MODE = Key
            .later("tls.mode", new Words.OneOf<>(Mode.class), "Where the certificate comes from.").byDefault("off")
            .inert("off");

    static final List<Key<?>> ALL = List.of(MODE,
            Key.later("tls.minimum_version", new Words.Text("\"1.2\" or \"1.3\"", v -> v.matches("1\\.[23]")),
                    "The oldest TLS version that is spoken.").byDefault("1.2"),
            Key.later("tls.groups", new Groups.ListOf<>(Forms.TEXT, false, 1, 16), "Key exchange groups, best first.")
                    .byDefault("[\"X25519MLKEM768\", \"X25519\", \"P-256\"]"),
            Key.later("tls.client_ca_file", new Words.FilePath(), "Authorities of client certificates."),
            Key.later("tls.client_certificates", new Words.OneOf<>(ClientCertificates.class),
                    "Whether a client shows a certificate.").byDefault("off").inert("off"),
            Key.later("tls.hsts", new Numbers.Time(0, 3_660 * DAY), "`Strict-Transport-Security`; 0 sends none.")
                    .byDefault("0").inert("0"),
            Key.later("tls.manual.certificate_file", new Words.FilePath(), "The certificate chain, PEM.").hot(),
            Key.later("tls.manual.private_key_file", new Words.FilePath(), "Its private key, PEM.").hot(),
            Key.later("tls.manual.private_key_password", new SecretType(), "The password of the key.").hot(),
            Key.later("tls.acme.domains", new Groups.ListOf<>(Forms.HOST, false, 1, NAMES_MAX),
                    "Names or IP addresses of the certificate."),
            Key.later("tls.acme.email", Forms.TEXT, "Where the authority may write to."),
            Key.later("tls.acme.directory", Forms.TEXT, "\"staging\", \"production\" or the URL of an authority."),
            Key.later("tls.acme.directory_ca_file", new Words.FilePath(), "The root of a private authority."),
            Key.later("tls.acme.challenge", new Words.Text("\"http-01\" or \"tls-alpn-01\"",
                    v -> v.equals("http-01") || v.equals("tls-alpn-01")), "How control of a name is proved."),
            Key.later("tls.acme.profile", Forms.TEXT, "The certificate profile of the authority."),
            Key.later("tls.acme.renew_before", new Numbers.Time(60_000, 365 * DAY),
                    "How long before the end a certificate is renewed; by ARI, else a third of the lifetime."),
            Key.later("tls.acme.accept_terms", new Words.Truth(), "The terms of the authority are accepted.")
                    .byDefault("false"),
            Key.later("tls.acme.external_account.key_id", Forms.TEXT, "The key of an external account."),
            Key.later("tls.acme.external_account.hmac_key", new SecretType(), "Its secret."));

    static final List<Key<?>> IDENTITY = List.of(
            Key.later("tls.identity.names", new Groups.ListOf<>(Forms.HOST, false, 1, NAMES_MAX),
                    "Names that choose this identity."),
            Key.later("tls.identity.certificate_file", new Words.FilePath(), "The certificate chain, PEM.").hot(),
            Key.later("tls.identity.private_key_file", new Words.FilePath(), "Its private key, PEM.").hot(),
            Key.later("tls.identity.private_key_password", new SecretType(), "The password of the key.").hot());

    private TlsKeys() {
    }
}

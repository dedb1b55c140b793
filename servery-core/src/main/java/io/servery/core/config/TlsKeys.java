package io.servery.core.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The keys of `[tls]` and its tables.
final class TlsKeys {
    private static final long DAY = 86_400_000;
    /// What the paths of the keys about an authority begin with.
    static final String OF_AUTHORITY = "tls.acme.";

    private static final int NAMES_MAX = 256;
    /// What Let's Encrypt takes in one certificate.
    private static final int ACME_DOMAINS_MAX = 100;

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

    static final Key<Mode> MODE = Key.now("tls.mode", new Words.OneOf<>(Mode.class),
            "Where the certificate comes from.").byDefault("off");
    static final Key<TlsVersion> MINIMUM_VERSION = Key
            .now("tls.minimum_version", new Words.OneOf<>(TlsVersion.class), "The oldest TLS version that is spoken.")
            .byDefault("1.2");
    static final Key<List<KeyGroup>> GROUPS = Key
            .now("tls.groups",
                    new Groups.ListOf<>(new Words.OneOf<>(KeyGroup.class), false, 1, KeyGroup.values().length),
                    "Key exchange groups, best first.")
            .byDefault("[\"X25519MLKEM768\", \"X25519\", \"P-256\"]");
    static final Key<Path> CLIENT_CA_FILE = Key.now("tls.client_ca_file", new Words.FilePath(),
            "Authorities of client certificates, PEM.");
    static final Key<Tls.ClientCertificates> CLIENT_CERTIFICATES = Key
            .now("tls.client_certificates", new Words.OneOf<>(Tls.ClientCertificates.class),
                    "Whether a client shows a certificate.")
            .byDefault("off");
    static final Key<Duration> HSTS = Key.now("tls.hsts", new Numbers.Time(0, 3_660 * DAY),
            "`Strict-Transport-Security`; 0 sends none.").byDefault("0");
    static final Key<Path> CERTIFICATE_FILE = Key
            .now("tls.manual.certificate_file", new Words.FilePath(), "The certificate chain, PEM; watched.").hot();
    static final Key<Path> PRIVATE_KEY_FILE = Key
            .now("tls.manual.private_key_file", new Words.FilePath(), "Its private key, PEM; watched.").hot();
    static final Key<Secret> PRIVATE_KEY_PASSWORD = Key
            .now("tls.manual.private_key_password", new SecretType(), "The password of the key.").hot();

    static final Key<List<String>> ACME_DOMAINS = Key.now("tls.acme.domains",
            new Groups.ListOf<>(Forms.DOMAIN, false, 1, ACME_DOMAINS_MAX),
            "Names or IP addresses of the certificate.").hot();
    static final Key<String> ACME_EMAIL = Key.now("tls.acme.email", Forms.TEXT, "Where the authority may write to.")
            .hot();
    static final Key<URI> ACME_DIRECTORY = Key.now("tls.acme.directory", new AcmeDirectory(),
            "The authority: Let's Encrypt for trying out, Let's Encrypt, or the URL of another.")
            .byProfile("staging", "production").hot();
    static final Key<Path> ACME_DIRECTORY_CA_FILE = Key.now("tls.acme.directory_ca_file", new Words.FilePath(),
            "Roots of a private authority, PEM; read at a start and a reload.").hot();
    static final Key<Tls.AcmeChallenge> ACME_CHALLENGE = Key.now("tls.acme.challenge",
            new Words.OneOf<>(Tls.AcmeChallenge.class), "How control of a name is proved.").byDefault("http-01").hot();
    static final Key<String> ACME_PROFILE = Key.now("tls.acme.profile", Forms.TEXT,
            "The certificate profile of the authority.").hot();
    static final Key<Duration> ACME_RENEW_BEFORE = Key.now("tls.acme.renew_before", new Numbers.Time(60_000, 365 * DAY),
            "How long before the end a certificate is renewed; by ARI, else a third of the lifetime.").hot();
    static final Key<Boolean> ACME_ACCEPT_TERMS = Key.now("tls.acme.accept_terms", new Words.Truth(),
            "The terms of the authority are accepted.").byDefault("false").hot();
    static final Key<String> ACME_KEY_ID = Key.now("tls.acme.external_account.key_id", Forms.TEXT,
            "The key of an external account.").hot();
    static final Key<Secret> ACME_HMAC_KEY = Key.now("tls.acme.external_account.hmac_key", new SecretType(),
            "Its secret, base64url.").hot();

    static final List<Key<?>> ALL = List.of(MODE, MINIMUM_VERSION, GROUPS, CLIENT_CA_FILE, CLIENT_CERTIFICATES, HSTS,
            CERTIFICATE_FILE, PRIVATE_KEY_FILE, PRIVATE_KEY_PASSWORD,
            ACME_DOMAINS, ACME_EMAIL, ACME_DIRECTORY, ACME_DIRECTORY_CA_FILE, ACME_CHALLENGE, ACME_PROFILE,
            ACME_RENEW_BEFORE, ACME_ACCEPT_TERMS, ACME_KEY_ID, ACME_HMAC_KEY);

    static final Key<List<String>> IDENTITY_NAMES = Key.now("tls.identity.names",
            new Groups.ListOf<>(Forms.SERVER_NAME, false, 1, NAMES_MAX), "Names that choose this identity.").hot();
    static final Key<Path> IDENTITY_CERTIFICATE_FILE = Key
            .now("tls.identity.certificate_file", new Words.FilePath(), "The certificate chain, PEM; watched.").hot();
    static final Key<Path> IDENTITY_PRIVATE_KEY_FILE = Key
            .now("tls.identity.private_key_file", new Words.FilePath(), "Its private key, PEM; watched.").hot();
    static final Key<Secret> IDENTITY_PRIVATE_KEY_PASSWORD = Key
            .now("tls.identity.private_key_password", new SecretType(), "The password of the key.").hot();

    static final List<Key<?>> IDENTITY = List.of(IDENTITY_NAMES, IDENTITY_CERTIFICATE_FILE, IDENTITY_PRIVATE_KEY_FILE,
            IDENTITY_PRIVATE_KEY_PASSWORD);

    private TlsKeys() {
    }
}

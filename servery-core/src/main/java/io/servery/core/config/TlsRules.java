package io.servery.core.config;

import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// The rules over the keys of `[tls]`. What the files hold is judged when they are read: `core.tls`.
///
/// A rule is silent when one of its keys was refused already.
final class TlsRules {
    private static final List<Key<?>> OF_FILES = List.of(TlsKeys.CERTIFICATE_FILE, TlsKeys.PRIVATE_KEY_FILE,
            TlsKeys.PRIVATE_KEY_PASSWORD);
    private static final List<Key<?>> OF_ACME = TlsKeys.ALL.stream().<Key<?>>map(key -> key)
            .filter(key -> key.path().startsWith(TlsKeys.OF_AUTHORITY)).toList();

    private final Values values;
    private final List<Values> identities;
    private final Where fallback;
    private final Faults faults;

    /// @param fallback where a fault is that no written key is to blame for
    TlsRules(Values values, List<Values> identities, Where fallback, Faults faults) {
        this.values = values;
        this.identities = identities;
        this.fallback = fallback;
        this.faults = faults;
    }

    void check() {
        if (!values.sound(TlsKeys.MODE)) {
            return;
        }
        TlsKeys.Mode mode = values.of(TlsKeys.MODE);
        if (mode == TlsKeys.Mode.MANUAL) {
            required(TlsKeys.CERTIFICATE_FILE, mode);
            required(TlsKeys.PRIVATE_KEY_FILE, mode);
            identities.forEach(this::complete);
        } else {
            unused(OF_FILES, mode, TlsKeys.Mode.MANUAL);
            unusedIdentities(mode);
        }
        if (mode == TlsKeys.Mode.ACME) {
            required(TlsKeys.ACME_DOMAINS, mode);
            challenge();
            externalAccount();
        } else {
            unused(OF_ACME, mode, TlsKeys.Mode.ACME);
        }
        strictTransport(mode);
        clients(mode);
    }

    /// HTTP-01 is asked for on port 80 of the names (RFC 8555 §8.3), which is where the redirect is. Whoever writes that there is none,
    /// or gives the service a socket that leaves room for none, has something in front that brings what comes to port 80 here.
    private void challenge() {
        if (values.sound(TlsKeys.ACME_CHALLENGE, ListenerKeys.REDIRECT_PORT)
                && values.of(TlsKeys.ACME_CHALLENGE) == Tls.AcmeChallenge.HTTP_01
                && values.find(ListenerKeys.REDIRECT_PORT).isEmpty() && ListenerKeys.canRedirect(values)) {
            faults.add(where(TlsKeys.ACME_CHALLENGE), "`tls.acme.challenge`: found \"http-01\" without"
                    + " `listener.redirect_port`; expected a port that the authority reaches as port 80, or"
                    + " \"tls-alpn-01\"",
                    "0 where something in front of the service answers port 80 and redirects to it");
        }
    }

    private void externalAccount() {
        if (values.sound(TlsKeys.ACME_KEY_ID, TlsKeys.ACME_HMAC_KEY)
                && values.find(TlsKeys.ACME_KEY_ID).isPresent() != values.find(TlsKeys.ACME_HMAC_KEY).isPresent()) {
            Key<?> found = values.find(TlsKeys.ACME_KEY_ID).isPresent() ? TlsKeys.ACME_KEY_ID : TlsKeys.ACME_HMAC_KEY;
            faults.add(where(found), "`" + found.path()
                    + "`: found one of the two keys of an external account; expected both, or none");
        }
        if (values.sound(TlsKeys.ACME_HMAC_KEY)
                && values.find(TlsKeys.ACME_HMAC_KEY).filter(secret -> !isBase64url(secret.reveal())).isPresent()) {
            faults.add(where(TlsKeys.ACME_HMAC_KEY), "`" + TlsKeys.ACME_HMAC_KEY.path()
                    + "`: found what is not base64url; expected the key as the authority gives it");
        }
    }

    private static boolean isBase64url(String text) {
        try {
            return Base64.getUrlDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private void required(Key<?> key, TlsKeys.Mode mode) {
        if (values.sound(key) && values.find(key).isEmpty()) {
            faults.add(where(TlsKeys.MODE), "`" + key.path() + "`: found none beside `tls.mode = \"" + mode.word()
                    + "\"`; expected " + key.type().description());
        }
    }

    private void complete(Values identity) {
        for (Key<?> key : List.of(TlsKeys.IDENTITY_NAMES, TlsKeys.IDENTITY_CERTIFICATE_FILE,
                TlsKeys.IDENTITY_PRIVATE_KEY_FILE)) {
            if (identity.sound(key) && identity.find(key).isEmpty()) {
                faults.add(written(identity).orElse(fallback),
                        "`" + key.path() + "`: found none in a `[[tls.identity]]`; expected "
                                + key.type().description());
            }
        }
    }

    private static Optional<Where> written(Values identity) {
        return TlsKeys.IDENTITY.stream().flatMap(key -> identity.where(key).stream()).findFirst();
    }

    /// What somebody wrote and nobody reads would be taken for granted.
    private void unused(List<Key<?>> keys, TlsKeys.Mode mode, TlsKeys.Mode expected) {
        for (Key<?> key : keys) {
            if (values.isExplicit(key)) {
                faults.add(where(key), "`" + key.path() + "`: found beside `tls.mode = \"" + mode.word()
                        + "\"`; expected `tls.mode = \"" + expected.word() + "\"`");
            }
        }
    }

    private void unusedIdentities(TlsKeys.Mode mode) {
        if (!identities.isEmpty()) {
            faults.add(written(identities.getFirst()).orElse(fallback), "`tls.identity`: found beside `tls.mode = \""
                    + mode.word() + "\"`; expected `tls.mode = \"manual\"`");
        }
    }

    private void strictTransport(TlsKeys.Mode mode) {
        if (mode == TlsKeys.Mode.OFF && values.sound(TlsKeys.HSTS) && values.of(TlsKeys.HSTS).isPositive()) {
            faults.add(where(TlsKeys.HSTS), "`tls.hsts`: found a time beside `tls.mode = \"off\"`; expected TLS");
        }
    }

    private void clients(TlsKeys.Mode mode) {
        if (!values.sound(TlsKeys.CLIENT_CERTIFICATES, TlsKeys.CLIENT_CA_FILE)) {
            return;
        }
        Tls.ClientCertificates asked = values.of(TlsKeys.CLIENT_CERTIFICATES);
        boolean authorities = values.find(TlsKeys.CLIENT_CA_FILE).isPresent();
        if (asked == Tls.ClientCertificates.OFF && authorities && !values.isExplicit(TlsKeys.CLIENT_CERTIFICATES)) {
            faults.add(where(TlsKeys.CLIENT_CA_FILE), "`tls.client_ca_file`: found without `tls.client_certificates`;"
                    + " expected \"optional\" or \"required\", or \"off\" to say that it waits");
        } else if (asked != Tls.ClientCertificates.OFF && !authorities) {
            faults.add(where(TlsKeys.CLIENT_CERTIFICATES), "`tls.client_certificates`: found \"" + asked.word()
                    + "\" without `tls.client_ca_file`; expected the authorities that sign them");
        } else if (asked != Tls.ClientCertificates.OFF && mode == TlsKeys.Mode.OFF) {
            faults.add(where(TlsKeys.CLIENT_CERTIFICATES), "`tls.client_certificates`: found \"" + asked.word()
                    + "\" beside `tls.mode = \"off\"`; expected TLS");
        }
    }

    private Where where(Key<?> key) {
        return values.where(key).orElse(fallback);
    }
}

package io.servery.core.config;

import java.util.List;
import java.util.Optional;

/// The rules over the keys of `[tls]`. What the files hold is judged when they are read: `core.tls`.
///
/// A rule is silent when one of its keys was refused already.
final class TlsRules {
    private static final List<Key<?>> OF_FILES = List.of(TlsKeys.CERTIFICATE_FILE, TlsKeys.PRIVATE_KEY_FILE,
            TlsKeys.PRIVATE_KEY_PASSWORD);

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
            required(TlsKeys.CERTIFICATE_FILE);
            required(TlsKeys.PRIVATE_KEY_FILE);
            identities.forEach(this::complete);
        } else {
            unused(mode);
        }
        clients(mode);
    }

    private void required(Key<?> key) {
        if (values.sound(key) && values.find(key).isEmpty()) {
            faults.add(where(TlsKeys.MODE),
                    "`" + key.path() + "`: found none beside `tls.mode = \"manual\"`; expected a path");
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
    private void unused(TlsKeys.Mode mode) {
        for (Key<?> key : OF_FILES) {
            if (values.isExplicit(key)) {
                faults.add(where(key), "`" + key.path() + "`: found beside `tls.mode = \"" + mode.word()
                        + "\"`; expected `tls.mode = \"manual\"`");
            }
        }
        if (!identities.isEmpty()) {
            faults.add(written(identities.getFirst()).orElse(fallback), "`tls.identity`: found beside `tls.mode = \""
                    + mode.word() + "\"`; expected `tls.mode = \"manual\"`");
        }
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

package io.servery.core.config;

import java.util.List;

/// What profile `production` asks for on top: a direct public edge that fails closed.
final class ProductionRules {
    private final Values values;
    private final Where fallback;
    private final Faults faults;

    /// @param fallback where the profile was chosen
    ProductionRules(Values values, Where fallback, Faults faults) {
        this.values = values;
        this.fallback = fallback;
        this.faults = faults;
    }

    /// @param unsafeDevelopmentTls whether the operator gave up TLS aloud
    void check(boolean unsafeDevelopmentTls) {
        if (!unsafeDevelopmentTls) {
            tls();
        }
        port(ListenerKeys.PORT);
        port(MetricsKeys.PORT);
        admin();
        finite();
        if (values.sound(LoggingKeys.FORMAT) && values.of(LoggingKeys.FORMAT) != Logging.Format.JSON) {
            add(LoggingKeys.FORMAT, "found \"human\"", "\"json\"");
        }
    }

    private void tls() {
        if (values.sound(TlsKeys.MODE) && values.of(TlsKeys.MODE) != TlsKeys.Mode.MANUAL
                && values.of(TlsKeys.MODE) != TlsKeys.Mode.ACME) {
            faults.add(values.where(TlsKeys.MODE).orElse(fallback),
                    "`tls.mode`: found \"" + values.of(TlsKeys.MODE).word()
                            + "\"; profile production needs \"manual\" or \"acme\"",
                    "--unsafe-development-tls runs production without TLS that clients trust");
        }
    }

    private void port(Key<Integer> port) {
        if (values.sound(port) && values.of(port) == 0) {
            add(port, "found 0", "a fixed port");
        }
    }

    private void admin() {
        if (values.sound(MetricsKeys.ENABLED) && !values.of(MetricsKeys.ENABLED)) {
            add(MetricsKeys.ENABLED, "found false", "the admin listener");
            return;
        }
        List<String> hosts = values.of(MetricsKeys.HOST);
        if (values.find(MetricsKeys.UNIX).isEmpty() && !hosts.stream().allMatch(Forms::isLoopback)) {
            add(MetricsKeys.HOST, "found a public admin listener", "a loopback address or `metrics.unix`");
        }
    }

    private void finite() {
        for (Key<?> key : KeyTable.single()) {
            if (key.available() && key.finite() && values.sound(key)
                    && values.find(key).filter(ProductionRules::isZero).isPresent()) {
                add(key, "found 0, which is no limit", "a finite limit");
            }
        }
    }

    private static boolean isZero(Object value) {
        return value instanceof Number number && number.longValue() == 0;
    }

    private void add(Key<?> key, String found, String expected) {
        faults.add(values.where(key).orElse(fallback),
                "`" + key.path() + "`: " + found + "; profile production needs " + expected);
    }
}

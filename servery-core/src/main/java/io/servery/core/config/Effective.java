package io.servery.core.config;

import io.servery.core.fault.Place;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Every effective value and where it came from.
public final class Effective {
    static final Set<String> LISTENER_ADDRESS = Set.of(ListenerKeys.HOST.path(), ListenerKeys.PORT.path());
    private static final Set<String> ADMIN_ADDRESS = Set.of(MetricsKeys.HOST.path(), MetricsKeys.PORT.path());

    private final String name;
    private final Profile profile;
    private final Values values;
    private final Repeated repeated;

    /// @param name of the file, for people
    Effective(String name, Profile profile, Values values, Repeated repeated) {
        this.name = name;
        this.profile = profile;
        this.values = values;
        this.repeated = repeated;
    }

    /// One key a line with its origin. Without the comments it is a file that yields the same values.
    ///
    /// A secret shows its reference, never its value. Keys that are not available yet do not appear.
    public String text() {
        StringBuilder text = new StringBuilder("schema_version = 1\n");
        for (Key<?> key : KeyTable.single()) {
            if (key.available() && !key.equals(KeyTable.SCHEMA_VERSION) && isInForce(key)) {
                line(key, key.path(), values, text);
            }
        }
        for (String table : KeyTable.repeated()) {
            for (Values element : repeated.of(table)) {
                text.append("\n[[").append(table).append("]]\n");
                KeyTable.element(table).stream().filter(Key::available)
                        .forEach(key -> line(key, key.name(), element, text));
            }
        }
        return text.toString();
    }

    /// Every value that a worker needs, as [WorkerConfiguration] reads it: paths are absolute, and nothing of `[metrics]`
    /// and no secret is in it.
    public String workerText() {
        StringBuilder text = new StringBuilder("schema_version = 1\n");
        for (Key<?> key : KeyTable.single()) {
            if (key.isForWorkers() && !key.equals(KeyTable.SCHEMA_VERSION)) {
                plain(key.path(), written(key), text);
            }
        }
        for (Values mount : repeated.mounts()) {
            text.append("[[").append(KeyTable.MOUNT).append("]]\n");
            KeyTable.element(KeyTable.MOUNT).stream().filter(Key::isForWorkers)
                    .forEach(key -> plain(key.name(), written(key, mount), text));
        }
        return text.toString();
    }

    private static void plain(String name, Optional<String> value, StringBuilder text) {
        value.ifPresent(words -> text.append(name).append(" = ").append(words).append('\n'));
    }

    /// The value of a key as TOML, or empty where it has none that is in force. Of a secret it is the reference.
    Optional<String> written(Key<?> key) {
        return isInForce(key) ? written(key, values) : Optional.empty();
    }

    private static <T> Optional<String> written(Key<T> key, Values scope) {
        return scope.find(key).map(key.type()::write);
    }

    /// Where the key was written, or the whole where it was not.
    Place place(Key<?> key) {
        return values.where(key).map(Where::place).orElseGet(() -> new Place.Named(name));
    }

    Values values() {
        return values;
    }

    /// The keys of the mounts as they are written, in the order of the mounts.
    List<Map<String, String>> writtenMounts() {
        return repeated.mounts().stream().map(mount -> {
            Map<String, String> written = new LinkedHashMap<>();
            KeyTable.element(KeyTable.MOUNT).stream().filter(Key::available)
                    .forEach(key -> written(key, mount).ifPresent(words -> written.put(key.path(), words)));
            return written;
        }).toList();
    }

    /// The values of `[[tls.identity]]` by their keys, in the order of the tables. Secrets are values here, not references.
    List<Map<String, Object>> identities() {
        return repeated.identities().stream().map(identity -> {
            Map<String, Object> present = new LinkedHashMap<>();
            TlsKeys.IDENTITY.forEach(key -> identity.find(key).ifPresent(value -> present.put(key.path(), value)));
            return present;
        }).toList();
    }

    /// Where the value of a key came from, as `config` prints it; empty for a name that is no key.
    public Optional<String> origin(String key) {
        return KeyTable.single(key).map(known -> origin(known, values));
    }

    /// Host and port do not hold beside a Unix socket or one that is inherited, nothing is redirected to no TLS, and no authority
    /// is asked by another mode.
    private boolean isInForce(Key<?> key) {
        boolean listener = LISTENER_ADDRESS.contains(key.path())
                && (values.find(ListenerKeys.UNIX).isPresent() || values.find(ListenerKeys.INHERIT).isPresent());
        boolean admin = ADMIN_ADDRESS.contains(key.path()) && values.find(MetricsKeys.UNIX).isPresent();
        boolean redirect = key.equals(ListenerKeys.REDIRECT_PORT) && !ListenerKeys.canRedirect(values);
        boolean authority = key.path().startsWith(TlsKeys.OF_AUTHORITY)
                && values.of(TlsKeys.MODE) != TlsKeys.Mode.ACME;
        return !listener && !admin && !redirect && !authority;
    }

    private <T> void line(Key<T> key, String name, Values scope, StringBuilder text) {
        scope.find(key)
                .ifPresent(value -> text.append(name).append(" = ").append(key.type().write(value)).append("  # ")
                        .append(key.type().isSecret() ? "<redacted> " : "").append(origin(key, scope)).append('\n'));
    }

    private String origin(Key<?> key, Values scope) {
        return scope.where(key).map(Where::origin)
                .orElseGet(() -> key.byDefault().differs() ? "profile " + profile.word() : "default");
    }
}

package io.servery.core.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Every effective value and where it came from.
public final class Effective {
    private static final Set<String> LISTENER_ADDRESS = Set.of(ListenerKeys.HOST.path(), ListenerKeys.PORT.path());
    private static final Set<String> ADMIN_ADDRESS = Set.of(MetricsKeys.HOST.path(), MetricsKeys.PORT.path());

    private final Profile profile;
    private final Values values;
    private final List<Values> mounts;

    Effective(Profile profile, Values values, List<Values> mounts) {
        this.profile = profile;
        this.values = values;
        this.mounts = List.copyOf(mounts);
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
        for (Values mount : mounts) {
            text.append("\n[[").append(KeyTable.MOUNT).append("]]\n");
            KeyTable.element(KeyTable.MOUNT).stream().filter(Key::available)
                    .forEach(key -> line(key, key.name(), mount, text));
        }
        return text.toString();
    }

    /// Where the value of a key came from, as `config` prints it; empty for a name that is no key.
    public Optional<String> origin(String key) {
        return KeyTable.single(key).map(known -> origin(known, values));
    }

    /// Host and port do not hold beside a Unix socket.
    private boolean isInForce(Key<?> key) {
        boolean listener = LISTENER_ADDRESS.contains(key.path()) && values.find(ListenerKeys.UNIX).isPresent();
        boolean admin = ADMIN_ADDRESS.contains(key.path()) && values.find(MetricsKeys.UNIX).isPresent();
        return !listener && !admin;
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

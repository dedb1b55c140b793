package io.servery.core.config;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One row of the key table: everything that is known of a key.
///
/// @param path the whole name, segments separated by dots; within a repeated table the name of the table comes first
/// @param byDefault what holds when no layer says anything
/// @param inert for a key that is not available yet: the one value, as a bare word, that says what happens today anyway
/// @param finite 0 switches the limit off, which production refuses
/// @param doc one sentence for the reference page
record Key<T>(String path, ValueType<T> type, Default byDefault, Change change, boolean available,
        @Nullable String inert, boolean finite, String doc) {

    /// Each row is there once.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return path.hashCode();
    }

    /// What a changed value needs.
    enum Change {
        /// Applied to the running generation.
        HOT("hot"),
        /// A reload starts new workers.
        GENERATION("generation"),
        /// A reload refuses it.
        RESTART("restart");

        private final String word;

        Change(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /// A default by profile, as bare words; null where there is none.
    record Default(@Nullable String local, @Nullable String production) {
        @Nullable
        String of(Profile profile) {
            return switch (profile) {
                case LOCAL -> local;
                case PRODUCTION -> production;
            };
        }

        boolean differs() {
            return !java.util.Objects.equals(local, production);
        }
    }

    /// A key that does something today.
    static <T> Key<T> now(String path, ValueType<T> type, String doc) {
        return new Key<>(path, type, new Default(null, null), Change.GENERATION, true, null, false, doc);
    }

    /// A key of the contract whose feature comes later.
    static <T> Key<T> later(String path, ValueType<T> type, String doc) {
        return new Key<>(path, type, new Default(null, null), Change.GENERATION, false, null, false, doc);
    }

    Key<T> byDefault(String words) {
        return byProfile(words, words);
    }

    Key<T> byProfile(@Nullable String local, @Nullable String production) {
        return new Key<>(path, type, new Default(local, production), change, available, inert, finite, doc);
    }

    Key<T> hot() {
        return new Key<>(path, type, byDefault, Change.HOT, available, inert, finite, doc);
    }

    Key<T> restart() {
        return new Key<>(path, type, byDefault, Change.RESTART, available, inert, finite, doc);
    }

    Key<T> inert(String words) {
        return new Key<>(path, type, byDefault, change, available, words, finite, doc);
    }

    Key<T> finiteInProduction() {
        return new Key<>(path, type, byDefault, change, available, inert, true, doc);
    }

    /// What the parent alone needs: the admin listener, the files of identities and whoever issues them, which it hands over as
    /// values, and the port whose sockets say by themselves what they are for.
    private static final Set<String> OF_PARENT = Set.of("metrics", "tls.manual", "tls.identity", "tls.client_ca_file",
            "tls.acme", "tls.acme.external_account", "listener.redirect_port");

    /// Whether workers are told its value: no secret, and nothing of the parent's own.
    boolean isForWorkers() {
        return available && !type.isSecret() && !OF_PARENT.contains(table()) && !OF_PARENT.contains(path);
    }

    /// Whether the parent takes a new value while it runs, and hands over what it means.
    boolean isTakenByParent() {
        return available && change == Change.HOT && !isForWorkers();
    }

    /// Whether a running worker takes a new value.
    boolean isPushed() {
        return isForWorkers() && change == Change.HOT;
    }

    /// The last segment: the name within its table.
    String name() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /// The table it stands in; empty for the top level.
    String table() {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? "" : path.substring(0, dot);
    }

    Optional<String> inertWords() {
        return Optional.ofNullable(inert);
    }
}

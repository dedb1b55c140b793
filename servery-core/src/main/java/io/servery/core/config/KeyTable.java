package io.servery.core.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Every key there is, in the order of the reference page.
///
/// *Invariant*: a key that is not here does not exist for any layer.
final class KeyTable {
    static final Key<Profile> PROFILE = Key
            .now("profile", new Words.OneOf<>(Profile.class, List.of("lan")),
                    "What kind of place the service runs in: it decides defaults, and what is refused.")
            .byDefault("local");

    /// The only version of the form of a file so far.
    static final Key<Integer> SCHEMA_VERSION = Key.now("schema_version", new Numbers.Count(1, 1),
            "The version of the form of the file; every file begins with it.");

    static final String ENVIRONMENT_PREFIX = "SERVERY__";
    static final String MOUNT = "mount";
    static final String IDENTITY = "tls.identity";

    /// Tables of the contract whose keys are not settled yet.
    static final Set<String> LATER_TABLES = new LinkedHashSet<>(
            List.of("application.proxy", "application.cgi", "upload", "webdav", "auth", "lan", "tftp"));

    private static final Map<String, Key<?>> SINGLE = new LinkedHashMap<>();
    private static final Map<String, List<Key<?>>> REPEATED = new LinkedHashMap<>();
    private static final Set<String> TABLES = new LinkedHashSet<>();
    private static final Map<String, Key<?>> BY_VARIABLE = new LinkedHashMap<>();

    static {
        add(List.of(SCHEMA_VERSION, PROFILE));
        add(RuntimeKeys.ALL);
        add(ListenerKeys.ALL);
        add(TlsKeys.ALL);
        add(ResourceKeys.ALL);
        add(LoggingKeys.ALL);
        add(MetricsKeys.ALL);
        add(List.of(ApplicationKeys.MODE));
        add(ApplicationKeys.STATIC.all());
        add(ApplicationKeys.OTHER_MODES);
        List<Key<?>> mount = new ArrayList<>(List.of(ApplicationKeys.MOUNT_PATH));
        mount.addAll(ApplicationKeys.MOUNT.all());
        REPEATED.put(MOUNT, List.copyOf(mount));
        REPEATED.put(IDENTITY, TlsKeys.IDENTITY);
    }

    private KeyTable() {
    }

    private static void add(List<Key<?>> keys) {
        for (Key<?> key : keys) {
            SINGLE.put(key.path(), key);
            BY_VARIABLE.put(variable(key.path()), key);
            for (int dot = key.path().indexOf('.'); dot >= 0; dot = key.path().indexOf('.', dot + 1)) {
                TABLES.add(key.path().substring(0, dot));
            }
        }
    }

    /// The name of a key in the environment.
    static String variable(String path) {
        return ENVIRONMENT_PREFIX + path.toUpperCase(Locale.ROOT).replace(".", "__");
    }

    /// The keys outside of repeated tables.
    static Iterable<Key<?>> single() {
        return SINGLE.values();
    }

    static Optional<Key<?>> single(String path) {
        return Optional.ofNullable(SINGLE.get(path));
    }

    static Optional<Key<?>> byVariable(String name) {
        return Optional.ofNullable(BY_VARIABLE.get(name));
    }

    static boolean isTable(String path) {
        return TABLES.contains(path);
    }

    /// The names of the repeated tables, `[[name]]`.
    static Set<String> repeated() {
        return REPEATED.keySet();
    }

    /// The keys of one element of a repeated table; empty when there is no such table.
    static List<Key<?>> element(String table) {
        return REPEATED.getOrDefault(table, List.of());
    }

    static Optional<Key<?>> inElement(String path) {
        return REPEATED.values().stream().flatMap(List::stream).<Key<?>>map(key -> key)
                .filter(key -> key.path().equals(path)).findFirst();
    }

    /// A table of the contract that comes later, or something in one.
    static boolean isLater(String path) {
        return LATER_TABLES.stream().anyMatch(table -> path.equals(table) || path.startsWith(table + "."));
    }

    /// Every name of a key, for a suggestion.
    static List<String> names() {
        List<String> names = new ArrayList<>(SINGLE.keySet());
        REPEATED.values().forEach(keys -> keys.forEach(key -> names.add(key.path())));
        return names;
    }

    /// Every name of a table, for a suggestion.
    static List<String> tables() {
        List<String> tables = new ArrayList<>(TABLES);
        tables.addAll(REPEATED.keySet());
        return tables;
    }
}

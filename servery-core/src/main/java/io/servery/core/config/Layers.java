package io.servery.core.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What all layers say: a later layer replaces what an earlier one said of the same key.
final class Layers {
    private final Map<String, Provided> values = new LinkedHashMap<>();
    private final Map<String, List<Provided>> replaced = new LinkedHashMap<>();
    private final Map<String, List<Map<String, Provided>>> repeated = new LinkedHashMap<>();

    void provide(String path, Provided provided) {
        Provided before = values.put(path, provided);
        if (before != null) {
            replaced.computeIfAbsent(path, _ -> new ArrayList<>()).add(before);
        }
    }

    void provide(String table, List<Map<String, Provided>> elements) {
        repeated.put(table, elements);
    }

    Optional<Provided> of(String path) {
        return Optional.ofNullable(values.get(path));
    }

    /// What earlier layers said of the key: it does not hold, but it must be sound.
    List<Provided> replaced(String path) {
        return replaced.getOrDefault(path, List.of());
    }

    /// The elements of a repeated table, each with the keys that it sets.
    List<Map<String, Provided>> elements(String table) {
        return repeated.getOrDefault(table, List.of());
    }
}

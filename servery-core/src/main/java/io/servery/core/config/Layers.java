package io.servery.core.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What all layers say: a later layer replaces what an earlier one said of the same key.
final class Layers {
    private final Map<String, Provided> values = new LinkedHashMap<>();
    private final Map<String, List<Map<String, Provided>>> repeated = new LinkedHashMap<>();

    void provide(String path, Provided provided) {
        values.put(path, provided);
    }

    void provide(String table, List<Map<String, Provided>> elements) {
        repeated.put(table, elements);
    }

    Optional<Provided> of(String path) {
        return Optional.ofNullable(values.get(path));
    }

    Map<String, Provided> values() {
        return values;
    }

    /// The elements of a repeated table, each with the keys that it sets.
    List<Map<String, Provided>> elements(String table) {
        return repeated.getOrDefault(table, List.of());
    }
}

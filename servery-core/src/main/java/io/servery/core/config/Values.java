package io.servery.core.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/// The effective values of the keys of one scope: of the whole configuration, or of one element of a repeated table.
final class Values {
    private final Map<String, Value> values;

    Values() {
        values = new LinkedHashMap<>();
    }

    /// The same values, which may then differ.
    Values(Values other) {
        values = new LinkedHashMap<>(other.values);
    }

    /// @param value empty when nothing says anything, or when what was said is refused
    /// @param key where the key was written; empty for a default
    /// @param at where the value was written; empty for a default
    /// @param sound whether nothing about it was refused
    record Value(Optional<Object> value, Optional<Where> key, Optional<Where> at, boolean sound) {
        static Value byDefault(Optional<?> value) {
            return new Value(value.map(Object.class::cast), Optional.empty(), Optional.empty(), true);
        }
    }

    void put(Key<?> key, Value value) {
        values.put(key.path(), value);
    }

    /// The value of a key that has a default.
    <T> T of(Key<T> key) {
        return find(key).orElseThrow(() -> new NoSuchElementException(key.path()));
    }

    /// The value of a key that may be absent.
    @SuppressWarnings("unchecked") // A value is put only by the reader, which got it from the type of this very key.
    <T> Optional<T> find(Key<T> key) {
        return (Optional<T>) entry(key).value;
    }

    /// Where the key was written; empty for a default.
    Optional<Where> where(Key<?> key) {
        return entry(key).key;
    }

    /// Where the value was written; empty for a default.
    Optional<Where> at(Key<?> key) {
        return entry(key).at;
    }

    boolean isExplicit(Key<?> key) {
        return entry(key).key.isPresent();
    }

    /// Whether a rule over these keys says something: it does not when one of them was refused already.
    boolean sound(Key<?>... keys) {
        for (Key<?> key : keys) {
            if (!entry(key).sound) {
                return false;
            }
        }
        return true;
    }

    private Value entry(Key<?> key) {
        Value value = values.get(key.path());
        if (value == null) {
            throw new NoSuchElementException(key.path());
        }
        return value;
    }
}

package io.servery.core.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The types of keys that hold several values: lists and tables of one's own names.
final class Groups {

    private Groups() {
    }

    /// A list without duplicates.
    ///
    /// @param loneAllowed whether one value may stand without brackets
    record ListOf<E>(ValueType<E> element, boolean loneAllowed, int min, int max) implements ValueType<List<E>> {
        @Override
        public Optional<List<E>> read(Raw raw, Reading reading) {
            if (loneAllowed && raw instanceof Raw.Scalar) {
                return element.read(raw, reading).map(List::of);
            }
            if (!(raw instanceof Raw.Sequence(List<Raw> elements, _))) {
                return reading.refuse(raw, description());
            }
            if (elements.size() < min || elements.size() > max) {
                return reading.refuse(raw, "an array of " + elements.size(),
                        "an array of " + min + " to " + max + " values");
            }
            return read(elements, reading);
        }

        private Optional<List<E>> read(List<Raw> elements, Reading reading) {
            List<E> values = new ArrayList<>();
            HashSet<E> seen = new HashSet<>();
            for (Raw raw : elements) {
                Optional<E> value = element.read(raw, reading);
                if (value.isPresent() && !seen.add(value.get())) {
                    reading.refuse(raw, raw.found() + " twice", "each value once");
                } else {
                    value.ifPresent(values::add);
                }
            }
            return values.size() == elements.size() ? Optional.of(List.copyOf(values)) : Optional.empty();
        }

        @Override
        public String write(List<E> value) {
            return value.stream().map(element::write).collect(Collectors.joining(", ", "[", "]"));
        }

        @Override
        public String description() {
            return (loneAllowed
                    ? element.description() + ", or an array of such"
                    : "an array: each "
                            + element.description());
        }

        @Override
        public Bare bare() {
            return loneAllowed ? Bare.WORD_OR_STRUCTURE : Bare.STRUCTURE;
        }
    }

    /// A table whose names are the user's.
    ///
    /// @param name the form of a name
    record TableOf<K>(NameType<K> name, ValueType<String> element, int max) implements ValueType<Map<K, String>> {
        @Override
        public Optional<Map<K, String>> read(Raw raw, Reading reading) {
            if (!(raw instanceof Raw.Table(Map<String, Raw.Entry> entries, _, _))) {
                return reading.refuse(raw, description());
            }
            if (entries.size() > max) {
                return reading.refuse(raw, "a table of " + entries.size(), "at most " + max + " names");
            }
            int before = reading.faults().count();
            Map<K, String> values = new LinkedHashMap<>();
            HashSet<Object> seen = new HashSet<>();
            entries.forEach((text, entry) -> {
                Optional<K> key = name.read(text);
                if (key.isEmpty()) {
                    refuse(reading, entry, text, name.expected());
                } else if (!seen.add(name.identity(key.get()))) {
                    refuse(reading, entry, text, "each name once");
                }
                Optional<String> value = element.read(entry.value(), reading);
                key.ifPresent(k -> value.ifPresent(v -> values.put(k, v)));
            });
            return reading.faults().count() == before
                    ? Optional.of(Collections.unmodifiableMap(values))
                    : Optional.empty();
        }

        private static void refuse(Reading reading, Raw.Entry entry, String text, String expected) {
            reading.faults().add(entry.key(), "`" + reading.key() + "`: found the name " + Printable.quoted(text)
                    + "; expected " + expected);
        }

        @Override
        public String write(Map<K, String> value) {
            return value.isEmpty()
                    ? "{}"
                    : value.entrySet().stream()
                            .map(e -> Words.quote(e.getKey().toString()) + " = " + element.write(e.getValue()))
                            .collect(Collectors.joining(", ", "{ ", " }"));
        }

        @Override
        public String description() {
            return "a table: " + name.expected() + " = " + element.description();
        }

        @Override
        public Bare bare() {
            return Bare.STRUCTURE;
        }
    }

    /// What a name in a table may be.
    interface NameType<K> {
        Optional<K> read(String text);

        String expected();

        /// What makes two names the same.
        default Object identity(K name) {
            return name;
        }
    }
}

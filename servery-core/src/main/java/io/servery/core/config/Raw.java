package io.servery.core.config;

import java.util.List;
import java.util.Map;

/// A value as it was written, before its key says what it means.
sealed interface Raw {

    Where where();

    /// What a person calls this value.
    String found();

    /// One value without parts.
    ///
    /// @param value a String, Long, Double, Boolean, or one of `java.time`
    record Scalar(Object value, Where where) implements Raw {
        @Override
        public String found() {
            return switch (value) {
                case String text -> Printable.quoted(text);
                case Long number -> number.toString();
                case Double number -> number.toString();
                case Boolean truth -> truth.toString();
                default -> "a date or time";
            };
        }
    }

    /// An array.
    record Sequence(List<Raw> elements, Where where) implements Raw {
        @Override
        public String found() {
            return "an array";
        }
    }

    /// A table, an inline table or a JSON object.
    ///
    /// @param headed written with a header of its own, `[table]`
    record Table(Map<String, Entry> entries, Where where, boolean headed) implements Raw {
        @Override
        public String found() {
            return "a table";
        }
    }

    /// A key in a table and its value.
    record Entry(Where key, Raw value) {
    }
}

package io.servery.core.config;

import java.util.Optional;

/// What the value of a key may be: how it is read, written and described.
interface ValueType<T> {

    /// The value, or empty after a fault was reported.
    Optional<T> read(Raw raw, Reading reading);

    /// The value as TOML that reads back as the same value.
    String write(T value);

    /// What a person may write, for messages and the reference page.
    String description();

    /// How a bare word of the environment or the command line becomes a value.
    default Bare bare() {
        return Bare.WORD;
    }

    /// The least and greatest number that is accepted, where there are any.
    default Optional<Bounds> bounds() {
        return Optional.empty();
    }

    /// Whether the value must not be shown.
    default boolean isSecret() {
        return false;
    }

    /// In the smallest unit: milliseconds, bytes, or the number itself.
    record Bounds(long min, long max) {
        boolean admit(long value) {
            return value >= min && value <= max;
        }
    }

    /// What a bare word means.
    enum Bare {
        /// A string, whatever it looks like.
        WORD,
        /// A number where it is one, else a string.
        NUMBER,
        /// `true` or `false`, else a string.
        TRUTH,
        /// Array or table in the syntax of its source.
        STRUCTURE,
        /// Array or table where it begins like one, else a string.
        WORD_OR_STRUCTURE
    }
}

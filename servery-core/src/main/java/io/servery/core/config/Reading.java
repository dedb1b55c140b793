package io.servery.core.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// What the reading of one value may look at, and where its faults go.
///
/// @param key the name for messages
/// @param base what a relative path is relative to
record Reading(String key, Path base, Map<String, String> environment, Profile profile, Faults faults) {

    /// The usual fault of a value: what was found and what was expected.
    <T> Optional<T> refuse(Raw raw, String expected) {
        return refuse(raw, raw.found(), expected);
    }

    <T> Optional<T> refuse(Raw raw, String found, String expected) {
        faults.add(raw.where(), "`" + key + "`: found " + found + "; expected " + expected);
        return Optional.empty();
    }

    <T> Optional<T> refuse(Raw raw, String found, String expected, String hint) {
        faults.add(raw.where(), "`" + key + "`: found " + found + "; expected " + expected, hint);
        return Optional.empty();
    }
}

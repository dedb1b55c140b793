package io.servery.core.config;

import io.servery.core.fault.Place;

/// One key that the command line sets.
///
/// @param flag what was typed, such as `--set` or `--port`
/// @param key the whole name of the key
/// @param words the value: a bare string, or TOML where a list or a table is meant
public record Setting(String flag, String key, String words) {

    /// A string as TOML, for a list that a flag makes.
    public static String quoted(String words) {
        return Words.quote(words);
    }

    Place place() {
        return new Place.Argument(flag, flag.equals("--set") ? Printable.shown(key) : "");
    }
}

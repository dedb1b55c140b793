package io.servery.netty.cli;

import io.servery.core.config.Setting;
import org.jspecify.annotations.Nullable;

/// `--set KEY=VALUE`.
final class Assignment {
    static final String OPTION = "--set";
    static final String LABEL = "KEY=VALUE";
    static final String DESCRIPTION = "Set any key of the configuration: a bare value, or TOML where a list or a table is"
            + " meant. Repeatable.";
    private static final int SHOWN_MAX = 40;

    private Assignment() {
    }

    /// The setting that the words make; nothing when they are none.
    static @Nullable Setting setting(String words) {
        int equals = words.indexOf('=');
        return equals <= 0
                ? null
                : new Setting(OPTION, words.substring(0, equals).strip(), words.substring(equals + 1).strip());
    }

    /// What is wrong with words that make none.
    static String wrong(String words) {
        return OPTION + ": found \"" + words.substring(0, Math.min(words.length(), SHOWN_MAX)) + "\"; expected "
                + LABEL;
    }
}

package io.servery.core.config;

import java.util.Map;

/// Defaults that depend on the user's environment.
final class DefaultWords {
    /// Stands for the directory below the user's XDG state home.
    static final String STATE_HOME = "$XDG_STATE_HOME/servery";

    private DefaultWords() {
    }

    /// The default with what it stands for.
    static String expand(String words, Map<String, String> environment) {
        return words.equals(STATE_HOME) ? stateHome(environment) + "/servery" : words;
    }

    /// XDG Base Directory Specification: an unset, empty or relative variable does not count.
    private static String stateHome(Map<String, String> environment) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        if (state.startsWith("/")) {
            return state;
        }
        String home = environment.getOrDefault("HOME", "");
        return (home.startsWith("/") ? home : "/var/tmp") + "/.local/state";
    }
}

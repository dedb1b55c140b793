package io.servery.core.control;

import java.util.Optional;
import java.util.stream.Stream;

/// What the connections of a public listening socket are for.
public enum ListenerRole {
    /// The service itself, over TLS where that is on.
    SERVICE("listener", "http"),
    /// Plain HTTP that is redirected to HTTPS.
    REDIRECT("listener.redirect_port", "redirect");

    private final String key;
    private final String word;

    ListenerRole(String key, String word) {
        this.key = key;
        this.word = word;
    }

    /// What the configuration calls its addresses.
    public String key() {
        return key;
    }

    /// The word of events.
    public String word() {
        return word;
    }

    /// The role whose addresses the configuration calls so; empty for those of the admin listener.
    public static Optional<ListenerRole> ofKey(String key) {
        return Stream.of(values()).filter(role -> role.key.equals(key)).findFirst();
    }
}

package io.servery.core.config;

import java.util.List;
import java.util.Locale;

/// Names whose values are never shown, also where the name is misspelt or unknown.
final class Sensitive {
    private static final List<String> PARTS = List.of("token", "secret", "passw", "passphrase", "hmac", "credential",
            "private_key", "apikey", "api_key");
    private static final List<String> NAMES = List.of("token", "secret", "password", "private_key_password",
            "hmac_key");
    private static final int DISTANCE_MAX = 2;

    private Sensitive() {
    }

    static boolean isSensitive(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return PARTS.stream().anyMatch(lower::contains) || isMisspelt(lower);
    }

    private static boolean isMisspelt(String lower) {
        return lower.length() > DISTANCE_MAX + 1
                && NAMES.stream().anyMatch(known -> Suggestion.distance(known, lower) <= DISTANCE_MAX);
    }
}

package io.servery.core.config;

/// What kind of place the service runs in: it decides defaults, and what is refused.
public enum Profile implements Choice {
    /// One developer's machine: loopback, listings, human logs.
    LOCAL("local"),
    /// The public internet, directly.
    PRODUCTION("production");

    private final String word;

    Profile(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }
}

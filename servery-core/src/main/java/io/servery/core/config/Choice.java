package io.servery.core.config;

/// One of a few words that a key accepts.
public interface Choice {
    /// The word as it is written in a file.
    String word();
}

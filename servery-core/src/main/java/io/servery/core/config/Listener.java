package io.servery.core.config;

/// The table `[listener]`: the public listen addresses and what is spoken there.
public record Listener(Endpoint endpoint, boolean http1, int backlog) {
}

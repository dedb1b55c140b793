package io.servery.core.config;

/// The table `[application]`: what answers requests.
public sealed interface Application permits StaticFiles {
}

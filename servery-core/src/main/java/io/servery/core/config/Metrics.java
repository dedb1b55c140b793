package io.servery.core.config;

import java.util.Optional;

/// The table `[metrics]`: the read-only admin listener.
public sealed interface Metrics {

    /// No admin listener.
    record Off() implements Metrics {
    }

    /// The admin listener and its three paths, all different.
    ///
    /// @param token what a client must present as `Authorization: Bearer`; present when an address is not loopback
    record On(Endpoint.Own endpoint, String path, String livePath, String readyPath,
            Optional<Secret> token) implements Metrics {
    }
}

package io.servery.netty.cli;

import io.servery.core.config.ServeryConfig;

/// What runs a service once its configuration is accepted.
@FunctionalInterface
public interface ServiceLauncher {

    /// Runs the service until it ends.
    ///
    /// @return the exit code of the process
    int run(ServeryConfig config, StartOptions options);
}

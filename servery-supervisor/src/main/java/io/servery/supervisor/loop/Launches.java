package io.servery.supervisor.loop;

import io.servery.core.config.ServeryConfig;
import io.servery.supervisor.process.Command;
import java.nio.file.Path;

/// Decides how a worker of a configuration is started: the program, its flags and sizes, its environment.
@FunctionalInterface
public interface Launches {
    /// @param controlSocket where the worker finds its parent
    /// @throws ConfigurationRefusal where the host has not what the configuration needs
    Command of(ServeryConfig config, Path controlSocket) throws ConfigurationRefusal;
}

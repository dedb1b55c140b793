package io.servery.supervisor.loop;

import io.servery.core.config.ServeryConfig;
import io.servery.supervisor.process.Command;
import java.nio.file.Path;

/// Decides how a worker of a configuration is started: the program, its flags and sizes, its environment.
@FunctionalInterface
public interface Launches {
    /// Whether this host has what workers of a configuration need: asked before any is started.
    ///
    /// @throws ConfigurationRefusal where it has not
    default void check(ServeryConfig config) throws ConfigurationRefusal {
    }

    /// The program of one worker.
    ///
    /// @param controlSocket where the worker finds its parent
    /// @param besideOthers whether others serve meanwhile, to which it is to give way
    /// @throws ConfigurationRefusal where the host has not what the configuration needs
    Command of(ServeryConfig config, Path controlSocket, boolean besideOthers) throws ConfigurationRefusal;
}

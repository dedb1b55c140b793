package io.servery.supervisor.loop;

import io.servery.core.config.Outcome;

/// Where the configuration comes from: read anew at each reload, on a thread that may wait for a file system.
@FunctionalInterface
public interface Source {
    /// Reads and judges it.
    Outcome read();
}

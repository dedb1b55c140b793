package io.servery.netty.listen;

import io.servery.core.fault.ExitCode;
import java.util.List;

/// What came of binding an endpoint.
public sealed interface ListenResult {
    /// Every address is bound.
    record Bound(List<ListenerGroup> groups) implements ListenResult {
        public Bound {
            groups = List.copyOf(groups);
        }
    }

    /// One could not be, and none is.
    ///
    /// @param message where, what was found, what to do
    record Refused(String message, ExitCode exitCode) implements ListenResult {
    }
}

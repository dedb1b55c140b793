package io.servery.supervisor.listen;

import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import java.util.List;

/// What came of binding addresses.
public sealed interface BindResult {

    /// Every address is bound.
    ///
    /// @param shards all of these addresses, ascending: those that were there before too
    record Bound(List<Shard> shards) implements BindResult {
        public Bound {
            shards = List.copyOf(shards);
        }
    }

    /// One could not be, and none is that was not before.
    ///
    /// @param message where, what was found, what to do
    record Refused(String message, ExitCode exitCode) implements BindResult {
    }
}

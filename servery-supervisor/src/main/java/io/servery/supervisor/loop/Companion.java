package io.servery.supervisor.loop;

import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.core.fault.ExitCode;
import java.util.Optional;

/// What the parent itself does for a configuration beside its workers: the admin listener, the level of its log.
///
/// *Owner*: the loop.
public interface Companion {
    /// Gets ready for a configuration, without letting go of the one before.
    Offer offer(ServeryConfig config);

    /// What getting ready led to.
    sealed interface Offer {
    }

    /// One of the two methods is called, once.
    non-sealed interface Made extends Offer {
        /// The configuration holds from now on; the one before is let go.
        ///
        /// @param identities what its workers show
        void take(Optional<Order.Identify> identities);

        /// It came to nothing: give back what was made.
        void decline();
    }

    /// It cannot be carried out.
    ///
    /// @param message where, what was found, what to do
    record Refused(String message, ExitCode exitCode) implements Offer {
    }
}

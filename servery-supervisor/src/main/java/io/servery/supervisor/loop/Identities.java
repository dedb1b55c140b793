package io.servery.supervisor.loop;

import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.core.lifecycle.Cause;
import io.servery.core.operator.FleetStatus;
import io.servery.core.operator.OperatorReply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/// Where the identities come from that workers show to their peers. What they are is nobody's business here: an order that
/// goes to whoever needs it.
public interface Identities {
    /// What workers of a configuration show, read and judged. On a thread that may wait.
    Reading read(ServeryConfig config);

    /// A worker cannot show what was sent last; all show again what every worker is known to have shown. On the loop.
    ///
    /// @param number of the order that was refused
    /// @param again what is shown again; empty where nothing was shown before
    /// @param why for people
    void refused(long number, Optional<Order.Identify> again, String why);

    /// What peers are shown now, that by default first; none without TLS. On the loop.
    List<FleetStatus.ShownCertificate> shown();

    /// What is wrong with what peers are shown, so that the service is not ready: the most important first, empty where all is
    /// well. Any thread.
    List<Cause> amiss();

    /// An operator asks for a new certificate. Any thread.
    ///
    /// @param force although it is not time
    /// @return completes with the answer, on any thread, when it is there or it is certain that none will be
    CompletionStage<OperatorReply> renew(boolean force);

    /// What reading led to.
    sealed interface Reading {
    }

    /// All of it can be shown.
    ///
    /// @param order for the workers; empty where the configuration asks for no identity
    record Given(Optional<Order.Identify> order) implements Reading {
    }

    /// Not all of it can be shown.
    ///
    /// @param message where, what was found, what was expected; of several lines
    record Refused(String message) implements Reading {
    }
}

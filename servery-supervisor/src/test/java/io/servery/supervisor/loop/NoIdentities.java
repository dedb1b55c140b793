package io.servery.supervisor.loop;

import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Cause;
import io.servery.core.operator.FleetStatus;
import io.servery.core.operator.OperatorReply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Of a service that speaks no TLS.
class NoIdentities implements Identities {
    @Override
    public Reading read(ServeryConfig config) {
        return new Given(Optional.empty());
    }

    @Override
    public List<FleetStatus.ShownCertificate> shown() {
        return List.of();
    }

    @Override
    public List<Cause> amiss() {
        return List.of();
    }

    @Override
    public CompletionStage<OperatorReply> renew(boolean force) {
        return CompletableFuture.completedFuture(
                OperatorReply.out(ExitCode.OK, force ? "forced\n" : "nothing is due\n"));
    }

    @Override
    public void refused(long number, Optional<Order.Identify> again, String why) {
        throw new AssertionError(why);
    }
}

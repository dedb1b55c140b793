package io.servery.supervisor.loop;

import io.servery.core.config.ServeryConfig;
import io.servery.core.operator.FleetStatus;
import java.util.List;
import java.util.Optional;

/// Of a service that speaks no TLS.
record NoIdentities() implements Identities {
    @Override
    public Reading read(ServeryConfig config) {
        return new Given(Optional.empty());
    }

    @Override
    public List<FleetStatus.ShownCertificate> shown() {
        return List.of();
    }

    @Override
    public void refused(long number, String why) {
        throw new AssertionError(why);
    }
}

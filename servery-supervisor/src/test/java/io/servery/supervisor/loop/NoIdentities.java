package io.servery.supervisor.loop;

import io.servery.core.config.ServeryConfig;
import java.util.Optional;

/// Of a service that speaks no TLS.
record NoIdentities() implements Identities {
    @Override
    public Reading read(ServeryConfig config) {
        return new Given(Optional.empty());
    }

    @Override
    public void refused(long number, String why) {
        throw new AssertionError(why);
    }
}

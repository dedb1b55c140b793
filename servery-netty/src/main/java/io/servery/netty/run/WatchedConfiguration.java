package io.servery.netty.run;

import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.netty.identity.IdentityKeeper;
import io.servery.supervisor.loop.Companion;
import java.util.Optional;

/// What the parent does for the configuration that holds: its admin listener, and the watching of its identities.
///
/// *Owner*: the loop of the parent.
record WatchedConfiguration(Companion admin, IdentityKeeper keeper) implements Companion {
    @Override
    public Offer offer(ServeryConfig config) {
        return switch (admin.offer(config)) {
            case Refused refused -> refused;
            case Made made -> new Made() {
                @Override
                public void take(Optional<Order.Identify> identities) {
                    made.take(identities);
                    keeper.serves(config, identities);
                }

                @Override
                public void decline() {
                    made.decline();
                }
            };
        };
    }
}

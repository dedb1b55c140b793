package io.servery.netty.worker.link;

import io.servery.core.control.Order;
import java.util.Optional;

/// What a worker is to show and to answer as soon as it is made; of each the last that was ordered.
record Given(Optional<Order.Identify> identities, Optional<Order.Post> challenges) {
    static final Given NOTHING = new Given(Optional.empty(), Optional.empty());

    Given with(Order.Identify order) {
        return new Given(Optional.of(order), challenges);
    }

    Given with(Order.Post order) {
        return new Given(identities, Optional.of(order));
    }
}

package io.servery.supervisor.loop;

import io.servery.core.config.Effective;
import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.core.lifecycle.Fleet;
import io.servery.supervisor.listen.WantedAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The configurations that something still needs, by the number that plans carry.
///
/// *Owner*: the loop.
final class Revisions {
    /// One accepted configuration.
    ///
    /// @param text what workers of it are given
    /// @param identities what they show to peers
    record Revision(int number, ServeryConfig config, Effective effective, List<WantedAddress> addresses, String text,
            Optional<Order.Identify> identities) {
    }

    private final Map<Integer, Revision> byNumber = new TreeMap<>();
    private int last;

    Revision add(ServeryConfig config, Effective effective, List<WantedAddress> addresses,
            Optional<Order.Identify> identities) {
        Revision revision = new Revision(++last, config, effective, addresses, effective.workerText(), identities);
        byNumber.put(last, revision);
        return revision;
    }

    /// The same configuration, whose workers show something else from now on.
    Revision identify(int number, Order.Identify identities) {
        Revision before = of(number);
        Revision revision = new Revision(number, before.config, before.effective, before.addresses, before.text,
                Optional.of(identities));
        byNumber.put(number, revision);
        return revision;
    }

    Revision of(int number) {
        Revision found = byNumber.get(number);
        if (found == null) {
            throw new IllegalStateException("revision " + number + ": found " + byNumber.keySet());
        }
        return found;
    }

    /// Forgets what neither serves, leaves, is on its way nor can be rolled back to.
    ///
    /// @param changes may need others than the fleet knows of yet
    void keep(Fleet fleet, Changes changes) {
        byNumber.keySet().removeIf(number -> !changes.needs(number) && !fleet.revisions().contains(number));
    }
}

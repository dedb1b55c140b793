package io.servery.supervisor.listen;

import java.util.List;

/// An address, and the name of the configuration by which it is wanted: the same address by another name is another
/// listener.
///
/// @param key as in messages: `listener`, `listener.redirect_port` or `metrics`
public record WantedAddress(String key, ListenAddress address) {
    /// Addresses that one name stands for.
    public static List<WantedAddress> all(String key, List<ListenAddress> addresses) {
        return addresses.stream().map(address -> new WantedAddress(key, address)).toList();
    }
}

package io.servery.core.config;

import java.util.Optional;
import java.util.OptionalInt;

/// The table `[listener]`: the public listen addresses and what is spoken there.
///
/// @param redirectPort where plain HTTP is redirected to HTTPS, on the hosts of the endpoint; empty for nowhere, and in a
/// worker, which is told with each socket what it is for
public record Listener(Endpoint endpoint, OptionalInt redirectPort, boolean http1, int backlog) {

    /// Where plain HTTP is redirected.
    public Optional<Endpoint.Tcp> redirect() {
        return endpoint instanceof Endpoint.Tcp tcp && redirectPort.isPresent()
                ? Optional.of(new Endpoint.Tcp(tcp.hosts(), redirectPort.getAsInt()))
                : Optional.empty();
    }
}

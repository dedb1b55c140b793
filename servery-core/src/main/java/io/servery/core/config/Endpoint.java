package io.servery.core.config;

import java.nio.file.Path;
import java.util.List;

/// Where a listener listens.
public sealed interface Endpoint {

    /// What is bound here, not by somebody else before.
    sealed interface Own extends Endpoint {
    }

    /// One or several addresses with the same port.
    ///
    /// @param hosts IP addresses or host names, at least one, no two equal
    /// @param port 0 (only outside production) lets the system choose
    record Tcp(List<String> hosts, int port) implements Own {
        public Tcp {
            hosts = List.copyOf(hosts);
        }
    }

    /// A Unix domain socket.
    ///
    /// @param path absolute, at most 107 bytes
    record UnixSocket(Path path) implements Own {
    }

    /// Sockets that systemd bound and passes (sd_listen_fds(3)).
    ///
    /// @param name as `FileDescriptorName=` has it
    record Inherited(String name) implements Endpoint {
    }
}

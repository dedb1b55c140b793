package io.servery.supervisor.listen;

import io.servery.core.config.Endpoint;
import io.servery.core.fault.ExitCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Where to listen, with nothing left to look up.
public sealed interface ListenAddress {

    /// How people write it.
    String where();

    /// A TCP address.
    ///
    /// @param host as it was configured: with the port it is what a group is known by over reloads, so that one with port 0
    /// keeps the port that the system chose, and a name its address though its resolution changed
    record Tcp(InetSocketAddress resolved, String host) implements ListenAddress {
        @Override
        public String where() {
            return host + " port " + resolved.getPort();
        }

        /// The same host on another port.
        public Tcp withPort(int port) {
            return new Tcp(new InetSocketAddress(resolved.getAddress(), port), host);
        }
    }

    /// A Unix socket.
    record Unix(Path path) implements ListenAddress {
        @Override
        public String where() {
            return path.toString();
        }
    }

    /// Sockets that listen already, from whoever started this process.
    ///
    /// @param name by which they are known
    /// @param descriptors stay open for the life of the process, since a later configuration may want them again; the table
    /// has duplicates
    record Inherited(String name, List<Integer> descriptors) implements ListenAddress {
        public Inherited {
            descriptors = List.copyOf(descriptors);
        }

        @Override
        public String where() {
            return "socket " + name;
        }
    }

    /// What came of looking up an endpoint.
    sealed interface Resolution {
    }

    /// Each address of the endpoint, in its order.
    record Resolved(List<ListenAddress> addresses) implements Resolution {
        public Resolved {
            addresses = List.copyOf(addresses);
        }
    }

    /// A host name that nobody knows.
    record Unresolved(BindResult.Refused refusal) implements Resolution {
    }

    /// Looks up the host names of an endpoint, which may take long: never on the loop thread.
    ///
    /// @param key the table whose endpoint this is, for messages: `listener` or `metrics`
    /// @param inherited sockets of whoever started this process, by name
    static Resolution of(String key, Endpoint endpoint, Map<String, List<Integer>> inherited) {
        return switch (endpoint) {
            case Endpoint.Inherited(String name) -> inherited.containsKey(name)
                    ? new Resolved(List.of(new Inherited(name, inherited.get(name))))
                    : new Unresolved(new BindResult.Refused(key + ".inherit: found no socket `" + name + "`, but "
                            + (inherited.isEmpty() ? "none" : String.join(", ", inherited.keySet()))
                            + "; expected one of that name from the service manager (FileDescriptorName= of its "
                            + "socket unit)", ExitCode.CONFIGURATION));
            case Endpoint.UnixSocket unix -> new Resolved(List.of(new Unix(unix.path())));
            case Endpoint.Tcp tcp -> resolve(key, tcp);
        };
    }

    private static Resolution resolve(String key, Endpoint.Tcp tcp) {
        List<ListenAddress> addresses = new ArrayList<>();
        for (String host : tcp.hosts()) {
            try {
                addresses.add(new Tcp(new InetSocketAddress(InetAddress.getByName(host), tcp.port()), host));
            } catch (UnknownHostException unknown) {
                return new Unresolved(new BindResult.Refused(key + ": cannot listen on " + host + " port "
                        + tcp.port() + ": the host name is not known", ExitCode.UNAVAILABLE));
            }
        }
        return new Resolved(addresses);
    }
}

package io.servery.admin;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which `Host` a request to the admin listener may carry.
///
/// A page of a foreign site can point its own name at 127.0.0.1 (DNS rebinding) and is then, for the browser, of one
/// origin with a loopback listener: no `Origin` need be sent. What gives it away is `Host`, which still holds the
/// foreign name. A listener on loopback therefore answers only to names that cannot be anybody else's.
public sealed interface HostPolicy {
    boolean accepts(@Nullable String host);

    /// For a loopback address: `localhost`, a loopback literal or one of the configured names, with any port. A request
    /// without `Host` is accepted: only HTTP/1.0 allows that, and no browser speaks it.
    record Loopback(Set<String> names) implements HostPolicy {
        private static final Pattern IPV4 = Pattern.compile("127(?:\\.(?:0|[1-9][0-9]{0,2})){3}");
        private static final Pattern PORT = Pattern.compile("(?::[0-9]{0,5})?$");

        public Loopback(Set<String> names) {
            Set<String> known = new HashSet<>(Set.of("localhost", "[::1]"));
            for (String name : names) {
                known.add(name.indexOf(':') >= 0 && !name.startsWith("[")
                        ? "[" + lowerCase(name) + "]"
                        : lowerCase(name));
            }
            this.names = Set.copyOf(known);
        }

        @Override
        public boolean accepts(@Nullable String host) {
            if (host == null) {
                return true;
            }
            String name = lowerCase(PORT.matcher(host).replaceFirst(""));
            return names.contains(name) || IPV4.matcher(name).matches();
        }

        private static String lowerCase(String name) {
            return name.toLowerCase(Locale.ROOT);
        }
    }

    /// For a Unix socket, which no page can reach.
    record UnixSocket() implements HostPolicy {
        @Override
        public boolean accepts(@Nullable String host) {
            return true;
        }
    }

    /// For any other address, where the token that is required there protects under any name.
    record PublicBind() implements HostPolicy {
        @Override
        public boolean accepts(@Nullable String host) {
            return true;
        }
    }

    /// The policy of a listener bound to this address, which was configured as `host`.
    static HostPolicy boundTo(InetAddress address, String host) {
        return address.isLoopbackAddress() ? loopback(List.of(host)) : new PublicBind();
    }

    /// The policy of a listener on loopback that was configured under these names or addresses.
    static HostPolicy loopback(List<String> names) {
        return new Loopback(Set.copyOf(names));
    }

    static HostPolicy unixSocket() {
        return new UnixSocket();
    }
}

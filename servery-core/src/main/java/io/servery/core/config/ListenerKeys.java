package io.servery.core.config;

import java.nio.file.Path;
import java.util.List;

/// The keys of `[listener]`.
final class ListenerKeys {
    /// `sun_path` holds 108 bytes with its end.
    static final int SOCKET_BYTES_MAX = 107;
    private static final int PORT_MAX = 65_535;
    private static final int HOSTS_MAX = 64;

    static final Key<List<String>> HOST = Key.now("listener.host", new Groups.ListOf<>(Forms.HOST, true, 1, HOSTS_MAX),
            "Addresses to listen on.").byProfile("127.0.0.1", "[\"0.0.0.0\", \"::\"]");
    static final Key<Integer> PORT = Key
            .now("listener.port", new Numbers.Count(0, PORT_MAX), "The port; 0 takes a free one (not in production).")
            .byProfile("8000", "443");
    static final Key<Path> UNIX = Key.now("listener.unix", new Words.FilePath(SOCKET_BYTES_MAX),
            "A Unix domain socket instead of host and port.");
    static final Key<String> INHERIT = Key.now("listener.inherit", Forms.SOCKET_NAME,
            "The name of a socket that systemd passes, instead of host and port.");
    static final Key<Boolean> HTTP1 = Key.now("listener.http1", new Words.Truth(), "Speak HTTP/1.").byDefault("true");
    static final Key<Integer> BACKLOG = Key.now("listener.backlog", new Numbers.Count(1, PORT_MAX),
            "Connections that the system queues before they are accepted.").byDefault("4096");

    /// Of the parent alone: workers are told with each socket what it is for.
    static final Key<Integer> REDIRECT_PORT = Key.now("listener.redirect_port", new Numbers.Count(0, PORT_MAX),
            "With TLS, the port on the same hosts where plain HTTP is redirected to HTTPS; 0 opens none.")
            .byProfile(null, "80");

    static final List<Key<?>> ALL = List.of(HOST, PORT, UNIX, INHERIT, HTTP1,
            Key.later("listener.http2", new Words.Truth(), "Speak HTTP/2.").byDefault("true").inert("false"),
            Key.later("listener.http3", new Words.Truth(), "Speak HTTP/3.").byDefault("false").inert("false"),
            Key.later("listener.http3_port", new Numbers.Count(1, PORT_MAX),
                    "The UDP port of HTTP/3; `listener.port` when absent."),
            REDIRECT_PORT,
            Key.later("listener.proxy_protocol", new Words.Truth(), "Expect the PROXY protocol.").byDefault("false")
                    .inert("false"),
            Key.later("listener.trusted_proxy_cidrs", new Groups.ListOf<>(Forms.TEXT, false, 0, 1_024),
                    "Networks whose proxies are believed.").byDefault("[]").inert("[]"),
            BACKLOG);

    private ListenerKeys() {
    }

    /// Whether a port to redirect from means anything: there is TLS, and the hosts are ours to listen on.
    static boolean canRedirect(Values values) {
        return values.of(TlsKeys.MODE) != TlsKeys.Mode.OFF && values.find(UNIX).isEmpty()
                && values.find(INHERIT).isEmpty();
    }
}

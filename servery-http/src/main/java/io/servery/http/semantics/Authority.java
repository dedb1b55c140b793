package io.servery.http.semantics;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A host and perhaps a port, as Host and a target's authority name them (RFC 9110 §7.2, RFC 3986 §3.2), without a user.
///
/// *Invariant*: `host` is in lower case, a literal address with its brackets; `port` is 0 to 65535 or `NO_PORT`.
///
/// An empty host is refused everywhere. RFC 9112 §3.2 has a client send an empty Host only for a URI that has no
/// authority; the two schemes served here must have one (RFC 9110 §4.2.1), and §3.3 of RFC 9112 lets a server reject a
/// request whose target URI then lacks it.
public record Authority(String host, int port) {
    /// In place of a port: none was named, so the scheme's default holds.
    public static final int NO_PORT = -1;

    /// How long the text of an authority may be.
    public static final int LENGTH_MAX = 255;

    private static final int PORT_MAX = 65_535;
    private static final int INVALID_PORT = -2;

    /// The authority that this text is, or null when it is none.
    public static @Nullable Authority parse(String text) {
        int hostEnd = hostEnd(text);
        if (hostEnd <= 0) {
            return null;
        }
        int port = port(text, hostEnd);
        if (port == INVALID_PORT) {
            return null;
        }
        return new Authority(text.substring(0, hostEnd).toLowerCase(Locale.ROOT), port);
    }

    /// Whether `parse` would give an authority; allocates nothing for a host that is a name.
    public static boolean isValid(String text) {
        int hostEnd = hostEnd(text);
        return hostEnd > 0 && port(text, hostEnd) != INVALID_PORT;
    }

    public boolean hasPort() {
        return port != NO_PORT;
    }

    /// The port that is meant under this scheme: 443 for https, else 80 where none is named.
    public int effectivePort(String scheme) {
        return hasPort() ? port : scheme.equals("https") ? 443 : 80;
    }

    /// Whether both mean the same host and port under this scheme (RFC 9110 §4.2.3): case does not matter, a default port
    /// may be named or not, and an IPv6 address may be written in any way.
    ///
    /// Percent-encoded octets and a dot at the end of a name are compared as they stand.
    public static boolean equivalent(Authority one, Authority other, String scheme) {
        return one.effectivePort(scheme) == other.effectivePort(scheme)
                && (one.host.equals(other.host) || IpLiteral.same(one.host, other.host));
    }

    /// The authority as a URI writes it.
    @Override
    public String toString() {
        return hasPort() ? host + ':' + port : host;
    }

    /// One past the host, or -1 when the text starts with none or is too long.
    private static int hostEnd(String text) {
        if (text.isEmpty() || text.length() > LENGTH_MAX) {
            return -1;
        }
        if (text.charAt(0) == '[') {
            int close = text.indexOf(']');
            return close > 0 && IpLiteral.isLiteral(text, 1, close) ? close + 1 : -1;
        }
        return UriCharacters.end(UriCharacters.REGISTERED_NAME, text, 0, text.length());
    }

    /// The port that follows the host. `port` is any number of digits, none too (RFC 3986 §3.2.3).
    private static int port(String text, int hostEnd) {
        if (hostEnd == text.length()) {
            return NO_PORT;
        }
        if (text.charAt(hostEnd) != ':') {
            return INVALID_PORT;
        }
        int port = 0;
        for (int at = hostEnd + 1; at < text.length(); at++) {
            int digit = text.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                return INVALID_PORT;
            }
            port = port * 10 + digit;
            if (port > PORT_MAX) {
                return INVALID_PORT;
            }
        }
        return hostEnd + 1 == text.length() ? NO_PORT : port;
    }
}

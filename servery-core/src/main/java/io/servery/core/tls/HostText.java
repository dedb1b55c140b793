package io.servery.core.tls;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A host in the one form in which names are compared: a DNS name in lower case without its last dot, or an address in
/// brackets.
final class HostText {
    private static final int NAME_MAX = 253;
    private static final int LABEL_MAX = 63;
    private static final String WILDCARD = "*.";

    private HostText() {
    }

    /// The host, as SNI, Host or a certificate writes it; null when it is none, a wildcard included.
    static @Nullable String canonical(String host) {
        int length = host.length();
        if (length > 2 && host.charAt(0) == '[' && host.charAt(length - 1) == ']') {
            return ipv6(host.substring(1, length - 1));
        }
        if (host.indexOf(':') >= 0) {
            return ipv6(host);
        }
        return isDotted(host) ? ipv4(host) : name(host);
    }

    /// What a name of a certificate begins with where one label may be any (RFC 9525 §6.3): the rest, or null.
    static @Nullable String parentOfWildcard(String name) {
        return name.startsWith(WILDCARD) && !isDotted(name.substring(2)) ? name(name.substring(2)) : null;
    }

    /// The bytes of an address in its canonical form.
    static byte[] address(String canonical) {
        String text = canonical.substring(1, canonical.length() - 1);
        return (text.indexOf(':') < 0 ? Inet4Address.ofLiteral(text) : Inet6Address.ofLiteral(text)).getAddress();
    }

    private static @Nullable String name(String host) {
        int end = host.endsWith(".") ? host.length() - 1 : host.length();
        if (end < 1 || end > NAME_MAX) {
            return null;
        }
        int label = 0;
        for (int at = 0; at < end; at++) {
            char c = host.charAt(at);
            label = c == '.' ? 0 : label + 1;
            if (c == '.' ? at == 0 || host.charAt(at - 1) == '.' : !isOfLabel(c) || label > LABEL_MAX) {
                return null;
            }
        }
        return host.substring(0, end).toLowerCase(Locale.ROOT);
    }

    /// Letters, digits and hyphens (RFC 1123 §2.1), and the underscore that some hosts have.
    private static boolean isOfLabel(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_';
    }

    /// Whether only digits and dots are there: no name then, as the last label of one is never a number.
    private static boolean isDotted(String host) {
        for (int at = 0; at < host.length(); at++) {
            char c = host.charAt(at);
            if (c != '.' && (c < '0' || c > '9')) {
                return false;
            }
        }
        return true;
    }

    /// Four numbers without leading zeros (RFC 3986 §3.2.2): other forms mean different addresses to different readers.
    private static @Nullable String ipv4(String text) {
        try {
            return Inet4Address.ofLiteral(text).getHostAddress().equals(text) ? "[" + text + "]" : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private static @Nullable String ipv6(String text) {
        try {
            return text.indexOf('%') < 0 ? "[" + Inet6Address.ofLiteral(text).getHostAddress() + "]" : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}

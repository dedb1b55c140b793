package io.servery.core.config;

import java.net.InetAddress;
import java.nio.file.FileSystems;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// The forms that strings of several keys have.
final class Forms {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern HOST_NAME = Pattern
            .compile("(?=.{1,253}$)([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)*"
                    + "[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?");
    private static final Pattern FIELD_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
    private static final Pattern FIELD_VALUE = Pattern
            .compile("([!-~\\x80-\\xff]([ \\t!-~\\x80-\\xff]{0,4094}[!-~\\x80-\\xff])?)?");
    private static final Pattern URL_PATH = Pattern.compile("(/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+/?");
    private static final Pattern FILE_NAME = Pattern.compile("[^/\\\\\\x00-\\x1f\\x7f]{1,255}");
    private static final Pattern SOCKET = Pattern.compile("[ -9;-~]{1,255}");
    private static final int TEXT_MAX = 1_024;

    /// What the server itself writes, and what a hop owns.
    private static final Set<String> OWNED_FIELDS = Set.of("accept-ranges", "connection", "content-digest",
            "content-encoding", "content-length", "content-range", "content-type", "date", "etag", "keep-alive",
            "last-modified",
            "location", "proxy-connection", "repr-digest", "te", "trailer", "transfer-encoding", "upgrade");

    static final ValueType<String> HOST = new Words.Text("an IP address or a host name", Forms::isHost);
    /// What a certificate can be issued for: an address in the one form that everybody reads alike.
    static final ValueType<String> DOMAIN = new Words.Text("an IP address or a host name", Forms::isDomain);
    static final ValueType<String> SERVER_NAME = new Words.Text(
            "an IP address, a host name, or one whose first label is `*`",
            text -> isHost(text.startsWith("*.") ? text.substring(2) : text));
    static final ValueType<String> TEXT = new Words.Text("a string", Forms::isText);
    static final ValueType<String> URL = new Words.Text(
            "a path such as \"/metrics\" of unreserved characters, without `.` or `..` segments", Forms::isUrlPath);
    static final ValueType<String> MOUNT = new Words.Text(
            "a path that begins and ends with `/`, such as \"/static/\"", Forms::isMountPath);
    static final ValueType<String> FILE = new Words.Text("a file name without separators", Forms::isFileName);
    static final ValueType<String> PAGE = new Words.Text("a file below the root, without `..`", Forms::isRelative);
    static final ValueType<String> GLOB = new Words.Text("a glob such as \"assets/**\"", Forms::isGlob);
    static final ValueType<String> VALUE = new Words.Text("a field value of one line",
            text -> FIELD_VALUE.matcher(text).matches());

    /// What `FileDescriptorName=` takes: systemd.socket(5).
    static final ValueType<String> SOCKET_NAME = new Words.Text(
            "the name of a socket: at most 255 printable ASCII characters without `:`",
            text -> SOCKET.matcher(text).matches());

    /// A field that a response may carry further.
    static final Groups.NameType<String> FIELD = new Groups.NameType<>() {
        @Override
        public Optional<String> read(String text) {
            boolean free = FIELD_NAME.matcher(text).matches() && !OWNED_FIELDS.contains(identity(text));
            return free ? Optional.of(text) : Optional.empty();
        }

        @Override
        public String expected() {
            return "a field name that the server does not write itself";
        }

        @Override
        public String identity(String name) {
            return name.toLowerCase(Locale.ROOT);
        }
    };

    /// The status of an error.
    static final Groups.NameType<Integer> STATUS = new Groups.NameType<>() {
        @Override
        public Optional<Integer> read(String text) {
            return text.matches("[45][0-9][0-9]") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
        }

        @Override
        public String expected() {
            return "a status from 400 to 599";
        }
    };

    private Forms() {
    }

    static boolean isHost(String text) {
        return isAddress(text) || HOST_NAME.matcher(text).matches();
    }

    /// An IP address as a literal: nothing is ever looked up.
    static boolean isAddress(String text) {
        return literal(text).isPresent();
    }

    private static boolean isDomain(String text) {
        return isHost(text) && text.indexOf('%') < 0 && (text.indexOf(':') >= 0
                || literal(text).map(InetAddress::getHostAddress).filter(shown -> !shown.equals(text)).isEmpty());
    }

    private static Optional<InetAddress> literal(String text) {
        if (!IPV4.matcher(text).matches() && (text.indexOf(':') < 0 || text.indexOf('[') >= 0)) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// An address of this host alone. A name other than `localhost` may lead anywhere.
    static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost") || literal(host).filter(InetAddress::isLoopbackAddress).isPresent();
    }

    private static boolean isText(String text) {
        return !text.isEmpty() && text.length() <= TEXT_MAX && text.codePoints().allMatch(Printable::isPrintable);
    }

    private static boolean isUrlPath(String text) {
        return text.length() <= TEXT_MAX && URL_PATH.matcher(text).matches() && !hasDots(text);
    }

    private static boolean isMountPath(String text) {
        return isUrlPath(text) && text.endsWith("/");
    }

    private static boolean isFileName(String text) {
        return FILE_NAME.matcher(text).matches() && !text.equals(".") && !text.equals("..");
    }

    private static boolean isRelative(String text) {
        return text.length() <= TEXT_MAX && !text.startsWith("/") && !hasDots("/" + text)
                && java.util.Arrays.stream(text.split("/", -1)).allMatch(Forms::isFileName);
    }

    private static boolean hasDots(String path) {
        return ("/" + path + "/").contains("/../") || ("/" + path + "/").contains("/./");
    }

    private static boolean isGlob(String text) {
        if (!isText(text)) {
            return false;
        }
        try {
            FileSystems.getDefault().getPathMatcher("glob:" + text);
            return true;
        } catch (PatternSyntaxException _) {
            return false;
        }
    }
}

package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The path of a target, decoded once: RFC 3986 §3.3 with the characters that browsers send raw, and what the threat model
/// refuses.
final class ReferencePath {
    private static final Pattern PATH = Pattern
            .compile("/(?:[A-Za-z0-9._~!$&'()*+,;=:@/\\[\\]^`{|}-]|%[0-9A-Fa-f]{2})*+");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f-\\x9f]");

    private ReferencePath() {
    }

    /// The decoded path, or null when it is refused.
    static @Nullable String decode(String raw) {
        if (!PATH.matcher(raw).matches()) {
            return null;
        }
        String octets = URLDecoder.decode(raw.replace("+", "%2B"), ISO_8859_1);
        String decoded = new String(octets.getBytes(ISO_8859_1), UTF_8);
        if (!new String(decoded.getBytes(UTF_8), ISO_8859_1).equals(octets)) {
            return null; // replaced octets do not survive the way back
        }
        if (CONTROL.matcher(decoded).find()) {
            return null;
        }
        for (String segment : decoded.split("[/\\\\]", -1)) {
            if (segment.equals("..") || segment.startsWith("..;")) {
                return null;
            }
        }
        return decoded;
    }
}

package io.servery.http.semantics;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A target's path, decoded once and judged once for whoever serves it (RFC 3986 §3.3, RFC 9110 §4.2.5 and §17.3).
///
/// Refused everywhere is what different readers of a path read differently: a `..` segment in any form, controls, octets
/// that are no UTF-8. `..` is looked for after decoding, between slashes and backslashes alike, and before a `;`, because
/// servlet containers drop a segment's parameters and are left with `..`. What decodes to `%2e%2e` stays these six
/// characters: nothing decodes a path twice.
public final class TargetPath {
    /// What became of a path.
    public sealed interface Result {
    }

    /// A path that may be served.
    ///
    /// *Invariant*: `decoded` starts with `/` and has no control character and no `..` segment. It is the raw path
    /// itself, not a copy, where nothing was encoded.
    ///
    /// @param directory whether the raw path ends with `/`
    /// @param encodedSeparator whether `%2F` or `%5C` was decoded, so that `decoded` has a separator that the raw lacks
    public record Accepted(String decoded, boolean directory, boolean encodedSeparator) implements Result {
    }

    /// A path that is answered with 400.
    public record Rejected(Fault fault) implements Result {
    }

    /// What is wrong with a path.
    public enum Fault {
        /// It does not start with `/`.
        FORM,
        /// It has a raw character that a path does not hold.
        CHARACTER,
        /// It has a `%` without two hexadecimal digits after it.
        ESCAPE,
        /// Its octets are no UTF-8: overlong, a surrogate, cut short, beyond Unicode.
        ENCODING,
        /// It encodes NUL.
        NUL,
        /// It encodes another control character, of C0, C1 or DEL.
        CONTROL,
        /// It has a segment that means the parent.
        PARENT,
        /// For files: it encodes a separator, which no file name holds.
        ENCODED_SEPARATOR,
        /// For files: it has more than 64 segments.
        DEPTH
    }

    private TargetPath() {
    }

    /// The path decoded, or why it is refused.
    public static Result resolve(String rawPath) {
        if (!rawPath.startsWith("/")) {
            return new Rejected(Fault.FORM);
        }
        int plainEnd = UriCharacters.end(UriCharacters.PATH, rawPath, 0, rawPath.length());
        if (plainEnd < rawPath.length()) {
            return new Rejected(rawPath.charAt(plainEnd) == '%' ? Fault.ESCAPE : Fault.CHARACTER);
        }
        int escape = rawPath.indexOf('%');
        String decoded = escape < 0 ? rawPath : decode(rawPath, escape);
        if (decoded == null) {
            return new Rejected(Fault.ENCODING);
        }
        Fault fault = fault(decoded, escape >= 0);
        if (fault != null) {
            return new Rejected(fault);
        }
        return new Accepted(decoded, rawPath.endsWith("/"), escape >= 0 && encodesSeparator(rawPath, escape));
    }

    private static @Nullable Fault fault(String decoded, boolean wasEncoded) {
        if (wasEncoded) {
            for (int at = 0; at < decoded.length(); at++) {
                if (Character.isISOControl(decoded.charAt(at))) {
                    return decoded.charAt(at) == 0 ? Fault.NUL : Fault.CONTROL;
                }
            }
        }
        return hasParent(decoded) ? Fault.PARENT : null;
    }

    private static @Nullable String decode(String raw, int firstEscape) {
        byte[] octets = new byte[raw.length()];
        int length = 0;
        for (int at = 0; at < raw.length(); at++) {
            char c = raw.charAt(at);
            if (c == '%' && at >= firstEscape) {
                octets[length++] = (byte) ((UriCharacters.hexDigit(raw.charAt(at + 1)) << 4)
                        | UriCharacters.hexDigit(raw.charAt(at + 2)));
                at += 2;
            } else {
                octets[length++] = (byte) c;
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets, 0, length)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static boolean encodesSeparator(String raw, int firstEscape) {
        for (int at = firstEscape; at >= 0; at = raw.indexOf('%', at + 3)) {
            if (raw.regionMatches(true, at, "%2f", 0, 3) || raw.regionMatches(true, at, "%5c", 0, 3)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasParent(String decoded) {
        for (int at = decoded.indexOf(".."); at >= 0; at = decoded.indexOf("..", at + 1)) {
            boolean starts = at == 0 || isSeparator(decoded.charAt(at - 1));
            int end = at + 2;
            if (starts && (end == decoded.length() || decoded.charAt(end) == ';'
                    || isSeparator(decoded.charAt(end)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSeparator(char c) {
        return c == '/' || c == '\\';
    }
}

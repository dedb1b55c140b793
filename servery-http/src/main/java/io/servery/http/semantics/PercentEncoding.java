package io.servery.http.semantics;

import java.nio.charset.StandardCharsets;

/// Percent-encoding of text for a place in a URI (RFC 3986 §2): UTF-8, upper-case digits.
///
/// *Not here*: decoding, which `TargetPath` does once for a whole path.
public final class PercentEncoding {
    private static final String DIGITS = "0123456789ABCDEF";

    private PercentEncoding() {
    }

    /// A name as one path segment of a relative reference.
    ///
    /// All but `unreserved` is encoded: a colon would make the first segment a scheme, and `&` or `'` would need another
    /// escape in a page. Unpaired surrogates become U+FFFD.
    public static String pathSegment(String name) {
        return encode(name, UriCharacters.UNRESERVED, false);
    }

    /// A decoded path with its slashes; whatever else cannot stand in a path is encoded.
    static String path(String decoded) {
        return encode(decoded, UriCharacters.PATH_WRITTEN, false);
    }

    /// A query as received; what cannot stand in a query is encoded, and what is encoded already stays so.
    static String query(String raw) {
        return encode(raw, UriCharacters.QUERY_WRITTEN, true);
    }

    private static String encode(String text, int sets, boolean keepsEncoded) {
        int at = plainEnd(text, 0, sets, keepsEncoded);
        if (at == text.length()) {
            return text;
        }
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        int from = 0;
        while (at < text.length()) {
            encoded.append(text, from, at);
            from = at + Character.charCount(text.codePointAt(at));
            encodeCharacter(text.codePointAt(at), encoded);
            at = plainEnd(text, from, sets, keepsEncoded);
        }
        return encoded.append(text, from, text.length()).toString();
    }

    private static int plainEnd(String text, int from, int sets, boolean keepsEncoded) {
        if (keepsEncoded) {
            return UriCharacters.end(sets, text, from, text.length());
        }
        int at = from;
        while (at < text.length() && UriCharacters.in(sets, text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static void encodeCharacter(int codePoint, StringBuilder encoded) {
        boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        String character = surrogate ? "\uFFFD" : Character.toString(codePoint);
        for (byte octet : character.getBytes(StandardCharsets.UTF_8)) {
            encoded.append('%').append(DIGITS.charAt((octet >> 4) & 0xf)).append(DIGITS.charAt(octet & 0xf));
        }
    }
}

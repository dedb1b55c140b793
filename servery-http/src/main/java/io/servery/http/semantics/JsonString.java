package io.servery.http.semantics;

/// Text as a JSON string (RFC 8259 §7) that stays one wherever it is pasted.
public final class JsonString {
    private static final String DIGITS = "0123456789abcdef";

    private JsonString() {
    }

    /// Appends the text with its quotes.
    ///
    /// Escaped is what must be (the quote, the backslash, controls), and what another reader of the same bytes takes for
    /// something else: `<`, `>`, `&` and `'` for markup, U+2028 and U+2029 for the end of a line, characters that turn the
    /// direction of text. An unpaired surrogate, which UTF-8 cannot carry, becomes U+FFFD.
    public static void append(StringBuilder json, String text) {
        json.append('"');
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            switch (c) {
                case '"', '\\' -> json.append('\\').append(c);
                case '\n' -> json.append("\\n");
                case '\r' -> json.append("\\r");
                case '\t' -> json.append("\\t");
                case '<', '>', '&', '\'' -> escape(json, c);
                default -> {
                    if (Html.unpaired(text, at)) {
                        json.append('\uFFFD');
                    } else if (Character.isISOControl(c) || Html.misleads(c)) {
                        escape(json, c);
                    } else {
                        json.append(c);
                    }
                }
            }
        }
        json.append('"');
    }

    private static void escape(StringBuilder json, char c) {
        json.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            json.append(DIGITS.charAt((c >> shift) & 0xf));
        }
    }
}

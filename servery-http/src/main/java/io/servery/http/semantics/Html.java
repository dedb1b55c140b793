package io.servery.http.semantics;

import org.jspecify.annotations.Nullable;

/// Text made safe for a page: between tags and within a quoted attribute.
public final class Html {
    private static final String REPLACEMENT = "\uFFFD";

    private Html() {
    }

    /// The text with the five characters that mark up a page escaped; a control character, which no page may hold, and an
    /// unpaired surrogate become U+FFFD. Text without any of these is returned as it is.
    public static String escape(String text) {
        StringBuilder escaped = null;
        int from = 0;
        for (int at = 0; at < text.length(); at++) {
            String replacement = replacement(text, at);
            if (replacement != null) {
                escaped = escaped == null ? new StringBuilder(text.length() + 16) : escaped;
                escaped.append(text, from, at).append(replacement);
                from = at + 1;
            }
        }
        return escaped == null ? text : escaped.append(text, from, text.length()).toString();
    }

    /// A name for people to look at: escaped, and as odd as it is. What would show as nothing, or make the name read as
    /// another (line breaks, characters that turn the direction of text or take no room), becomes U+FFFD too.
    public static String escapeName(String name) {
        String visible = name;
        for (int at = 0; at < name.length(); at++) {
            char c = name.charAt(at);
            if (c == '\t' || c == '\n' || misleads(c)) {
                visible = visible.replace(c, '\uFFFD');
            }
        }
        return escape(visible);
    }

    /// Whether the character shows as nothing and changes how others are read. The joiners U+200C and U+200D do neither
    /// in the scripts and emoji that need them.
    static boolean misleads(char c) {
        return switch (c) {
            case '\u00AD', '\u061C', '\u180E', '\u200B', '\u200E', '\u200F', '\u2028', '\u2029', '\uFEFF' -> true;
            default -> c >= '\u202A' && c <= '\u202E' || c >= '\u2060' && c <= '\u206F';
        };
    }

    private static @Nullable String replacement(String text, int at) {
        char c = text.charAt(at);
        return switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\'' -> "&#39;";
            case '\t', '\n' -> null;
            default -> Character.isISOControl(c) || unpaired(text, at) ? REPLACEMENT : null;
        };
    }

    static boolean unpaired(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }
}

package io.servery.core.config;

/// What somebody else wrote, fit for one line of a terminal.
final class Printable {
    private static final int SHOWN_MAX = 60;

    private Printable() {
    }

    /// Not a control, a line break, a surrogate alone, or a character that turns the direction of writing.
    static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR, Character.UNASSIGNED, Character.PRIVATE_USE ->
                false;
            default -> true;
        };
    }

    /// The words with what cannot be printed replaced, cut to a length.
    static String shown(String words) {
        StringBuilder shown = new StringBuilder();
        words.codePoints().limit(SHOWN_MAX).map(c -> isPrintable(c) ? c : '\uFFFD').forEach(shown::appendCodePoint);
        return words.codePointCount(0, words.length()) > SHOWN_MAX ? shown + "…" : shown.toString();
    }

    /// The words in quotation marks.
    static String quoted(String words) {
        return '"' + shown(words) + '"';
    }
}

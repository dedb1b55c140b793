package io.servery.core.config;

import java.io.IOException;
import java.nio.file.FileSystemException;

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
        return words.codePointCount(0, words.length()) > SHOWN_MAX
                ? whole(words.substring(0, words.offsetByCodePoints(0, SHOWN_MAX))) + "…"
                : whole(words);
    }

    /// All the words, with what cannot be printed replaced: what is cut could not be found again.
    static String whole(String words) {
        StringBuilder whole = new StringBuilder();
        words.codePoints().map(c -> isPrintable(c) ? c : '\uFFFD').forEach(whole::appendCodePoint);
        return whole.toString();
    }

    /// Why a file cannot be had: in the words of the kernel, where there are any. Of some failures the class says all.
    static String cause(IOException failure) {
        String words = failure instanceof FileSystemException ofFile ? ofFile.getReason() : failure.getMessage();
        return words == null || words.isBlank() ? failure.getClass().getSimpleName() : shown(words);
    }

    /// The words in quotation marks.
    static String quoted(String words) {
        return '"' + shown(words) + '"';
    }
}

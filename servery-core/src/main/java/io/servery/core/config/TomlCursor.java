package io.servery.core.config;

import java.math.BigInteger;
import java.util.regex.Pattern;

/// A position in a TOML 1.0 text, and the tokens that begin there: keys, strings, numbers, comments, line ends.
///
/// Strings are checked and skipped, not decoded: night-config does that. Keys are decoded, since names must match.
final class TomlCursor {
    private static final int EOF = -1;
    /// No number and no date is this long; matching one takes a stack that grows with it.
    private static final int WORD_CHARS_MAX = 1024;
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(0|[1-9](_?[0-9])*)");
    private static final Pattern PREFIXED = Pattern
            .compile("0x[0-9A-Fa-f](_?[0-9A-Fa-f])*|0o[0-7](_?[0-7])*|0b[01](_?[01])*");
    private static final Pattern FLOAT = Pattern
            .compile("[+-]?(inf|nan|(0|[1-9](_?\\d)*)(\\.\\d(_?\\d)*)?([eE][+-]?\\d(_?\\d)*)?)");
    private static final Pattern TEMPORAL = Pattern.compile("(\\d{4}-\\d{2}-\\d{2}([Tt ]"
            + "\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})?)?)|\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?");
    private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

    private final String text;
    private int at;

    TomlCursor(String text) {
        this.text = text;
    }

    int at() {
        return at;
    }

    int peek() {
        return at < text.length() ? text.charAt(at) : EOF;
    }

    boolean atEnd() {
        return at >= text.length();
    }

    boolean lookingAt(String token) {
        return text.startsWith(token, at);
    }

    boolean skip(String token) {
        if (!lookingAt(token)) {
            return false;
        }
        at += token.length();
        return true;
    }

    TomlRefusal refusal(String what) {
        return refusal(at, what);
    }

    TomlRefusal refusal(int from, String what) {
        int end = Math.max(at, Math.min(text.length(), from + 1));
        return new TomlRefusal(new Span(from, end), what);
    }

    void blanks() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
    }

    /// Blanks, comments and line ends, any number.
    void blankLines() {
        do {
            blanks();
            comment();
        } while (newline());
    }

    /// What may follow an expression: a comment, then a line end or the end of the text.
    void endOfLine() {
        blanks();
        comment();
        if (!atEnd() && !newline()) {
            throw refusal("found " + shown() + "; expected the end of the line");
        }
    }

    private boolean newline() {
        if (skip("\n") || skip("\r\n")) {
            return true;
        }
        if (peek() == '\r') {
            throw refusal("a carriage return without a line feed");
        }
        return false;
    }

    private void comment() {
        if (peek() != '#') {
            return;
        }
        while (!atEnd() && peek() != '\n' && !lookingAt("\r\n")) {
            character("a comment");
        }
    }

    /// One character of a comment or of a string on one line.
    private void character(String inside) {
        int c = peek();
        if (c == EOF || c == '\n' || lookingAt("\r\n")) {
            throw refusal(inside + " that does not end on its line");
        }
        if ((c < ' ' && c != '\t') || c == 0x7f) {
            throw refusal(c == '\r' ? "a carriage return without a line feed" : "a control character in " + inside);
        }
        at++;
    }

    /// One segment of a key, decoded.
    String keySegment() {
        int start = at;
        if (peek() == '"') {
            return basicString(new StringBuilder());
        }
        if (peek() == '\'') {
            literalString();
            return text.substring(start + 1, at - 1);
        }
        while (isBare(peek())) {
            at++;
        }
        if (at == start) {
            throw refusal("found " + shown() + "; expected a key");
        }
        return text.substring(start, at);
    }

    private static boolean isBare(int c) {
        return switch (c) {
            case '_', '-' -> true;
            default -> (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        };
    }

    /// Skips a string, a number, a truth value, a date or a time.
    void scalar() {
        if (lookingAt("\"\"\"")) {
            multiline("\"\"\"", true);
        } else if (lookingAt("'''")) {
            multiline("'''", false);
        } else if (peek() == '"') {
            basicString(new StringBuilder());
        } else if (peek() == '\'') {
            literalString();
        } else {
            word();
        }
    }

    private String basicString(StringBuilder decoded) {
        int start = at++;
        while (peek() != '"') {
            if (peek() == '\\') {
                escape(decoded);
            } else if (atEnd() || peek() == '\n' || lookingAt("\r\n")) {
                throw refusal(start, "a string that does not end on its line");
            } else {
                int from = at;
                character("a string");
                decoded.append(text, from, at);
            }
        }
        at++;
        return decoded.toString();
    }

    private void literalString() {
        int start = at++;
        while (peek() != '\'') {
            if (atEnd() || peek() == '\n' || lookingAt("\r\n")) {
                throw refusal(start, "a string that does not end on its line");
            }
            character("a string");
        }
        at++;
    }

    private void multiline(String delimiter, boolean escapes) {
        int start = at;
        at += delimiter.length();
        while (!skip(delimiter)) {
            if (atEnd()) {
                at = start + delimiter.length();
                throw refusal(start, "a string that does not end");
            }
            if (escapes && peek() == '\\') {
                if (!lineContinuation()) {
                    escape(new StringBuilder());
                }
            } else if (!newline()) {
                character("a string");
            }
        }
        // Up to two delimiter characters directly before the closing delimiter belong to the string.
        for (int n = 0; n < 2 && peek() == delimiter.charAt(0); n++) {
            at++;
        }
    }

    private boolean lineContinuation() {
        int start = at++;
        blanks();
        if (peek() != '\n' && !lookingAt("\r\n")) {
            at = start;
            return false;
        }
        do {
            blanks();
        } while (newline());
        return true;
    }

    private void escape(StringBuilder decoded) {
        int start = at++;
        int c = peek();
        at = Math.min(at + 1, text.length());
        switch (c) {
            case 'b' -> decoded.append('\b');
            case 't' -> decoded.append('\t');
            case 'n' -> decoded.append('\n');
            case 'f' -> decoded.append('\f');
            case 'r' -> decoded.append('\r');
            case '"', '\\' -> decoded.append((char) c);
            case 'u' -> decoded.appendCodePoint(scalarValue(start, 4));
            case 'U' -> decoded.appendCodePoint(scalarValue(start, 8));
            default -> throw refusal(start, "an unknown escape in a string");
        }
    }

    private int scalarValue(int start, int digits) {
        long value = 0;
        for (int n = 0; n < digits; n++) {
            int digit = atEnd() ? -1 : hexDigit(text.charAt(at));
            if (digit < 0) {
                throw refusal(start, "an escape needs " + digits + " hexadecimal digits");
            }
            value = value * 16 + digit;
            at++;
        }
        boolean surrogate = value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE;
        if (surrogate || value > Character.MAX_CODE_POINT) {
            throw refusal(start, "an escape that is no Unicode scalar value");
        }
        return (int) value;
    }

    /// ASCII only: `Character.digit` takes the digits of every script.
    private static int hexDigit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private void word() {
        int start = at;
        while (isWord(peek())) {
            at++;
        }
        // A space may part a date from its time.
        if (at - start == 10 && peek() == ' ' && at + 1 < text.length() && isDigit(text.charAt(at + 1))
                && TEMPORAL.matcher(text).region(start, at).matches()) {
            at++;
            while (isWord(peek())) {
                at++;
            }
        }
        String word = text.substring(start, at);
        if (word.isEmpty()) {
            throw refusal("found " + shown() + "; expected a value");
        }
        check(word, start);
    }

    private void check(String word, int start) {
        if (word.equals("true") || word.equals("false")) {
            return;
        }
        if (word.length() > WORD_CHARS_MAX) {
            throw refusal(start, "a value of more than " + WORD_CHARS_MAX + " characters without quotation marks");
        }
        if (DECIMAL.matcher(word).matches()) {
            checkRange(new BigInteger(word.replace("_", "").replace("+", "")), start);
        } else if (PREFIXED.matcher(word).matches()) {
            int radix = word.charAt(1) == 'x' ? 16 : word.charAt(1) == 'o' ? 8 : 2;
            checkRange(new BigInteger(word.substring(2).replace("_", ""), radix), start);
        } else if (!FLOAT.matcher(word).matches() && !TEMPORAL.matcher(word).matches()) {
            throw refusal(start,
                    "found " + Printable.shown(word) + "; expected a value (a string needs quotation marks)");
        }
    }

    private void checkRange(BigInteger number, int start) {
        if (number.compareTo(LONG_MIN) < 0 || number.compareTo(LONG_MAX) > 0) {
            throw refusal(start, "an integer beyond 64 bits");
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWord(int c) {
        return isBare(c) || c == '+' || c == '.' || c == ':';
    }

    /// What stands here, for a message.
    private String shown() {
        int c = peek();
        if (c == EOF) {
            return "the end of the text";
        }
        if (c == '\n' || c == '\r') {
            return "the end of the line";
        }
        return "`" + Printable.shown(Character.toString(text.codePointAt(at))) + "`";
    }
}

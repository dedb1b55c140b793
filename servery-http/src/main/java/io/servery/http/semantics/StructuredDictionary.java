package io.servery.http.semantics;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A Dictionary of Structured Fields by the algorithms of RFC 9651 §4.2, which fail on the first thing that is not as it
/// should be. Integers are kept; of any other value it is known only that there is a sound one.
///
/// *Invariant*: one pass over the text, no recursion: inner lists do not nest.
final class StructuredDictionary {
    /// The value of a member that is no Integer.
    static final long OTHER = Long.MIN_VALUE;

    private static final long MALFORMED = Long.MIN_VALUE + 1;
    /// As many as every reader must take (§3.2).
    private static final int MEMBERS_MAX = 1_024;
    private static final int INTEGER_DIGITS_MAX = 15;
    private static final int WHOLE_DIGITS_MAX = 12;
    private static final int FRACTION_DIGITS_MAX = 3;

    private final String text;
    private int at;

    private StructuredDictionary(String text) {
        this.text = text;
    }

    /// The members by their keys, of two with one key the last; null when the lines together are no Dictionary, or
    /// a larger one than is read.
    static @Nullable Map<String, Long> parse(List<String> lines) {
        return new StructuredDictionary(String.join(", ", lines)).members();
    }

    private @Nullable Map<String, Long> members() {
        Map<String, Long> members = new HashMap<>();
        skipSpaces();
        while (at < text.length()) {
            int from = at;
            if (!skipKey()) {
                return null;
            }
            String key = text.substring(from, at);
            long value = take('=') ? value() : OTHER;
            if (value == MALFORMED || !skipParameters()) {
                return null;
            }
            members.put(key, value);
            at = FieldSyntax.skipBlanks(text, at);
            if (members.size() > MEMBERS_MAX || at < text.length() && !nextMember()) {
                return null;
            }
        }
        return members;
    }

    /// Past the comma to the next member, which must be there.
    private boolean nextMember() {
        if (!take(',')) {
            return false;
        }
        at = FieldSyntax.skipBlanks(text, at);
        return at < text.length();
    }

    /// An Item or an Inner List without its parameters (§4.2.1.1).
    private long value() {
        return take('(') ? innerList() : bareItem();
    }

    /// Past an Inner List whose bracket has been taken (§4.2.1.2).
    private long innerList() {
        while (true) {
            skipSpaces();
            if (take(')')) {
                return OTHER;
            }
            if (bareItem() == MALFORMED || !skipParameters()) {
                return MALFORMED;
            }
            if (peek() != ' ' && peek() != ')') {
                return MALFORMED;
            }
        }
    }

    /// Past parameters, if there are any (§4.2.3.2).
    private boolean skipParameters() {
        while (take(';')) {
            skipSpaces();
            if (!skipKey() || take('=') && bareItem() == MALFORMED) {
                return false;
            }
        }
        return true;
    }

    /// Past a key (§4.2.3.3).
    private boolean skipKey() {
        char first = peek();
        if (first != '*' && !isLower(first)) {
            return false;
        }
        while (isLower(peek()) || isDigit(peek()) || "_-.*".indexOf(peek()) >= 0) {
            at++;
        }
        return true;
    }

    /// Past a Bare Item: its number if it is an Integer, else `OTHER` (§4.2.3.1).
    private long bareItem() {
        char first = peek();
        if (first == '-' || isDigit(first)) {
            return number();
        }
        if (first == '*' || isLetter(first)) {
            return token();
        }
        at++;
        return switch (first) {
            case '"' -> string();
            case ':' -> bytes();
            case '?' -> take('0') || take('1') ? OTHER : MALFORMED;
            case '@' -> date();
            case '%' -> take('"') ? displayString() : MALFORMED;
            default -> MALFORMED;
        };
    }

    /// An Integer or a Decimal (§4.2.4).
    private long number() {
        boolean negative = take('-');
        int from = at;
        long number = 0;
        for (; isDigit(peek()); at++) {
            if (at - from == INTEGER_DIGITS_MAX) {
                return MALFORMED;
            }
            number = number * 10 + (peek() - '0');
        }
        int digits = at - from;
        if (digits == 0) {
            return MALFORMED;
        }
        if (!take('.')) {
            return negative ? -number : number;
        }
        int fraction = at;
        while (isDigit(peek())) {
            at++;
        }
        boolean sound = digits <= WHOLE_DIGITS_MAX && at > fraction && at - fraction <= FRACTION_DIGITS_MAX;
        return sound ? OTHER : MALFORMED;
    }

    /// Seconds since the epoch: an Integer, nothing else (§4.2.9).
    private long date() {
        long seconds = number();
        return seconds == OTHER || seconds == MALFORMED ? MALFORMED : OTHER;
    }

    /// §4.2.5.
    private long string() {
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return OTHER;
            }
            if (c == '\\' && !take('"') && !take('\\') || !isPrintable(c)) {
                return MALFORMED;
            }
        }
        return MALFORMED;
    }

    /// §4.2.6.
    private long token() {
        at++;
        while (FieldSyntax.isTokenCharacter(peek()) || peek() == ':' || peek() == '/') {
            at++;
        }
        return OTHER;
    }

    /// Base64 between colons; padding may be left out, as §4.2.7 asks, but what is there must be decodable.
    private long bytes() {
        int from = at;
        while (isLetter(peek()) || isDigit(peek()) || peek() == '+' || peek() == '/') {
            at++;
        }
        int digits = at - from;
        for (int padding = 0; padding < 2 && take('='); padding++) {
            // Counted by the loop.
        }
        return take(':') && digits % 4 != 1 ? OTHER : MALFORMED;
    }

    /// ASCII with percent-encoded UTF-8, whose opening quote has been taken (§4.2.10).
    private long displayString() {
        int end = text.indexOf('"', at);
        byte[] octets = new byte[Math.max(0, end - at)];
        int count = 0;
        while (at < end) {
            char c = text.charAt(at++);
            int octet = c == '%' ? hex(end) << 4 | hex(end) : c;
            if (!isPrintable(c) || octet < 0) {
                return MALFORMED;
            }
            octets[count++] = (byte) octet;
        }
        return take('"') && isUtf8(octets, count) ? OTHER : MALFORMED;
    }

    /// The lower-case hexadecimal digit that is taken here, negative when there is none before the end.
    private int hex(int end) {
        char c = at < end ? text.charAt(at++) : '\0';
        return isDigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }

    private static boolean isUtf8(byte[] octets, int count) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets, 0, count));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private void skipSpaces() {
        while (take(' ')) {
            // Taken.
        }
    }

    private boolean take(char c) {
        boolean there = peek() == c;
        if (there) {
            at++;
        }
        return there;
    }

    /// The next character; NUL, which is nothing that any rule allows, at the end.
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isLetter(char c) {
        return isLower(c) || c >= 'A' && c <= 'Z';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isPrintable(char c) {
        return c >= ' ' && c <= '~';
    }
}

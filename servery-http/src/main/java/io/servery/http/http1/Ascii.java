package io.servery.http.http1;

/// The character classes of RFC 9110 §5.6.2 and RFC 9112 §3 as one table over bytes.
final class Ascii {
    private static final byte TOKEN = 1;
    private static final byte TARGET = 2;
    private static final byte DIGIT = 4;
    private static final byte HEX = 8;

    private static final byte[] CLASSES = new byte[256];

    static {
        for (char c = 0x21; c < 0x7f; c++) {
            // RFC 3986 has no place for these three and the fragment mark either; browsers do send ^ ` { | } raw.
            if ("\"#<>\\".indexOf(c) < 0) {
                CLASSES[c] |= TARGET;
            }
            if ("\"(),/:;<=>?@[\\]{}".indexOf(c) < 0) {
                CLASSES[c] |= TOKEN;
            }
            if (c >= '0' && c <= '9') {
                CLASSES[c] |= DIGIT | HEX;
            }
            if (c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
                CLASSES[c] |= HEX;
            }
        }
    }

    private Ascii() {
    }

    /// Whether every byte of a non-empty `bytes[start, end)` may stand in a token.
    static boolean isToken(byte[] bytes, int start, int end) {
        return start < end && all(TOKEN, bytes, start, end);
    }

    /// Whether every byte may stand in a request target.
    static boolean isTarget(byte[] bytes, int start, int end) {
        return all(TARGET, bytes, start, end);
    }

    static boolean isDigit(byte b) {
        return (CLASSES[b & 0xff] & DIGIT) != 0;
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /// The first index in `[from, to)` that holds no token character, or `to`.
    static int tokenEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && (CLASSES[bytes[i] & 0xff] & TOKEN) != 0) {
            i++;
        }
        return i;
    }

    /// The first index in `[from, to)` that holds no hexadecimal digit, or `to`.
    static int hexEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && (CLASSES[bytes[i] & 0xff] & HEX) != 0) {
            i++;
        }
        return i;
    }

    /// The first index in `[from, to)` that holds no blank, or `to`.
    static int blanksEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && isBlank(bytes[i])) {
            i++;
        }
        return i;
    }

    private static boolean all(byte kind, byte[] bytes, int start, int end) {
        for (int i = start; i < end; i++) {
            if ((CLASSES[bytes[i] & 0xff] & kind) == 0) {
                return false;
            }
        }
        return true;
    }
}

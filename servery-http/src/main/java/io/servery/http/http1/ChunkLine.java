package io.servery.http.http1;

/// Judges one chunk-size line (RFC 9112 §7.1) without its CRLF: hexadecimal digits, then extensions, which are ignored
/// once they are known to be sound.
final class ChunkLine {
    /// What `size` answers for a line that is not sound.
    static final long MALFORMED = -1;
    /// Fifteen digits are more than any body and cannot overflow.
    private static final int DIGITS_MAX = 15;

    private ChunkLine() {
    }

    /// The chunk's size in bytes, or `MALFORMED`; `Long.MAX_VALUE` stands for anything past 2⁶⁰.
    static long size(byte[] line, int end) {
        int digitsEnd = Ascii.hexEnd(line, 0, end);
        if (digitsEnd == 0 || !extensionsSound(line, digitsEnd, end)) {
            return MALFORMED;
        }
        int start = 0;
        while (start < digitsEnd - 1 && line[start] == '0') {
            start++;
        }
        if (digitsEnd - start > DIGITS_MAX) {
            return Long.MAX_VALUE;
        }
        long size = 0;
        for (int i = start; i < digitsEnd; i++) {
            size = size << 4 | Character.digit(line[i], 16);
        }
        return size;
    }

    /// How many bytes of the line are not the size: what extensions cost.
    static int extensionBytes(byte[] line, int end) {
        return end - Ascii.hexEnd(line, 0, end);
    }

    /// `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )` (§7.1.1).
    private static boolean extensionsSound(byte[] line, int from, int end) {
        int at = from;
        while (at < end) {
            at = Ascii.blanksEnd(line, at, end);
            if (at == end || line[at] != ';') {
                return false;
            }
            int nameStart = Ascii.blanksEnd(line, at + 1, end);
            int nameEnd = Ascii.tokenEnd(line, nameStart, end);
            if (nameEnd == nameStart) {
                return false;
            }
            int equals = Ascii.blanksEnd(line, nameEnd, end);
            if (equals < end && line[equals] == '=') {
                at = valueEnd(line, Ascii.blanksEnd(line, equals + 1, end), end);
                if (at < 0) {
                    return false;
                }
            } else {
                at = nameEnd;
            }
        }
        return true;
    }

    private static int valueEnd(byte[] line, int start, int end) {
        if (start < end && line[start] == '"') {
            return quotedEnd(line, start + 1, end);
        }
        int tokenEnd = Ascii.tokenEnd(line, start, end);
        return tokenEnd == start ? -1 : tokenEnd;
    }

    private static int quotedEnd(byte[] line, int from, int end) {
        for (int i = from; i < end; i++) {
            if (line[i] == '"') {
                return i + 1;
            }
            if (line[i] == '\\') {
                i++;
            }
        }
        return -1;
    }
}

package io.servery.http.http1;

import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RequestHead;
import org.jspecify.annotations.Nullable;

/// Judges one field line (RFC 9112 §5), of a head or of a trailer section, without its CRLF.
///
/// *Invariant:* control characters other than HTAB were refused before, while the end of the line was looked for.
final class FieldLine {
    private FieldLine() {
    }

    /// Null when `bytes[start, end)` is a sound field line, which is then recorded in `head` if there is one.
    static @Nullable Refusal judge(byte[] bytes, int start, int end, @Nullable RequestHead head) {
        if (Ascii.isBlank(bytes[start])) {
            return Refusal.LINE_FOLDING;
        }
        int nameEnd = Ascii.tokenEnd(bytes, start, end);
        if (nameEnd == end || nameEnd == start) {
            return Refusal.MALFORMED_FIELD;
        }
        if (bytes[nameEnd] != ':') {
            int colon = Ascii.blanksEnd(bytes, nameEnd, end);
            return colon > nameEnd && colon < end && bytes[colon] == ':'
                    ? Refusal.SPACE_BEFORE_COLON
                    : Refusal.MALFORMED_FIELD;
        }
        if (head != null) {
            int valueStart = Ascii.blanksEnd(bytes, nameEnd + 1, end);
            int valueEnd = end;
            while (valueEnd > valueStart && Ascii.isBlank(bytes[valueEnd - 1])) {
                valueEnd--;
            }
            head.recordField(start, nameEnd - start, valueStart, valueEnd - valueStart);
        }
        return null;
    }
}

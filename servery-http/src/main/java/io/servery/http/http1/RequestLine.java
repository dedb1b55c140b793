package io.servery.http.http1;

import io.servery.http.exchange.HttpVersion;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RequestHead;
import io.servery.http.semantics.Method;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Judges one request line (RFC 9112 §3) without its CRLF: exactly one SP between its three parts.
final class RequestLine {
    /// No method that is known, or likely to become so, is longer; UPDATEREDIRECTREF of RFC 4437 has 17 letters.
    static final int METHOD_BYTES_MAX = 32;
    /// `HTTP/1.1` and the two spaces.
    static final int REST_BYTES = 10;

    private static final byte[] HTTP = "HTTP/".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION_BYTES = 8;

    private RequestLine() {
    }

    /// Null when the first `end` bytes of the head are a sound request line, which is then recorded.
    static @Nullable Refusal judge(RequestHead head, int end, int targetBytesMax) {
        byte[] bytes = head.bytes();
        int methodEnd = Ascii.tokenEnd(bytes, 0, end);
        if (methodEnd == 0 || methodEnd == end || bytes[methodEnd] != ' ') {
            return Refusal.MALFORMED_REQUEST_LINE;
        }
        if (methodEnd > METHOD_BYTES_MAX) {
            return Refusal.METHOD_TOO_LONG;
        }
        int targetStart = methodEnd + 1;
        int targetEnd = indexOfSpace(bytes, targetStart, end);
        if (targetEnd == targetStart || targetEnd == end) {
            return Refusal.MALFORMED_REQUEST_LINE;
        }
        if (targetEnd - targetStart > targetBytesMax) {
            return Refusal.TARGET_TOO_LONG;
        }
        Refusal refusal = judgeVersion(head, targetEnd + 1, end);
        if (refusal != null) {
            return refusal;
        }
        if (!Ascii.isTarget(bytes, targetStart, targetEnd)) {
            return Refusal.MALFORMED_TARGET;
        }
        head.recordRequestLine(method(bytes, methodEnd), methodEnd, targetStart, targetEnd - targetStart);
        return null;
    }

    /// Why a line that has no end within its limit is refused: its method alone is too long, or its target is.
    static Refusal tooLong(byte[] bytes, int end) {
        int methodEnd = Ascii.tokenEnd(bytes, 0, end);
        return methodEnd > METHOD_BYTES_MAX ? Refusal.METHOD_TOO_LONG : Refusal.TARGET_TOO_LONG;
    }

    private static int indexOfSpace(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && bytes[i] != ' ') {
            i++;
        }
        return i;
    }

    private static @Nullable Refusal judgeVersion(RequestHead head, int start, int end) {
        byte[] bytes = head.bytes();
        if (indexOfSpace(bytes, start, end) != end) {
            return Refusal.MALFORMED_REQUEST_LINE;
        }
        if (end - start != VERSION_BYTES || !startsWithHttp(bytes, start) || bytes[start + 6] != '.'
                || !Ascii.isDigit(bytes[start + 5]) || !Ascii.isDigit(bytes[start + 7])) {
            return Refusal.MALFORMED_VERSION;
        }
        if (bytes[start + 5] != '1' || bytes[start + 7] > '1') {
            return Refusal.UNSUPPORTED_VERSION;
        }
        head.recordVersion(bytes[start + 7] == '1' ? HttpVersion.HTTP_1_1 : HttpVersion.HTTP_1_0);
        return null;
    }

    private static boolean startsWithHttp(byte[] bytes, int start) {
        for (int i = 0; i < HTTP.length; i++) {
            if (bytes[start + i] != HTTP[i]) {
                return false;
            }
        }
        return true;
    }

    /// Almost every request is a GET: that one makes no string.
    private static Method method(byte[] bytes, int length) {
        if (length == 3 && bytes[0] == 'G' && bytes[1] == 'E' && bytes[2] == 'T') {
            return Method.GET;
        }
        return Method.of(new String(bytes, 0, length, StandardCharsets.US_ASCII));
    }
}

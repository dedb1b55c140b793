package io.servery.http.http1;

import io.servery.http.exchange.HttpVersion;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RequestHead;
import io.servery.http.semantics.FieldName;
import io.servery.http.semantics.FieldSyntax;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How the content of one request ends (RFC 9112 §6.3), judged from its head: by a length, by chunks, or there is none.
final class MessageFraming {
    private static final int DIGITS_MAX = 18;

    private boolean chunked;
    private long length;

    boolean chunked() {
        return chunked;
    }

    /// The length in bytes; 0 when there is no content or when it is chunked.
    long length() {
        return length;
    }

    /// Whether any content may follow the head.
    boolean hasContent() {
        return chunked || length > 0;
    }

    /// Null when the framing is sound and within bounds, which is then what the other methods answer.
    @Nullable
    Refusal judge(RequestHead head, long bodyBytesMax) {
        chunked = false;
        length = 0;
        int lengths = head.count(FieldName.CONTENT_LENGTH);
        if (head.count(FieldName.TRANSFER_ENCODING) > 0) {
            return judgeCoding(head, lengths);
        }
        if (lengths == 0) {
            return null;
        }
        // Identical repetitions could be merged (RFC 9110 §8.6); refusing them leaves nothing for two parsers to differ on.
        return lengths > 1 ? Refusal.REPEATED_LENGTH : judgeLength(head, bodyBytesMax);
    }

    private @Nullable Refusal judgeCoding(RequestHead head, int lengths) {
        if (head.version() == HttpVersion.HTTP_1_0) {
            return Refusal.CODING_IN_HTTP_1_0;
        }
        if (lengths > 0) {
            return Refusal.LENGTH_WITH_CODING;
        }
        if (head.count(FieldName.TRANSFER_ENCODING) == 1
                && "chunked".equalsIgnoreCase(head.value(FieldName.TRANSFER_ENCODING))) {
            chunked = true;
            return null;
        }
        return unknownCoding(head) ? Refusal.UNSUPPORTED_CODING : Refusal.MALFORMED_CODING;
    }

    /// Whether the list is sound and names a coding other than chunked.
    private static boolean unknownCoding(RequestHead head) {
        List<String> codings = FieldSyntax.tokens(head.values(FieldName.TRANSFER_ENCODING));
        if (codings == null) {
            return false;
        }
        for (String coding : codings) {
            if (!coding.toLowerCase(Locale.ROOT).equals("chunked")) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Refusal judgeLength(RequestHead head, long bodyBytesMax) {
        String value = head.value(FieldName.CONTENT_LENGTH);
        if (value == null || value.isEmpty() || !digitsOnly(value)) {
            return Refusal.MALFORMED_LENGTH;
        }
        length = value.length() > DIGITS_MAX ? Long.MAX_VALUE : Long.parseLong(value);
        return length > bodyBytesMax ? Refusal.BODY_TOO_LARGE : null;
    }

    private static boolean digitsOnly(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
        }
        return true;
    }
}

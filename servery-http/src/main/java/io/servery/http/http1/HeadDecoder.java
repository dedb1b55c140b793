package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RequestHead;
import org.jspecify.annotations.Nullable;

/// Takes the head of one request out of bytes, line by line as they become complete, and refuses the first thing that is
/// wrong in the order of the bytes: so the verdict is the same however the bytes were cut into segments.
///
///     LEADING ──first byte──► REQUEST_LINE ──CRLF──► FIELDS ──empty line──► complete
///
/// *Owner:* the event loop; one decoder an exchange. *Invariant:* each byte is looked at once; bytes past the head stay in
/// the input.
final class HeadDecoder {
    /// What came of the bytes so far.
    enum Progress {
        INCOMPLETE,
        COMPLETE,
        REFUSED
    }

    private enum Part {
        LEADING,
        REQUEST_LINE,
        FIELDS
    }

    /// How much is copied before it is looked at: what follows a short head is then seldom copied in vain.
    private static final int COPY_BYTES = 512;
    private static final byte DEL = 0x7f;

    private final RequestHead head = new RequestHead();
    private Part part = Part.LEADING;
    private int lineStart;
    private int scanned;
    private boolean afterCr;
    private boolean emptyLineSkipped;
    private @Nullable Refusal refusal;

    /// The head; sound when `decode` has answered `COMPLETE`.
    RequestHead head() {
        return head;
    }

    /// Why the head was refused, after `REFUSED`.
    Refusal refusal() {
        if (refusal == null) {
            throw new IllegalStateException("nothing was refused");
        }
        return refusal;
    }

    /// Whether no byte of a request has come yet (an empty line before it is none).
    boolean untouched() {
        return part == Part.LEADING;
    }

    /// Forgets everything, ready for the next request.
    void reset() {
        head.clear();
        part = Part.LEADING;
        lineStart = 0;
        scanned = 0;
        afterCr = false;
        emptyLineSkipped = false;
        refusal = null;
    }

    /// Takes bytes from the input until the head is complete, wrong, or the input is used up.
    Progress decode(ByteBuf in, Http1Limits limits) {
        if (part == Part.LEADING && !begin(in)) {
            return Progress.INCOMPLETE;
        }
        Progress progress = Progress.INCOMPLETE;
        while (progress == Progress.INCOMPLETE) {
            int limit = lineLimit(limits);
            if (scanned == head.length()) {
                if (scanned == limit) {
                    return refuse(overlong());
                }
                if (!copy(in, limit)) {
                    return Progress.INCOMPLETE;
                }
            }
            progress = scan(limits);
        }
        if (progress == Progress.COMPLETE) {
            in.readerIndex(in.readerIndex() - (head.length() - scanned));
            head.length(scanned);
        }
        return progress;
    }

    /// RFC 9112 §2.2: one empty line before the request line is ignored.
    private boolean begin(ByteBuf in) {
        while (in.isReadable()) {
            byte first = in.getByte(in.readerIndex());
            if (first != '\r' || emptyLineSkipped) {
                part = Part.REQUEST_LINE;
                return true;
            }
            if (in.readableBytes() == 1) {
                return false;
            }
            if (in.getByte(in.readerIndex() + 1) != '\n') {
                part = Part.REQUEST_LINE;
                return true;
            }
            in.skipBytes(2);
            emptyLineSkipped = true;
        }
        return false;
    }

    /// Where the current line, or the whole head, must have ended, as an index into the head's bytes.
    private int lineLimit(Http1Limits limits) {
        if (part == Part.REQUEST_LINE) {
            int line = RequestLine.METHOD_BYTES_MAX + limits.targetBytesMax() + RequestLine.REST_BYTES + 2;
            return Math.min(line, limits.headBytesMax());
        }
        return limits.headBytesMax();
    }

    private Refusal overlong() {
        return part == Part.REQUEST_LINE
                ? RequestLine.tooLong(head.bytes(), scanned)
                : Refusal.HEAD_TOO_LARGE;
    }

    /// Brings more input into the head's bytes, up to the limit; false when there is none.
    private boolean copy(ByteBuf in, int limit) {
        int length = head.length();
        int bytes = Math.min(Math.min(in.readableBytes(), COPY_BYTES), limit - length);
        if (bytes == 0) {
            return false;
        }
        in.readBytes(head.bytesWithRoomFor(bytes), length, bytes);
        head.length(length + bytes);
        return true;
    }

    /// Looks at the copied bytes up to the end of a line, which is judged at once, or up to their end.
    private Progress scan(Http1Limits limits) {
        byte[] bytes = head.bytes();
        int end = head.length();
        for (int i = scanned; i < end; i++) {
            byte b = bytes[i];
            if (afterCr) {
                scanned = i + 1;
                afterCr = false;
                return b == '\n' ? endLine(i - 1, limits) : refuse(Refusal.BARE_LINE_END);
            }
            if (b >= ' ' && b != DEL || b == '\t' || b < 0) {
                continue;
            }
            if (b != '\r') {
                scanned = i;
                return refuse(b == '\n' ? Refusal.BARE_LINE_END : controlCharacter());
            }
            afterCr = true;
        }
        scanned = end;
        return Progress.INCOMPLETE;
    }

    private Refusal controlCharacter() {
        return part == Part.REQUEST_LINE ? Refusal.MALFORMED_REQUEST_LINE : Refusal.MALFORMED_FIELD;
    }

    /// Judges the line that ends before `end`, the place of its CR.
    private Progress endLine(int end, Http1Limits limits) {
        int start = lineStart;
        lineStart = end + 2;
        if (part == Part.REQUEST_LINE) {
            part = Part.FIELDS;
            return progressAfter(RequestLine.judge(head, end, limits.targetBytesMax()));
        }
        if (start == end) {
            return Progress.COMPLETE;
        }
        if (head.fieldCount() == limits.fieldsMax()) {
            return refuse(Refusal.TOO_MANY_FIELDS);
        }
        return progressAfter(FieldLine.judge(head.bytes(), start, end, head));
    }

    private Progress progressAfter(@Nullable Refusal verdict) {
        return verdict == null ? Progress.INCOMPLETE : refuse(verdict);
    }

    private Progress refuse(Refusal why) {
        refusal = why;
        return Progress.REFUSED;
    }
}

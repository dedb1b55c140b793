package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.servery.http.exchange.Refusal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Takes the content of one request out of bytes: a known length (RFC 9112 §6.2) or chunks with their trailer section (§7.1).
///
///     LENGTH ─────────────────────────────────────────────► DONE
///     SIZE ──size > 0──► DATA ──► DATA_END ──► SIZE
///       └────size = 0──► TRAILER ──empty line─────────────► DONE
///
/// *Owner:* the event loop; one decoder an exchange. *Invariant:* bytes past the content stay in the input; nobody is called
/// from here, so whoever takes the content may do as he likes with the exchange.
final class BodyDecoder {
    static final int CHUNK_LINE_BYTES_MAX = 256;
    static final int EXTENSION_BYTES_MAX = 16 * 1024;
    static final int TRAILERS_MAX = 32;
    private static final int TRAILER_BYTES_MAX = 8 * 1024;
    private static final byte DEL = 0x7f;

    /// What came of the bytes so far.
    enum Progress {
        /// The input is used up.
        INCOMPLETE,
        /// The next `dataBytes()` bytes of the input are content: the caller takes them before it asks again.
        DATA,
        COMPLETE,
        REFUSED
    }

    private enum Part {
        LENGTH,
        SIZE,
        DATA,
        DATA_END,
        TRAILER,
        DONE
    }

    private Part part = Part.DONE;
    private long remaining;
    private int dataBytes;
    private long received;
    private long bytesMax;
    private int extensionBytes;
    private int trailers;
    private int trailerBytes;
    private byte[] line = new byte[CHUNK_LINE_BYTES_MAX / 4];
    private int lineLength;
    private @Nullable Refusal refusal;

    /// Forgets everything: there is no content.
    void reset() {
        part = Part.DONE;
        remaining = 0;
        received = 0;
        if (line.length > CHUNK_LINE_BYTES_MAX * 2) {
            line = new byte[CHUNK_LINE_BYTES_MAX / 4];
        }
    }

    /// Readies for the content that the framing announces, of at most this many bytes.
    void begin(MessageFraming framing, long bodyBytesMax) {
        part = framing.chunked() ? Part.SIZE : framing.length() > 0 ? Part.LENGTH : Part.DONE;
        remaining = framing.length();
        received = 0;
        bytesMax = bodyBytesMax;
        extensionBytes = 0;
        trailers = 0;
        trailerBytes = 0;
        lineLength = 0;
        refusal = null;
    }

    boolean done() {
        return part == Part.DONE;
    }

    /// How many bytes of content have come, without framing.
    long received() {
        return received;
    }

    /// How many bytes are still to come, or -1 when only the peer knows.
    long remaining() {
        return part == Part.LENGTH ? remaining : part == Part.DONE ? 0 : -1;
    }

    /// Why the content was refused, after `REFUSED`.
    Refusal refusal() {
        if (refusal == null) {
            throw new IllegalStateException("nothing was refused");
        }
        return refusal;
    }

    /// How many bytes at the start of the input are content, after `DATA`.
    int dataBytes() {
        return dataBytes;
    }

    /// Takes framing from the input until content lies ahead, the content is complete or wrong, or the input is used up.
    Progress decode(ByteBuf in) {
        dataBytes = 0;
        while (part != Part.DONE) {
            if (!in.isReadable()) {
                return Progress.INCOMPLETE;
            }
            Refusal verdict = switch (part) {
                case LENGTH, DATA -> {
                    announceData(in.readableBytes());
                    yield null;
                }
                case SIZE, DATA_END, TRAILER -> takeLine(in);
                case DONE -> null;
            };
            if (verdict != null) {
                refusal = verdict;
                return Progress.REFUSED;
            }
            if (dataBytes > 0) {
                return Progress.DATA;
            }
        }
        return Progress.COMPLETE;
    }

    private void announceData(int readable) {
        dataBytes = (int) Math.min(remaining, readable);
        received += dataBytes;
        remaining -= dataBytes;
        if (remaining == 0) {
            part = part == Part.LENGTH ? Part.DONE : Part.DATA_END;
        }
    }

    /// Collects one line, byte by byte: lines are short here, and a CR must be followed by LF wherever the segments end.
    private @Nullable Refusal takeLine(ByteBuf in) {
        while (in.isReadable()) {
            byte b = in.readByte();
            boolean afterCr = lineLength > 0 && line[lineLength - 1] == '\r';
            if (afterCr && b == '\n') {
                int end = lineLength - 1;
                lineLength = 0;
                return endLine(end);
            }
            if (afterCr || b >= 0 && b < ' ' && b != '\t' && b != '\r' || b == DEL) {
                return part == Part.TRAILER && !afterCr && b != '\n'
                        ? Refusal.MALFORMED_TRAILER
                        : Refusal.MALFORMED_CHUNK;
            }
            Refusal verdict = append(b);
            if (verdict != null) {
                return verdict;
            }
        }
        return null;
    }

    private @Nullable Refusal append(byte b) {
        if (part == Part.TRAILER) {
            if (++trailerBytes > TRAILER_BYTES_MAX) {
                return Refusal.HEAD_TOO_LARGE;
            }
        } else if (lineLength > CHUNK_LINE_BYTES_MAX || part == Part.DATA_END && b != '\r') {
            return Refusal.MALFORMED_CHUNK;
        }
        if (lineLength == line.length) {
            line = Arrays.copyOf(line, line.length * 2);
        }
        line[lineLength++] = b;
        return null;
    }

    private @Nullable Refusal endLine(int end) {
        return switch (part) {
            case SIZE -> beginChunk(end);
            case DATA_END -> {
                part = Part.SIZE;
                yield null;
            }
            case TRAILER -> endTrailer(end);
            case LENGTH, DATA, DONE -> throw new IllegalStateException("no line in part " + part);
        };
    }

    private @Nullable Refusal beginChunk(int end) {
        long size = ChunkLine.size(line, end);
        extensionBytes += ChunkLine.extensionBytes(line, end);
        if (size == ChunkLine.MALFORMED || extensionBytes > EXTENSION_BYTES_MAX) {
            return Refusal.MALFORMED_CHUNK;
        }
        if (size > bytesMax - received) {
            return Refusal.BODY_TOO_LARGE;
        }
        remaining = size;
        part = size == 0 ? Part.TRAILER : Part.DATA;
        return null;
    }

    /// Trailer fields are judged like any, and dropped: no field is allowed to arrive here (RFC 9110 §6.5.1).
    private @Nullable Refusal endTrailer(int end) {
        if (end == 0) {
            part = Part.DONE;
            return null;
        }
        if (++trailers > TRAILERS_MAX) {
            return Refusal.TOO_MANY_TRAILERS;
        }
        return FieldLine.judge(line, 0, end, null) == null ? null : Refusal.MALFORMED_TRAILER;
    }
}

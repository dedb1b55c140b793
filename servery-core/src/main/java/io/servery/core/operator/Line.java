package io.servery.core.operator;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.servery.core.control.Decoded;
import java.nio.ByteBuffer;

/// A line of printable ASCII, as requests and replies begin with.
final class Line {
    /// The protocol, and the only version of it.
    static final String VERSION = "servery/1";

    private static final int SHOWN_MAX = 80;

    private Line() {
    }

    /// The line without its end, if the buffer holds all of it; the buffer's position is then behind it.
    ///
    /// @param bytesMax with its end
    static Decoded<String> decode(ByteBuffer buffer, int bytesMax) {
        int start = buffer.position();
        for (int at = start; at < buffer.limit() && at - start < bytesMax; at++) {
            byte one = buffer.get(at);
            if (one == '\n') {
                byte[] line = new byte[at - start];
                buffer.get(line).position(at + 1);
                return new Decoded.Complete<>(new String(line, US_ASCII));
            }
            if (one < ' ' || one == 0x7f) {
                return new Decoded.Malformed<>("found the byte " + Byte.toUnsignedInt(one) + " at " + (at - start));
            }
        }
        return buffer.remaining() >= bytesMax
                ? new Decoded.Malformed<>("found no end of a line within " + bytesMax + " bytes")
                : new Decoded.Incomplete<>(buffer.remaining() + 1);
    }

    /// A line in quotation marks, cut to a length.
    static String shown(String line) {
        return line.length() > SHOWN_MAX ? '"' + line.substring(0, SHOWN_MAX) + "…\"" : '"' + line + '"';
    }
}

package io.servery.core.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.servery.core.control.Bounds;
import io.servery.core.control.Decoded;
import io.servery.core.fault.ExitCode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One reply: a line `servery/1 EXIT OUT_BYTES ERR_BYTES`, then that many bytes for standard output, then those for
/// standard error, both UTF-8.
///
/// *Invariant*: the texts are fit for a terminal: no control characters but the ends of lines and tabs.
///
/// @param exit the exit code of the client
/// @param out at most [#TEXT_BYTES_MAX] bytes
/// @param err likewise
public record OperatorReply(int exit, String out, String err) {
    /// What either text may hold.
    public static final int TEXT_BYTES_MAX = 1 << 20;
    /// The first line and its end.
    static final int HEADER_BYTES_MAX = 64;
    /// A whole reply.
    public static final int BYTES_MAX = HEADER_BYTES_MAX + 2 * TEXT_BYTES_MAX;

    private static final int EXIT_MAX = 255;
    private static final String NUMBER = "(0|[1-9][0-9]{0,8})";
    private static final Pattern HEADER = Pattern
            .compile(Pattern.quote(Line.VERSION) + " " + NUMBER + " " + NUMBER + " " + NUMBER);
    private static final String EXPECTED = "; expected `" + Line.VERSION + " EXIT OUT_BYTES ERR_BYTES`";

    /// What is too long is cut, and what a terminal could take for an order is replaced.
    public OperatorReply {
        if (exit < 0 || exit > EXIT_MAX) {
            throw new IllegalArgumentException("operator: exit: found " + exit + "; expected 0 to " + EXIT_MAX);
        }
        out = Bounds.cut(harmless(out), TEXT_BYTES_MAX);
        err = Bounds.cut(harmless(err), TEXT_BYTES_MAX);
    }

    /// Data alone.
    public static OperatorReply out(ExitCode exit, String text) {
        return new OperatorReply(exit.code(), text, "");
    }

    /// Diagnostics alone.
    public static OperatorReply err(ExitCode exit, String text) {
        return new OperatorReply(exit.code(), "", text);
    }

    private static String harmless(String text) {
        StringBuilder harmless = new StringBuilder();
        text.codePoints().map(OperatorReply::harmless).forEach(harmless::appendCodePoint);
        return harmless.toString();
    }

    private static int harmless(int codePoint) {
        if (codePoint == '\n' || codePoint == '\t') {
            return codePoint;
        }
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR, Character.UNASSIGNED, Character.PRIVATE_USE ->
                0xFFFD;
            default -> codePoint;
        };
    }

    /// The bytes of the reply.
    public byte[] encode() {
        byte[] first = out.getBytes(UTF_8);
        byte[] second = err.getBytes(UTF_8);
        byte[] header = (Line.VERSION + " " + exit + " " + first.length + " " + second.length + "\n").getBytes(UTF_8);
        return ByteBuffer.allocate(header.length + first.length + second.length).put(header).put(first).put(second)
                .array();
    }

    /// The reply, if the buffer holds all of it.
    public static Decoded<OperatorReply> decode(ByteBuffer buffer) {
        int start = buffer.position();
        return switch (Line.decode(buffer, HEADER_BYTES_MAX)) {
            case Decoded.Incomplete<String>(int bytes) -> new Decoded.Incomplete<>(bytes);
            case Decoded.Malformed<String>(String what) -> new Decoded.Malformed<>("reply: " + what + EXPECTED);
            case Decoded.Complete<String>(String line) -> {
                Decoded<OperatorReply> reply = texts(line, buffer, buffer.position() - start);
                if (reply instanceof Decoded.Incomplete) {
                    buffer.position(start);
                }
                yield reply;
            }
        };
    }

    private static Decoded<OperatorReply> texts(String line, ByteBuffer buffer, int headerBytes) {
        Matcher header = HEADER.matcher(line);
        if (!header.matches()) {
            return new Decoded.Malformed<>("reply: found " + Line.shown(line) + EXPECTED);
        }
        int exit = Integer.parseInt(header.group(1));
        int out = Integer.parseInt(header.group(2));
        int err = Integer.parseInt(header.group(3));
        if (exit > EXIT_MAX || out > TEXT_BYTES_MAX || err > TEXT_BYTES_MAX) {
            return new Decoded.Malformed<>("reply: found " + Line.shown(line) + "; expected an exit code to " + EXIT_MAX
                    + " and texts of at most " + TEXT_BYTES_MAX + " bytes");
        }
        if (buffer.remaining() < out + err) {
            return new Decoded.Incomplete<>(headerBytes + out + err);
        }
        try {
            return new Decoded.Complete<>(new OperatorReply(exit, text(buffer, out), text(buffer, err)));
        } catch (CharacterCodingException _) {
            return new Decoded.Malformed<>("reply: found bytes that are not UTF-8; expected UTF-8");
        }
    }

    private static String text(ByteBuffer buffer, int bytes) throws CharacterCodingException {
        ByteBuffer encoded = buffer.slice(buffer.position(), bytes);
        buffer.position(buffer.position() + bytes);
        return UTF_8.newDecoder().decode(encoded).toString();
    }
}

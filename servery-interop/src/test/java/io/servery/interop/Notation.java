package io.servery.interop;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// The notation of the corpus: printable text that says exactly which bytes go over the wire.
///
/// Line ends of the file mean nothing; every byte that is sent is written. `\r \n \t \0 \\ \xHH` are bytes, `\{N:text}` is
/// text N times over with `\#` in it as the turn (from 1), `\<name>` is a value that only the running server knows, and `\|` ends
/// a piece. A line that begins with `#` is a comment.
final class Notation {
    private String text;
    private final UnaryOperator<String> values;
    private final List<byte[]> pieces = new ArrayList<>();
    private ByteArrayOutputStream piece = new ByteArrayOutputStream();
    private int at;

    private Notation(String text, UnaryOperator<String> values) {
        this.text = text;
        this.values = values;
    }

    /// The pieces that a request file describes, in order: one, unless it has `\|` marks.
    static List<byte[]> pieces(String file, UnaryOperator<String> values) {
        var joined = new StringBuilder();
        for (String line : file.split("\n", -1)) {
            if (!line.startsWith("#")) {
                joined.append(line);
            }
        }
        var notation = new Notation(joined.toString(), values);
        notation.run();
        notation.endPiece();
        return notation.pieces;
    }

    /// The bytes of one value, such as an expected body.
    static byte[] bytes(String value) {
        var notation = new Notation(value, name -> {
            throw new IllegalArgumentException("\\<" + name + ">: no value is known here");
        });
        notation.run();
        return notation.piece.toByteArray();
    }

    private void run() {
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '\\') {
                escape();
            } else if (c < 0x20 || c > 0x7E) {
                throw new IllegalArgumentException(
                        "found U+%04X at %d; expected printable ASCII (write \\xHH)".formatted((int) c, at));
            } else {
                piece.write(c);
            }
        }
    }

    private void escape() {
        char c = next();
        switch (c) {
            case 'r' -> piece.write('\r');
            case 'n' -> piece.write('\n');
            case 't' -> piece.write('\t');
            case '0' -> piece.write(0);
            case '\\' -> piece.write('\\');
            case 'x' -> piece.write(Integer.parseInt("" + next() + next(), 16));
            case '|' -> endPiece();
            case '<' -> put(values.apply(until('>')));
            case '{' -> repeat();
            default -> throw new IllegalArgumentException("found \\" + c + " at " + at + "; expected a known escape");
        }
    }

    /// Writes the repetition out in front of what is left.
    private void repeat() {
        int times = Integer.parseInt(until(':'));
        String repeated = until('}');
        var written = new StringBuilder();
        for (int turn = 1; turn <= times; turn++) {
            written.append(repeated.replace("\\#", Integer.toString(turn)));
        }
        text = written + text.substring(at);
        at = 0;
    }

    private String until(char end) {
        int stop = text.indexOf(end, at);
        if (stop < 0) {
            throw new IllegalArgumentException("found no '" + end + "' after " + at);
        }
        String found = text.substring(at, stop);
        at = stop + 1;
        return found;
    }

    private char next() {
        if (at == text.length()) {
            throw new IllegalArgumentException("found the end; expected the rest of an escape");
        }
        return text.charAt(at++);
    }

    private void put(String value) {
        piece.writeBytes(value.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void endPiece() {
        if (piece.size() > 0) {
            pieces.add(piece.toByteArray());
            piece = new ByteArrayOutputStream();
        }
    }
}

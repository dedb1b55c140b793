package io.servery.core.operator;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.servery.core.control.Decoded;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// One request: a line `servery/1 COMMAND` or `servery/1 COMMAND json`, and nothing after it.
///
/// @param json only where the command has it
public record OperatorRequest(OperatorCommand command, boolean json) {
    /// The line and its end.
    public static final int BYTES_MAX = 256;

    private static final String JSON = "json";
    private static final String EXPECTED = "; expected `" + Line.VERSION + " COMMAND`, COMMAND one of "
            + Arrays.stream(OperatorCommand.values()).map(OperatorCommand::word).collect(Collectors.joining(", "));

    public OperatorRequest {
        if (json && !command.hasJson()) {
            throw new IllegalArgumentException(
                    "operator: found json with " + command.word() + "; expected none");
        }
    }

    /// The bytes of the request.
    public byte[] encode() {
        return (Line.VERSION + " " + command.word() + (json ? " " + JSON : "") + "\n").getBytes(US_ASCII);
    }

    /// The request, if the buffer holds all of it.
    public static Decoded<OperatorRequest> decode(ByteBuffer buffer) {
        return switch (Line.decode(buffer, BYTES_MAX)) {
            case Decoded.Incomplete<String>(int bytes) -> new Decoded.Incomplete<>(bytes);
            case Decoded.Malformed<String>(String what) -> new Decoded.Malformed<>("request: " + what + EXPECTED);
            case Decoded.Complete<String>(String line) -> buffer.hasRemaining()
                    ? malformed(buffer.remaining() + " bytes after the line")
                    : parse(line);
        };
    }

    private static Decoded<OperatorRequest> parse(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        boolean json = words.size() == 3 && words.getLast().equals(JSON);
        if (json) {
            words.removeLast();
        }
        Optional<OperatorCommand> command = words.size() == 2 && words.getFirst().equals(Line.VERSION)
                ? Arrays.stream(OperatorCommand.values()).filter(one -> one.word().equals(words.get(1))).findFirst()
                : Optional.empty();
        if (command.isEmpty() || json && !command.get().hasJson()) {
            return malformed(Line.shown(line));
        }
        return new Decoded.Complete<>(new OperatorRequest(command.get(), json));
    }

    private static Decoded<OperatorRequest> malformed(String found) {
        return new Decoded.Malformed<>("request: found " + found + EXPECTED);
    }
}

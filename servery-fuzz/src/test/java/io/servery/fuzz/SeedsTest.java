package io.servery.fuzz;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Decoded;
import io.servery.core.control.Order;
import io.servery.core.control.OrderCodec;
import io.servery.core.control.Report;
import io.servery.core.control.ReportCodec;
import io.servery.core.operator.OperatorCommand;
import io.servery.core.operator.OperatorRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The inputs that every run of the protocols' fuzz tests begins with have one of each kind.
///
/// A kind that the reference does not know is so found by each run, and not by the one whose luck it is.
class SeedsTest {
    private static final Path INPUTS = Path.of("src/test/resources/io/servery/fuzz");

    @Test
    void haveEveryCommandOfAnOperator() throws IOException {
        Set<OperatorRequest> commands = Arrays.stream(OperatorCommand.values())
                .flatMap(one -> Stream.of(false, true).filter(json -> !json || one.hasJson())
                        .map(json -> new OperatorRequest(one, json)))
                .collect(toSet());

        assertThat(decoded("OperatorFuzzInputs/operator", OperatorRequest::decode)).containsAll(commands);
    }

    @Test
    void haveEveryOrderAndEveryReport() throws IOException {
        assertThat(decoded("ControlFuzzInputs/control", OrderCodec::decode).stream().map(Object::getClass))
                .containsAll(Set.of(Order.class.getPermittedSubclasses()));
        assertThat(decoded("ControlFuzzInputs/control", ReportCodec::decode).stream().map(Object::getClass))
                .containsAll(Set.of(Report.class.getPermittedSubclasses()));
    }

    /// What the files hold, each up to the first that is none.
    private static <T> Set<T> decoded(String folder, Function<ByteBuffer, Decoded<T>> decoder) throws IOException {
        try (Stream<Path> files = Files.list(INPUTS.resolve(folder))) {
            return files.flatMap(file -> decoded(file, decoder)).collect(toSet());
        }
    }

    private static <T> Stream<T> decoded(Path file, Function<ByteBuffer, Decoded<T>> decoder) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            List<T> values = new ArrayList<>();
            while (decoder.apply(bytes) instanceof Decoded.Complete<T>(T value)) {
                values.add(value);
            }
            return values.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.servery.core.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a certificate authority can be answered, and how much of it.
class ChallengesTest {
    private static final String PRINT = "9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI";

    private static Challenges http(int from, int to) {
        return new Challenges(IntStream.range(from, to).mapToObj(i -> new Challenges.Http("t" + i, "t" + i + ".p"))
                .toList(), List.of());
    }

    private static Challenges.Alpn alpn(int number, int bytes) {
        return new Challenges.Alpn(number + ".example", "c".repeat(Math.min(bytes, 16 << 10)), "k".repeat(bytes));
    }

    /// The example of RFC 8555 §8.3.
    @Test
    void keyAuthorizationIsTheTokenADotAndAThumbprint() {
        String token = "LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0";

        assertThat(new Challenges.Http(token, token + "." + PRINT).keyAuthorization()).startsWith(token);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            ''      | .p
            a       | a
            a       | a.
            a       | b.p
            a       | a.p=
            a       | a.p.q
            a/b     | a/b.p
            ..      | ...p
            %61     | %61.p
            a b     | a b.p
            """)
    void whatIsNoTokenOrNoAuthorizationOfItIsRefused(String token, String authorization) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Challenges.Http(token, authorization));
    }

    @Test
    void textsAndSetsAreBounded() {
        assertThat(http(0, 256).http()).hasSize(256);
        assertThatIllegalArgumentException().isThrownBy(() -> http(0, 257));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Challenges(http(0, 200).http(), IntStream.range(0, 57)
                        .mapToObj(i -> alpn(i, 1)).toList()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Challenges.Http("t".repeat(257), "t".repeat(257) + ".p"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Challenges.Alpn("a.example", "c".repeat(16_385), "k"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Challenges.Alpn("a.example", "c", "k".repeat(32_769)));
        assertThatIllegalArgumentException().as("bytes of all").isThrownBy(() -> new Challenges(List.of(),
                IntStream.range(0, 33).mapToObj(i -> alpn(i, 32 << 10)).toList()));
    }

    /// The largest set fits into one frame.
    @Test
    void setAtItsBoundsIsSent() {
        Challenges all = new Challenges(IntStream.range(0, 224)
                .mapToObj(
                        i -> new Challenges.Http("%0256d".formatted(i), "%0256d".formatted(i) + "." + "p".repeat(255)))
                .toList(), IntStream.range(0, 32).mapToObj(i -> alpn(i, 32 << 10)).toList());
        Order.Post order = new Order.Post(1, all);
        byte[] frame = OrderCodec.encode(order);

        assertThat(frame.length).isLessThanOrEqualTo(Bounds.ORDER_BYTES_MAX);
        assertThat(OrderCodec.decode(java.nio.ByteBuffer.wrap(frame))).isEqualTo(new Decoded.Complete<>(order));
    }

    @Test
    void eachTokenAndEachNameIsThereOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Challenges(Stream.concat(http(0, 2).http().stream(), http(1, 2).http().stream())
                        .toList(), List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Challenges(List.of(), List.of(alpn(1, 1), alpn(1, 2))));
    }
}

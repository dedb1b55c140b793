package io.servery.core.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.servery.core.control.Decoded;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The line that answers, and the texts after it.
class OperatorReplyTest {
    private static Decoded<OperatorReply> decode(String text) {
        return OperatorReply.decode(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    @Property(tries = 500)
    void everyReplyIsReadAsItWasWritten(@ForAll @IntRange(max = 255) int exit, @ForAll String out,
            @ForAll String err) {
        OperatorReply reply = new OperatorReply(exit, out, err);
        ByteBuffer bytes = ByteBuffer.wrap(reply.encode());

        assertThat(OperatorReply.decode(bytes)).isEqualTo(new Decoded.Complete<>(reply));
        assertThat(bytes.hasRemaining()).isFalse();
    }

    @Test
    void bytesOfTheWireAreThese() {
        assertThat(new OperatorReply(78, "o\n", "ü").encode()).asString(UTF_8).isEqualTo("servery/1 78 2 2\no\nü");
    }

    @Test
    void replyThatIsNotAllThereIsWaitedForAndSaysHowMuch() {
        byte[] bytes = new OperatorReply(0, "out", "err").encode();
        for (int length = 0; length < bytes.length; length++) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
            int expected = length <= "servery/1 0 3 3".length() ? length + 1 : bytes.length;
            assertThat(OperatorReply.decode(buffer)).isEqualTo(new Decoded.Incomplete<>(expected));
            assertThat(buffer.position()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"servery/2 0 0 0\n", "servery/1 256 0 0\n", "servery/1 0 0\n", "servery/1 0 0 0 0\n",
            "servery/1 -1 0 0\n", "servery/1 0 1048577 0\n", "servery/1 0 0 1048577\n", "servery/1 00 0 0\n",
            "servery/1 0 9999999999 0\n", "HTTP/1.1 200 OK\r\n", "\n", "servery/1 0 1 0\n\u0080x",
            "servery/1 0 0 0\r\n"})
    void whatIsNoReplyIsRefusedWithWhatWasFound(String text) {
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThat(OperatorReply.decode(ByteBuffer.wrap(bytes))).isInstanceOfSatisfying(Decoded.Malformed.class,
                malformed -> assertThat(malformed.what()).startsWith("reply: found ").contains("; expected "));
    }

    @Test
    void headerIsBounded() {
        assertThat(decode("s".repeat(63))).isEqualTo(new Decoded.Incomplete<>(64));
        assertThat(decode("s".repeat(64))).isInstanceOf(Decoded.Malformed.class);
    }

    @Test
    void textsAreBoundedAtACharacter() {
        OperatorReply reply = new OperatorReply(0, "ü".repeat(600_000), "x" + "ü".repeat(600_000));

        assertThat(reply.out().getBytes(UTF_8)).hasSize(1 << 20);
        assertThat(reply.err().getBytes(UTF_8)).hasSize((1 << 20) - 1);
        assertThat(reply.encode().length).isLessThanOrEqualTo(OperatorReply.BYTES_MAX);
    }

    @Test
    void terminalGetsNoOrders() {
        assertThat(new OperatorReply(0, "a\u001b[31m\tb\r\n\u202e\u009b", "").out())
                .isEqualTo("a\uFFFD[31m\tb\uFFFD\n\uFFFD\uFFFD");
        assertThat(decode("servery/1 0 0 4\n\u001b[2J")).isEqualTo(
                new Decoded.Complete<>(new OperatorReply(0, "", "\uFFFD[2J")));
    }

    @Test
    void exitCodeIsOneThatAProcessCanHave() {
        assertThatIllegalArgumentException().isThrownBy(() -> new OperatorReply(256, "", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> new OperatorReply(-1, "", ""));
    }

    @Property(tries = 1_000)
    void anyBytesAreJudgedWithoutAThrow(@ForAll byte[] bytes) {
        assertThat(OperatorReply.decode(ByteBuffer.wrap(bytes))).isNotNull();
    }
}

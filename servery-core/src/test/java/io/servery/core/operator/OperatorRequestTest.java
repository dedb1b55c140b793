package io.servery.core.operator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.servery.core.control.Decoded;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The line that asks.
class OperatorRequestTest {
    private static Decoded<OperatorRequest> decode(String bytes) {
        return OperatorRequest.decode(ByteBuffer.wrap(bytes.getBytes(ISO_8859_1)));
    }

    @ParameterizedTest
    @EnumSource
    void everyCommandIsReadAsItWasWritten(OperatorCommand command) {
        OperatorRequest request = new OperatorRequest(command, command.hasJson());

        assertThat(OperatorRequest.decode(ByteBuffer.wrap(request.encode())))
                .isEqualTo(new Decoded.Complete<>(request));
        assertThat(request.encode().length).isLessThanOrEqualTo(OperatorRequest.BYTES_MAX);
    }

    @Test
    void wordsOfTheWireAreThese() {
        assertThat(new OperatorRequest(OperatorCommand.STATUS, true).encode()).asString()
                .isEqualTo("servery/1 status json\n");
        assertThat(decode("servery/1 reload\n"))
                .isEqualTo(new Decoded.Complete<>(new OperatorRequest(OperatorCommand.RELOAD, false)));
    }

    @Test
    void commandThatChangesSomethingHasNoJson() {
        assertThatIllegalArgumentException().isThrownBy(() -> new OperatorRequest(OperatorCommand.STOP, true))
                .withMessage("operator: found json with stop; expected none");
    }

    @Test
    void lineWithoutItsEndIsWaitedFor() {
        byte[] bytes = "servery/1 status\n".getBytes(ISO_8859_1);
        for (int length = 0; length < bytes.length; length++) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
            assertThat(OperatorRequest.decode(buffer)).isEqualTo(new Decoded.Incomplete<>(length + 1));
            assertThat(buffer.position()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "status\n", "servery/2 status\n", "servery/1 status \n", "servery/1  status\n",
            "servery/1 Status\n", "servery/1 status xml\n", "servery/1 status json json\n", "servery/1 stop json\n",
            "servery/1\n", "servery/1 json\n", "SERVERY/1 stop\n", " servery/1 stop\n", "GET / HTTP/1.1\n"})
    void lineThatIsNoRequestIsRefusedInWords(String line) {
        assertThat(decode(line)).isEqualTo(new Decoded.Malformed<>("request: found \""
                + line.substring(0, line.length() - 1) + "\"; expected `servery/1 COMMAND`, COMMAND one of"
                + " status, ready, reload, rollback, drain, stop, renew, force_renewal"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"servery/1 stop\r\n", "servery/1 st\0p\n", "\u001b[2J", "servery/1 stop\u0080\n", "\u007f"})
    void byteThatIsNotPrintableIsRefusedAtOnce(String bytes) {
        assertThat(decode(bytes)).isInstanceOfSatisfying(Decoded.Malformed.class,
                malformed -> assertThat(malformed.what()).startsWith("request: found the byte ").matches("[ -~]*"));
    }

    @Test
    void nothingFollowsTheLine() {
        assertThat(decode("servery/1 stop\nservery/1 stop\n")).isInstanceOfSatisfying(Decoded.Malformed.class,
                malformed -> assertThat(malformed.what()).startsWith("request: found 15 bytes after the line"));
    }

    @Test
    void lineWithoutEndIsBounded() {
        assertThat(decode("s".repeat(255))).isEqualTo(new Decoded.Incomplete<>(256));
        assertThat(decode("s".repeat(256))).isInstanceOfSatisfying(Decoded.Malformed.class,
                malformed -> assertThat(malformed.what()).contains("no end of a line within 256 bytes"));
        assertThat(decode("s".repeat(255) + "\n")).isInstanceOfSatisfying(Decoded.Malformed.class,
                malformed -> assertThat(malformed.what()).hasSizeLessThan(250).contains("…"));
    }

    @Property(tries = 1_000)
    void anyBytesAreJudgedWithoutAThrow(@ForAll byte[] bytes) {
        assertThat(OperatorRequest.decode(ByteBuffer.wrap(bytes))).isNotNull();
    }
}

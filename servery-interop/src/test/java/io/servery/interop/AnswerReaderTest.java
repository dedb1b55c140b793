package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The strict client in the order of RFC 9112: what a lenient one would let pass.
class AnswerReaderTest {
    private static final String DATE = "Date: Tue, 02 Jan 2024 03:04:05 GMT\r\n";

    private static AnswerReader over(String wire) {
        return new AnswerReader(new ByteArrayInputStream(wire.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static Answer read(String wire) {
        return (Answer) over(wire).next(false);
    }

    @Test
    void messagesAreReadOneAfterTheOther() {
        AnswerReader reader = over("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n" + DATE
                + "Content-Length: 2\r\n\r\nabHTTP/1.1 204 \r\n" + DATE + "\r\n");
        assertThat(((Answer) reader.next(false)).status()).isEqualTo(100);
        assertThat(((Answer) reader.next(false)).text()).isEqualTo("ab");
        assertThat(((Answer) reader.next(false)).status()).isEqualTo(204);
        assertThat(reader.next(false)).isEqualTo(Heard.Ending.FIN);
    }

    @Test
    void answersToHeadAndNotModifiedHaveNoContent() {
        AnswerReader reader = over(
                "HTTP/1.1 200 OK\r\n" + DATE + "Content-Length: 2\r\n\r\nHTTP/1.1 304 Not Modified\r\n"
                        + DATE + "Content-Length: 2\r\n\r\n");
        assertThat(((Answer) reader.next(true)).body()).isEmpty();
        assertThat(((Answer) reader.next(false)).body()).isEmpty();
    }

    @Test
    void chunksAreJoined() {
        assertThat(read("HTTP/1.1 200 OK\r\n" + DATE
                + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\nA\r\n0123456789\r\n0\r\n\r\n").text())
                .isEqualTo("ab0123456789");
    }

    @Test
    void contentWithoutLengthEndsWithTheConnection() {
        assertThat(read("HTTP/1.1 200 OK\r\nConnection: close\r\n" + DATE + "\r\nabc").text()).isEqualTo("abc");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.0 200 OK\r\n", "http/1.1 200 OK\r\n", "HTTP/1.1 200\r\n", "HTTP/1.1  200 OK\r\n",
            "HTTP/1.1 2000 OK\r\n", "HTTP/1.1 200 OK\n", "HTTP/1.1 200 O\rK\r\n", "HTTP/1.1 200 O\u00e9\r\n"})
    void badStatusLinesAreErrors(String line) {
        assertMalformed(line + DATE + "Content-Length: 0\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X : y\r\n", " X: y\r\n", "X\r\n", ": y\r\n", "X: a\u0001b\r\n", "X: \u00e9\r\n",
            "X: a\nY: b\r\n", "X: a\0\r\n", "X(: a\r\n"})
    void badFieldLinesAreErrors(String line) {
        assertMalformed("HTTP/1.1 200 OK\r\n" + DATE + line + "Content-Length: 0\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", DATE + DATE, "Date: now\r\n", "Date: Tue, 02 Jan 2024 03:04:05 CET\r\n",
            "Date: Mon, 02 Jan 2024 03:04:05 GMT\r\n", "Date: Tue, 2 Jan 2024 03:04:05 GMT\r\n"})
    void aFinalAnswerHasOneRightDate(String date) {
        assertMalformed("HTTP/1.1 200 OK\r\n" + date + "Content-Length: 0\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 1, 1", "Content-Length: 01", "Content-Length: +1", "Content-Length: ",
            "Content-Length: 1\r\nContent-Length: 1", "Content-Length: 1\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: gzip, chunked", "X: no length at all"})
    void badFramingIsAnError(String fields) {
        assertMalformed("HTTP/1.1 200 OK\r\n" + DATE + fields + "\r\n\r\na");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1;x=y\r\na\r\n0\r\n\r\n", "1 \r\na\r\n0\r\n\r\n", "1\na\r\n0\r\n\r\n",
            "1\r\nab\r\n0\r\n\r\n",
            "\r\na\r\n0\r\n\r\n", "0\r\nX : y\r\n\r\n"})
    void badChunksAreErrors(String chunks) {
        assertMalformed("HTTP/1.1 200 OK\r\n" + DATE + "Transfer-Encoding: chunked\r\n\r\n" + chunks);
    }

    @Test
    void noContentMayNotHaveALength() {
        assertMalformed("HTTP/1.1 204 No Content\r\n" + DATE + "Content-Length: 0\r\n\r\n");
    }

    @Test
    void aMessageCutShortIsToldApartFromAnEnd() {
        Heard heard = over("HTTP/1.1 200 OK\r\n" + DATE + "Content-Length: 5\r\n\r\nab").next(false);
        assertThat(heard).isInstanceOfSatisfying(Heard.Cut.class, cut -> {
            assertThat(cut.body()).containsExactly('a', 'b');
            assertThat(cut.ending()).isEqualTo(Heard.Ending.FIN);
        });
        assertThat(over("HTTP/1.1 2").next(false)).isInstanceOf(Heard.Cut.class);
        assertThat(over("").next(false)).isEqualTo(Heard.Ending.FIN);
    }

    @Test
    void resetAndSilenceAreToldApartFromAnEnd() {
        assertThat(new AnswerReader(failing(new SocketException("Connection reset"))).next(false))
                .isEqualTo(Heard.Ending.RESET);
        assertThat(new AnswerReader(failing(new SocketTimeoutException())).next(false))
                .isEqualTo(Heard.Ending.SILENCE);
    }

    private static InputStream failing(IOException failure) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                throw failure;
            }

            @Override
            public int read(byte[] bytes, int from, int count) throws IOException {
                throw failure;
            }
        };
    }

    private static void assertMalformed(String wire) {
        assertThatThrownBy(() -> read(wire)).isInstanceOf(AnswerReader.MalformedAnswer.class);
    }
}

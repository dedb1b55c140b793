package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class NotationTest {
    private static List<String> read(String file) {
        return Notation.pieces(file, name -> "<" + name + ">").stream()
                .map(piece -> new String(piece, StandardCharsets.ISO_8859_1)).toList();
    }

    @Test
    void lineEndsOfTheFileMeanNothing() {
        assertThat(read("GET / HTTP/1.1\\r\\n\nHost: a\\r\\n\n\\r\\n\n"))
                .containsExactly("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    @Test
    void escapesAreBytes() {
        assertThat(read("\\r\\n\\t\\0\\\\\\x00\\xff#")).containsExactly("\r\n\t\0\\\0\u00ff#");
    }

    @Test
    void commentsAreLeftOut() {
        assertThat(read("a\n# b\nc")).containsExactly("ac");
    }

    @Test
    void repetitionCountsItsTurns() {
        assertThat(read("\\{3:X-\\#: v\\r\\n}")).containsExactly("X-1: v\r\nX-2: v\r\nX-3: v\r\n");
    }

    @Test
    void marksCutPieces() {
        assertThat(read("ab\\|c\\|\\{2:d\\|}e")).containsExactly("ab", "c", "d", "d", "e");
    }

    @Test
    void valuesComeFromTheServer() {
        assertThat(read("a\\<etag /x>b")).containsExactly("a<etag /x>b");
    }

    @Test
    void anEmptyFileSendsNothing() {
        assertThat(read("\n")).isEmpty();
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> read("\\q")).hasMessageContaining("expected a known escape");
        assertThatThrownBy(() -> read("\\")).hasMessageContaining("rest of an escape");
        assertThatThrownBy(() -> read("\\{3:x")).hasMessageContaining("found no '}'");
        assertThatThrownBy(() -> read("\u00e9")).hasMessageContaining("printable ASCII");
        assertThatThrownBy(() -> Notation.bytes("\\<etag>")).hasMessageContaining("no value");
    }
}

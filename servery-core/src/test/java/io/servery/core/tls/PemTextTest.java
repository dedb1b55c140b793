package io.servery.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// RFC 7468, read strictly within a block and not at all between blocks.
class PemTextTest {
    @Test
    void blocksAreFoundAmongOtherText() {
        String text = "\uFEFF-----BEGIN ONE-----\r\nAQID\r\n-----END ONE-----\r\nBag Attributes\n  key: value\n"
                + "-----BEGIN TWO WORDS-----\nAQ==  \n-----END TWO WORDS-----";
        assertThat(PemText.read(text)).satisfiesExactly(
                one -> {
                    assertThat(one.label()).isEqualTo("ONE");
                    assertThat(one.line()).isEqualTo(1);
                    assertThat(one.content()).containsExactly(1, 2, 3);
                },
                two -> {
                    assertThat(two.label()).isEqualTo("TWO WORDS");
                    assertThat(two.line()).isEqualTo(6);
                    assertThat(two.content()).containsExactly(1);
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -----BEGIN A-----/AQID                        | 1 | a block without an end
            -----BEGIN A-----/AQID/-----END B-----        | 3 | the end of another block
            -----END A-----                               | 1 | the end of a block
            x/-----BEGIN A----/AQID/-----END A-----       | 2 | a line that begins like a boundary
            -----BEGIN a-----/AQID/-----END a-----        | 1 | a boundary with a label of an unknown form
            -----BEGIN A-----/AQ I/-----END A-----        | 2 | a line that is not base64
            -----BEGIN A-----/AQI/-----END A-----         | 1 | a block that is cut or changed
            -----BEGIN A-----/AQJ=/-----END A-----        | 1 | a block that is cut or changed
            -----BEGIN A-----/A===/-----END A-----        | 1 | a block that is cut or changed
            -----BEGIN A-----/-----END A-----             | 1 | a block that is cut or changed
            -----BEGIN A-----/X: y/AQID/-----END A-----   | 2 | a header line in a block
            """)
    void malformedBlockIsToldWithItsLine(String text, int line, String found) {
        assertThatThrownBy(() -> PemText.read(text.replace('/', '\n'))).isInstanceOfSatisfying(Unusable.class,
                unusable -> {
                    assertThat(unusable.line()).isEqualTo(line);
                    assertThat(unusable.found()).isEqualTo(found);
                });
    }

    @Test
    void textAndNumberOfBlocksAreBounded() {
        assertThatThrownBy(() -> PemText.read("x".repeat(PemText.CHARACTERS_MAX + 1))).isInstanceOf(Unusable.class);
        String block = PemText.write("A", new byte[1]);
        assertThat(PemText.read(block.repeat(PemText.BLOCKS_MAX))).hasSize(PemText.BLOCKS_MAX);
        assertThatThrownBy(() -> PemText.read(block.repeat(PemText.BLOCKS_MAX + 1))).isInstanceOf(Unusable.class);
    }

    @Property
    void whatIsWrittenIsRead(@ForAll @Size(min = 1, max = 500) byte[] content) {
        assertThat(PemText.read(PemText.write("PRIVATE KEY", content))).singleElement()
                .satisfies(block -> assertThat(block.content()).isEqualTo(content));
    }
}

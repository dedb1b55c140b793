package io.servery.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectationTest {
    @Test
    void aWholeExpectationIsRead() {
        Expectation read = Expectation.parse("""
                section: RFC 9112 §6.3
                about: One.
                about: Two.
                answer?: 100
                answer: 400|501 bad_framing|bad_field
                    to: HEAD
                    field: Connection: close
                    lacks: Location
                    body: a\\r\\n
                then: close
                end: half-close
                forbid: <script>
                """);
        assertThat(read.about()).isEqualTo("One. Two.");
        assertThat(read.then()).isEqualTo(Expectation.Then.CLOSE);
        assertThat(read.halfClose()).isTrue();
        assertThat(read.forbidden()).containsExactly("<script>");
        Expectation.Expected answer = read.answers().getLast();
        assertThat(read.answers().getFirst().optional()).isTrue();
        assertThat(answer.statuses()).containsExactly(400, 501);
        assertThat(answer.reasons()).containsExactly("bad_framing", "bad_field");
        assertThat(answer.head()).isTrue();
        assertThat(answer.demands()).hasSize(2);
        assertThat(answer.body()).hasValueSatisfying(body -> assertThat(body).containsExactly('a', '\r', '\n'));
    }

    @Test
    void mistakesNameTheirLine() {
        assertThatThrownBy(() -> Expectation.parse("section: a\nwhat: b")).hasMessageContaining("line 2");
        assertThatThrownBy(() -> Expectation.parse("answer: x")).hasMessageContaining("line 1");
        assertThatThrownBy(() -> Expectation.parse("section: a\nabout: b")).hasMessageContaining("required");
        assertThatThrownBy(() -> Expectation.parse("then: perhaps")).hasMessageContaining("line 1");
    }

    @Test
    void demandsComplain() {
        var answer = new Answer("x".getBytes(StandardCharsets.US_ASCII), 405,
                List.of(new Answer.Field("allow", "GET, HEAD"), new Answer.Field("X", "1")), new byte[0]);
        assertThat(complaint("list: Allow: HEAD, GET", answer)).isFalse();
        assertThat(complaint("list: Allow: PUT", answer)).isTrue();
        assertThat(complaint("field: x: 1", answer)).isFalse();
        assertThat(complaint("field: x: 2", answer)).isTrue();
        assertThat(complaint("like: x: [0-9]", answer)).isFalse();
        assertThat(complaint("like: x: [a-z]", answer)).isTrue();
        assertThat(complaint("has: X", answer)).isFalse();
        assertThat(complaint("has: Y", answer)).isTrue();
        assertThat(complaint("lacks: Y", answer)).isFalse();
        assertThat(complaint("lacks: X", answer)).isTrue();
    }

    private static boolean complaint(String demand, Answer answer) {
        String file = "section: a\nabout: b\nthen: keep\nanswer: 405\n    " + demand + "\n";
        return Expectation.parse(file).answers().getFirst().demands().getFirst().complaint(answer).isPresent();
    }
}

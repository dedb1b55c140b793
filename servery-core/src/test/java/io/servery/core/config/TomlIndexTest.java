package io.servery.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// TOML 1.0 in the order of its specification: what is valid, and what is not.
class TomlIndexTest {
    private static final int NODES_MAX = 1 << 15;

    private static TomlIndex index(String text) {
        TomlIndex index = new TomlIndex(text);
        index.read();
        return index;
    }

    static Stream<String> valid() {
        return Stream.of("", "\n", "# comment", "a = 1 # c\r\nb = 2\r\n", "\t a\t=\t1",
                // Keys
                "a-b_1 = 1", "1 = 2", "\"a b\" = 1", "'a.b' = 1", "\"\" = 1", "a.\"b.c\".d = 1", "a . b = 1",
                "a.b = 1\na.c = 2", "3.14 = \"pi\"",
                // Strings
                "a = \"\\b\\t\\n\\f\\r\\\"\\\\\\u00e9\\U0001F600\"", "a = 'c:\\x'",
                "a = \"\"\"\nx\n\"y\" \\\n   z\"\"\"",
                "a = \"\"\"\"\"\"", "a = \"\"\"x\"\"\"\"\"", "a = '''x'''''", "a = '''\n\\'''",
                "a = \"\"\"\\\r\n  x\"\"\"",
                // Integers, floats, truth, dates
                "a = [+1, -1, 0, +0, 1_000, 0xdead_BEEF, 0o755, 0b11]",
                "a = [9223372036854775807, -9223372036854775808, 0x7fffffffffffffff]",
                "a = [1.0, -0.5, 1e6, 1E-6, 6.6e-3_4, 1_0.0_1, inf, +inf, -inf, nan]", "a = [true, false]",
                "a = [1979-05-27T07:32:00Z, 1979-05-27 07:32:00.5+01:00, 1979-05-27T07:32:00, 1979-05-27, 07:32:00]",
                "a = 1979-05-27 # day",
                // Arrays and inline tables
                "a = []", "a = [ [1], [\"x\", 'y'] ]", "a = [ # c\n 1, # d\n 2,\n]", "a = {}", "a = { b = 1, c.d = 2 }",
                "a = [ { b = 1 }, { b = 2 } ]",
                // Tables
                "[a]\n[a.b]\n[a.b.c]", "[a.b.c]\n[a]\nx = 1", "[a]\nb.c = 1\n[a.d]", "[a]\nb.c = 1\n[a.b.d]",
                "[ a . 'b' ]", "[a.b.c]\n[a]\nb.x = 1", "[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\n[[a.d]]\n[[a]]\n[a.c]",
                "[a]", "[[a]]");
    }

    @ParameterizedTest
    @MethodSource("valid")
    void validDocumentIsAccepted(String text) {
        assertThat(index(text).refusals()).extracting(TomlRefusal::what).isEmpty();
    }

    static Stream<String> invalid() {
        return Stream.of("a", "a =", "= 1", "a = 1 b = 2", "a 1", "a. = 1", ".a = 1", "a..b = 1", "é = 1", "a b = 1",
                "\"a = 1", "\"\"\"a\"\"\" = 1", "a = \n1", "a\n= 1", "# \u0000", "# \u007f", "a = 1\rb = 2", "\r",
                "#\r",
                "a = \"x\ry\"", "a = 'x\ry'", "a = '''x\ry'''", "a = \"\"\"x\ry\"\"\"", "a = \"\"\"x\\\r y\"\"\"",
                // Strings
                "a = \"", "a = '", "a = \"x\n\"", "a = \"\"\"x\"\"", "a = '''x''", "a = \"\\x41\"", "a = \"\\u12\"",
                "a = \"\\ud800\"", "a = \"\\U00110000\"", "a = \"\\e\"", "a = \"\u0001\"", "a = 'x\u001fy'",
                "a = \"\"\"\\ x\"\"\"", "a = \"\"\"x\"\"\"\"\"\"", "a = \"\\u\u0661\u0661\u0661\u0661\"",
                // Numbers
                "a = 01", "a = +01", "a = 1_", "a = _1", "a = 1__0", "a = 0x", "a = +0x1", "a = 0xg", "a = 0o8",
                "a = 1.", "a = .1", "a = 1.e1", "a = 1e", "a = 1_.0", "a = Inf", "a = 0x_1", "a = 1e1_",
                "a = 9223372036854775808", "a = -9223372036854775809", "a = 0x8000000000000000",
                "a = 99999999999999999999999999", "a = True", "a = null", "a = 1979-05-27T07:32", "a = 1979-5-27",
                // Arrays and inline tables
                "a = [", "a = [1", "a = [1 2]", "a = [,]", "a = [1,,2]", "a = {", "a = { b = 1, }", "a = { b = 1\n}",
                "a = { b = 1 c = 2 }", "a = { b }", "a = { b = 1, b = 2 }", "a = { b.c = 1, b = 2 }",
                // Tables
                "[", "[]", "[a", "[a]]", "[[a]", "[[]]", "[a] b = 1", "[a.]", "[a\n]", "[a]\n[a]", "a = 1\n[a]",
                "a.b = 1\n[a]", "[a]\nb = 1\n[a.b]", "a.b.c = 1\n[a.b]", "a.b.c = 1\n[a]", "[a]\nb.c = 1\n[a.b]",
                "a = 1\na = 2", "a = 1\na.b = 2", "a.b = 1\na = 2", "\"a\" = 1\na = 2", "a = {}\na.b = 1",
                "a = {}\n[a.b]", "a = {}\n[a]", "a = { b = {} }\na.b.c = 1", "a = { b = { c = 1 }, b.d = 2 }",
                "a = []\n[[a]]", "a = [{}]\n[[a]]", "a = [{}]\n[a.b]", "a = [{}]\na.b = 1", "[a]\n[[a]]", "[[a]]\n[a]",
                "[a.b]\n[[a]]", "[[a.b]]\n[a]\nb.y = 2", "[a.b.c]\nz = 9\n[a]\nb.c.t = 1", "[a.b]\nx = 1\n[a]\nb.y = 2",
                "a.b = 1\n[[a]]", "[[a]]\n[a.b]\n[[a.b]]");
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void invalidDocumentIsRefused(String text) {
        assertThat(index(text).refusals()).isNotEmpty();
    }

    @Test
    void nameThatIsDefinedTwiceDoesNotHideTheNext() {
        assertThat(index("a = 1\na = 2\nb = 1\nb = 2\n[c]\n[c]\n").refusals())
                .extracting(refusal -> refusal.span().start())
                .containsExactly(6, 18, 29);
    }

    @Test
    void depthIsBounded() {
        assertThat(index("a = " + "[".repeat(1_000_000)).refusals()).hasSize(1);
        assertThat(index("a = " + "{a=".repeat(300_000)).refusals()).hasSize(1);
        assertThat(index("a" + ".a".repeat(300_000) + " = 1").refusals()).hasSize(1);
        assertThat(index("[a" + ".a".repeat(300_000) + "]").refusals()).hasSize(1);
    }

    static Stream<String> manyNodes() {
        int half = NODES_MAX / 2;
        String keys = IntStream.range(0, half).mapToObj(n -> "k" + n + " = 1\n").collect(Collectors.joining());
        return Stream.of("a = [" + "1,".repeat(NODES_MAX - 2) + "]", "[[a]]\n".repeat(NODES_MAX), keys,
                "a = { " + keys.strip().replace("\n", ", ").substring("k0 = 1, ".length()) + "}");
    }

    /// Each a few hundred bytes of the heap for a few of the text.
    @ParameterizedTest
    @MethodSource("manyNodes")
    void namesAndValuesAreBounded(String most) {
        assertThat(index(most).refusals()).isEmpty();
        assertThat(index(most + "\n[z]\nz = 1").refusals()).extracting(TomlRefusal::what)
                .containsExactly("more than " + NODES_MAX + " names and values");
    }

    @Test
    void namesThatAreDefinedAgainAreBoundedToo() {
        assertThat(index("a = 1\n".repeat(NODES_MAX)).refusals()).hasSize(NODES_MAX / 2);
    }

    @Test
    void lengthOfAValueWithoutQuotationMarksIsBounded() {
        assertThat(index("a = " + "1".repeat(1_000_000)).refusals()).hasSize(1);
        assertThat(index("a = 1e" + "9".repeat(1_000_000)).refusals()).hasSize(1);
        assertThat(index("a = 0x" + "f_".repeat(500_000) + "f").refusals()).hasSize(1);
        assertThat(index("a = " + "0".repeat(3) + "1".repeat(400)).refusals()).hasSize(1);
    }

    @Test
    void everyKeyAndValueHasItsPlace() {
        String text = "a.\"b\" = [1, { c = 2 }]\n[t]\nx = '''y'''\n[[u]]\n";
        TomlNode root = index(text).root();
        TomlNode b = root.members.get("a").members.get("b");
        assertThat(piece(text, b.key)).isEqualTo("\"b\"");
        assertThat(piece(text, b.value)).isEqualTo("[1, { c = 2 }]");
        assertThat(b.elements).extracting(node -> piece(text, node.value)).isEqualTo(List.of("1", "{ c = 2 }"));
        assertThat(piece(text, b.elements.get(1).members.get("c").key)).isEqualTo("c");
        assertThat(piece(text, root.members.get("t").key)).isEqualTo("t");
        assertThat(piece(text, root.members.get("t").members.get("x").value)).isEqualTo("'''y'''");
        assertThat(piece(text, root.members.get("u").elements.getFirst().key)).isEqualTo("u");
    }

    private static String piece(String text, Span span) {
        return text.substring(span.start(), span.end());
    }
}

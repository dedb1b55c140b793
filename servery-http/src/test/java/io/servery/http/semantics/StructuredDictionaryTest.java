package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9651 §3.2 and §4.2, in the order of the latter.
class StructuredDictionaryTest {
    private static final long OTHER = StructuredDictionary.OTHER;

    private static Map<String, Long> parsed(String... lines) {
        return StructuredDictionary.parse(List.of(lines));
    }

    // §4.2: all lines are one value; blanks around it are spaces

    @Test
    void linesAreOneValue() {
        assertThat(parsed("a=1", "b=2,c=3")).isEqualTo(Map.of("a", 1L, "b", 2L, "c", 3L));
        assertThat(parsed("  a=1  ")).isEqualTo(Map.of("a", 1L));
        assertThat(parsed("")).isEmpty();
        assertThat(parsed("   ")).isEmpty();
        assertThat(parsed("a=1", "")).isNull();
        assertThat(parsed("\ta=1")).isNull();
        assertThat(parsed("a=1, é=2")).isNull();
    }

    /// §3.2: every reader takes 1024 members and keys of 64 characters; none has to take more.
    @Test
    void noMoreMembersAreReadThanMustBe() {
        String most = IntStream.range(0, 1_024).mapToObj(i -> "k" + i + "=1").collect(Collectors.joining(","));
        assertThat(parsed(most)).hasSize(1_024);
        assertThat(parsed(most, "k7=3")).hasSize(1_024).containsEntry("k7", 3L);
        assertThat(parsed(most, "more=1")).isNull();
        assertThat(parsed("a".repeat(64) + "=1")).isEqualTo(Map.of("a".repeat(64), 1L));
    }

    // §4.2.2

    @Test
    void membersAreSeparatedByCommasWithBlanksAround() {
        assertThat(parsed("a=1 , b=2\t,\tc=3")).isEqualTo(Map.of("a", 1L, "b", 2L, "c", 3L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1,", "a=1, ", ",a=1", "a=1,,b=2", "a=1 b=2", "a=1;b=2 c", "a=", "a =1", "a= 1", "=1",
            "a=1\0", ","})
    void malformedDictionaryIsNone(String text) {
        assertThat(parsed(text)).isNull();
    }

    @Test
    void ofTwoMembersWithOneKeyTheLastCounts() {
        assertThat(parsed("a=1, b=2, a=3")).isEqualTo(Map.of("a", 3L, "b", 2L));
        assertThat(parsed("a=x, a=3")).isEqualTo(Map.of("a", 3L));
        assertThat(parsed("a=3, a")).isEqualTo(Map.of("a", OTHER));
    }

    @Test
    void memberWithoutValueIsTrue() {
        assertThat(parsed("a, b;x=1, c=2")).isEqualTo(Map.of("a", OTHER, "b", OTHER, "c", 2L));
    }

    // §4.2.1.2

    @ParameterizedTest
    @ValueSource(strings = {"a=()", "a=(1 2)", "a=( 1  \"b\";c ?0 );d=1", "a=(1.5)"})
    void innerListIsAValue(String text) {
        assertThat(parsed(text)).isEqualTo(Map.of("a", OTHER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=(", "a=(1", "a=(1,2)", "a=(1\t2)", "a=((1))", "a=(1;)", "a=(1\"b\")", "a=)"})
    void malformedInnerListIsNone(String text) {
        assertThat(parsed(text)).isNull();
    }

    // §4.2.3.2

    @Test
    void parametersAreReadAndDoNotCount() {
        assertThat(parsed("a=1;b;c=2; d=\"x\" , e=4")).isEqualTo(Map.of("a", 1L, "e", 4L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1;", "a=1;B", "a=1 ;b", "a=1;b=", "a=1;b=(1)", "a=1;;b"})
    void malformedParameterMakesNone(String text) {
        assertThat(parsed(text)).isNull();
    }

    // §4.2.3.3

    @Test
    void keysAreOfLowerCaseLetters() {
        assertThat(parsed("sha-256=1, *a_b.c*-9=2")).isEqualTo(Map.of("sha-256", 1L, "*a_b.c*-9", 2L));
        assertThat(parsed("SHA-256=1")).isNull();
        assertThat(parsed("1a=1")).isNull();
        assertThat(parsed("-a=1")).isNull();
        assertThat(parsed("aB=1")).isNull();
    }

    // §4.2.4

    @Test
    void integersHaveUpToFifteenDigits() {
        assertThat(parsed("a=999999999999999, b=-999999999999999, c=007, d=-0")).isEqualTo(
                Map.of("a", 999_999_999_999_999L, "b", -999_999_999_999_999L, "c", 7L, "d", 0L));
        assertThat(parsed("a=1000000000000000")).isNull();
        assertThat(parsed("a=-")).isNull();
        assertThat(parsed("a=--1")).isNull();
        assertThat(parsed("a=+1")).isNull();
    }

    @Test
    void decimalsHaveUpToTwelveAndThreeDigits() {
        assertThat(parsed("a=123456789012.123, b=-0.5")).isEqualTo(Map.of("a", OTHER, "b", OTHER));
        for (String number : List.of("1234567890123.1", "1.1234", "1.", ".5", "1.2.3", "1e5")) {
            assertThat(parsed("a=" + number)).as(number).isNull();
        }
    }

    // §4.2.5 to §4.2.10

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"a, b\"", "\"\\\"\\\\\"", "token", "*a/b:c", "A'", ":YQ==:", ":YQ:", "::",
            ":YWJj:", "?0", "?1", "@1659578233", "@-1", "%\"\"", "%\"a%c3%a4\""})
    void everyOtherTypeIsKnownToBeSound(String value) {
        assertThat(parsed("a=" + value)).isEqualTo(Map.of("a", OTHER));
        assertThat(parsed("a=" + value + ", b=1")).containsEntry("b", 1L);
        assertThat(parsed("a=1;p=" + value + ", b=1")).isEqualTo(Map.of("a", 1L, "b", 1L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"", "\"\\a\"", "\"\\", "\"\t\"", "\"\u00e4\"", ":YQ", ":Y:", ":YQ===:", ":Y-_=:",
            ":YQ==YQ==:", "?", "?2", "?true", "@", "@1.5", "@x", "%", "%a", "%\"", "%\"%C3%A4\"", "%\"%c3\"", "%\"%4\"",
            "%\"%\"", "%\"\t\"", "%\"\u00e4\"", "%\"%ff\"", "{}", "'a'"})
    void malformedValueMakesNone(String value) {
        assertThat(parsed("a=" + value)).isNull();
        assertThat(parsed("a=1;p=" + value)).isNull();
    }
}

package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.servery.http.semantics.ByteRanges.Parts;
import io.servery.http.semantics.ByteRanges.Selection;
import io.servery.http.semantics.ByteRanges.Unsatisfiable;
import io.servery.http.semantics.ByteRanges.Whole;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110 §14.
class ByteRangesTest {
    private static final long SIZE = 10_000;

    // §14.1 Range units

    @Test
    void unitIsCaseInsensitive() {
        assertThat(select("BYTES=0-0")).isEqualTo(parts(0, 0));
        assertThat(select("Bytes=0-0")).isEqualTo(parts(0, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"items=0-5", "none=0-1", "byte=0-1", "bytess=0-1", "seconds=1-2", "x-bytes=0-1"})
    void otherUnitsAreIgnored(String field) {
        assertThat(select(field)).isEqualTo(new Whole());
    }

    // §14.1.1 Range specifiers

    @ParameterizedTest
    @ValueSource(strings = {"", "bytes", "bytes=", "bytes=,", "bytes= ", "=0-1", "bytes 0-1", "bytes:0-1", "bytes =0-1",
            " bytes=0-1", "0-1", "bytes=0", "bytes=-", "bytes=--1", "bytes=0--1", "bytes=a-b", "bytes=0-b", "bytes=a-",
            "bytes=0x0-0x1", "bytes=+0-1", "bytes=0-+1", "bytes=0 -1", "bytes=0- 1", "bytes=- 1", "bytes=0-1 2-3",
            "bytes=0-1;2-3", "bytes=0-1,a", "bytes=0-1,-", "bytes=0-1-2", "bytes=1.0-2", "bytes=0-1/10", "bytes=*",
            "bytes=\"0-1\"", "bytes=0-1,bytes=2-3", "bytes=0-1, bytes=2-3", "bytes==0-1", "bytes=\u0660-\u0661",
            "bytes=0\u20131", "bytes=0-1\u00a0", "bytes=0-1\u0000", "bytes=0-1\n"})
    void malformedFieldIsIgnored(String field) {
        assertThat(select(field)).isEqualTo(new Whole());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=1-0", "bytes=500-499", "bytes=0-1,9-8", "bytes=20000-19999",
            "bytes=99999999999999999999-1"})
    void rangeThatEndsBeforeItStartsMakesTheFieldInvalid(String field) {
        assertThat(select(field)).isEqualTo(new Whole());
    }

    // §14.1.2 Byte ranges, the examples of the RFC for a representation of 10,000 octets

    @ParameterizedTest
    @CsvSource({"bytes=0-499, 0, 499", "bytes=500-999, 500, 999", "bytes=-500, 9500, 9999", "bytes=9500-, 9500, 9999"})
    void exampleWithOneRangeSelectsIt(String field, long first, long last) {
        assertThat(select(field)).isEqualTo(parts(first, last));
    }

    @Test
    void examplesWithSeveralRangesSelectThem() {
        assertThat(select("bytes=0-0,-1")).isEqualTo(parts(0, 0, 9999, 9999));
        assertThat(select("bytes= 0-999, 4500-5499, -1000")).isEqualTo(parts(0, 999, 4500, 5499, 9000, 9999));
        assertThat(select("bytes=500-600,601-999")).isEqualTo(parts(500, 600, 601, 999));
    }

    @Test
    void exampleWithOverlapIsAnsweredWithTheWhole() {
        assertThat(select("bytes=500-700,601-999")).isEqualTo(new Whole());
    }

    @Test
    void endBeyondTheRepresentationIsItsEnd() {
        assertThat(select("bytes=0-")).isEqualTo(parts(0, 9999));
        assertThat(select("bytes=0-9999")).isEqualTo(parts(0, 9999));
        assertThat(select("bytes=0-10000")).isEqualTo(parts(0, 9999));
        assertThat(select("bytes=9999-20000")).isEqualTo(parts(9999, 9999));
    }

    @Test
    void suffixLongerThanTheRepresentationIsAllOfIt() {
        assertThat(select("bytes=-10000")).isEqualTo(parts(0, 9999));
        assertThat(select("bytes=-10001")).isEqualTo(parts(0, 9999));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10000-", "bytes=10000-10001", "bytes=-0", "bytes=-000", "bytes=10000-,-0",
            "bytes=20000-30000, 40000-"})
    void nothingWithinTheRepresentationIsUnsatisfiable(String field) {
        assertThat(select(field)).isEqualTo(new Unsatisfiable());
    }

    @Test
    void unsatisfiableRangesAmongOthersAreDropped() {
        assertThat(select("bytes=0-1,10000-")).isEqualTo(parts(0, 1));
        assertThat(select("bytes=10000-10001,0-1,-0,5-6")).isEqualTo(parts(0, 1, 5, 6));
    }

    @Test
    void emptyRepresentationHasNoRangeFromAPosition() {
        assertThat(ByteRanges.select("bytes=0-", 0)).isEqualTo(new Unsatisfiable());
        assertThat(ByteRanges.select("bytes=0-0", 0)).isEqualTo(new Unsatisfiable());
        assertThat(ByteRanges.select("bytes=-0", 0)).isEqualTo(new Unsatisfiable());
    }

    @Test
    void suffixOfAnEmptyRepresentationIsTheEmptyWhole() {
        assertThat(ByteRanges.select("bytes=-1", 0)).isEqualTo(new Whole());
        assertThat(ByteRanges.select("bytes=0-1,-1", 0)).isEqualTo(new Whole());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-9223372036854775807", "bytes=0-9223372036854775808",
            "bytes=0-18446744073709551616", "bytes=0-99999999999999999999999999999999999999999",
            "bytes=-9223372036854775808", "bytes=-18446744073709551617", "bytes=00000000000000000000000000000000-9999"})
    void numbersOfAnyLengthDoNotOverflow(String field) {
        assertThat(select(field)).isEqualTo(parts(0, 9999));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=9223372036854775807-", "bytes=9223372036854775808-", "bytes=18446744073709551616-",
            "bytes=18446744073709551616-18446744073709551617"})
    void positionsOfAnyLengthDoNotOverflow(String field) {
        assertThat(select(field)).isEqualTo(new Unsatisfiable());
    }

    @Test
    void greatestSizeHasItsLastOctet() {
        assertThat(ByteRanges.select("bytes=-1", Long.MAX_VALUE))
                .isEqualTo(parts(Long.MAX_VALUE - 1, Long.MAX_VALUE - 1));
        assertThat(ByteRanges.select("bytes=0-", Long.MAX_VALUE)).isEqualTo(parts(0, Long.MAX_VALUE - 1));
    }

    @Test
    void positionJustBelowTheGreatestNumberIsExact() {
        assertThat(ByteRanges.select("bytes=9223372036854775806-9223372036854775806", Long.MAX_VALUE))
                .isEqualTo(parts(Long.MAX_VALUE - 1, Long.MAX_VALUE - 1));
        assertThat(ByteRanges.select("bytes=0-9223372036854775805", Long.MAX_VALUE))
                .isEqualTo(parts(0, Long.MAX_VALUE - 2));
    }

    // §14.2 Range, with §17.15: abusive fields

    @Test
    void blanksAndEmptyMembersAreAllowedAroundCommasAlone() {
        assertThat(select("bytes=0-1 ,\t5-6 , ,8-9,")).isEqualTo(parts(0, 1, 5, 6, 8, 9));
        assertThat(select("bytes=,0-1")).isEqualTo(parts(0, 1));
    }

    @Test
    void sixteenRangesAreServedAndOneMoreIsNot() {
        assertThat(select(ascending(16))).isInstanceOf(Parts.class);
        assertThat(select(ascending(17))).isEqualTo(new Whole());
    }

    @Test
    void unsatisfiableRangesCountToo() {
        String beyond = IntStream.range(0, 17).mapToObj(at -> "20000-").collect(Collectors.joining(","));
        assertThat(select("bytes=" + beyond)).isEqualTo(new Whole());
    }

    /// CVE-2011-3192 is this field, longer.
    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-,5-0,5-1,5-2", "bytes=0-,0-,0-", "bytes=0-0,0-0", "bytes=5-6,0-1", "bytes=-1,0-0",
            "bytes=0-5,5-6", "bytes=0-,-1", "bytes=9999-,-1"})
    void rangesThatOverlapOrDoNotAscendAreAnsweredWithTheWhole(String field) {
        assertThat(select(field)).isEqualTo(new Whole());
    }

    // §14.4 Content-Range

    @Test
    void contentRangeNamesThePartAndTheSize() {
        assertThat(new ByteRange(42, 1233).contentRange(1234)).isEqualTo("bytes 42-1233/1234");
        assertThat(new ByteRange(42, 1233).length()).isEqualTo(1192);
        assertThat(ByteRanges.unsatisfied(1234)).isEqualTo("bytes */1234");
    }

    @Test
    void rangeCannotEndBeforeItStarts() {
        assertThatThrownBy(() -> new ByteRange(1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ByteRange(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Property
    void partsAreWithinTheSizeAscendingAndDisjoint(@ForAll("fields") String field,
            @ForAll @LongRange(min = 0, max = 60) long size) {
        if (ByteRanges.select(field, size) instanceof Parts(var ranges)) {
            assertThat(ranges).isNotEmpty().hasSizeLessThanOrEqualTo(ByteRanges.RANGES_MAX);
            long free = 0;
            for (ByteRange range : ranges) {
                assertThat(range.first()).isGreaterThanOrEqualTo(free);
                assertThat(range.last()).isGreaterThanOrEqualTo(range.first()).isLessThan(size);
                free = range.last() + 1;
            }
        }
    }

    @Property
    void oneRangeSelectsWhatArithmeticSays(@ForAll @LongRange(min = 0, max = 100) long first,
            @ForAll @LongRange(min = 0, max = 100) long last, @ForAll @LongRange(min = 1, max = 50) long size) {
        Selection expected = last < first
                ? new Whole()
                : first >= size ? new Unsatisfiable() : parts(first, Math.min(last, size - 1));
        assertThat(ByteRanges.select("bytes=" + first + "-" + last, size)).isEqualTo(expected);
    }

    @Property
    void selectNeverThrows(@ForAll String text, @ForAll @LongRange(min = 0) long size) {
        assertThat(ByteRanges.select(text, size)).isEqualTo(new Whole());
        assertThat(ByteRanges.select("bytes=" + text, size)).isNotNull();
    }

    @Provide
    Arbitrary<String> fields() {
        Arbitrary<String> part = Arbitraries.strings().withChars("0123456789-").ofMaxLength(5);
        Arbitrary<String> pair = Arbitraries.integers().between(0, 70)
                .flatMap(first -> Arbitraries.integers().between(first, 75).map(last -> first + "-" + last));
        return Arbitraries.frequencyOf(Tuple.of(1, part), Tuple.of(6, pair)).list()
                .ofMinSize(1).ofMaxSize(4).map(parts -> "bytes=" + String.join(", ", parts));
    }

    private static Selection select(String field) {
        return ByteRanges.select(field, SIZE);
    }

    private static Parts parts(long... bounds) {
        List<ByteRange> ranges = IntStream.range(0, bounds.length / 2)
                .mapToObj(at -> new ByteRange(bounds[2 * at], bounds[2 * at + 1])).toList();
        assertThat(Arrays.stream(bounds).count()).isEven();
        return new Parts(ranges);
    }

    private static String ascending(int count) {
        return "bytes=" + IntStream.range(0, count).mapToObj(at -> at * 10 + "-" + (at * 10 + 1))
                .collect(Collectors.joining(","));
    }
}

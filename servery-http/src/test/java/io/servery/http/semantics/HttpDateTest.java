package io.servery.http.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110 §5.6.7. The calendar of the JDK is the oracle.
class HttpDateTest {
    private static final long NOW = Instant.parse("2026-06-15T12:00:00Z").getEpochSecond();
    private static final long EXAMPLE = 784_111_777L;
    private static final DateTimeFormatter IMF_FIXDATE = formatter("EEE, dd MMM uuuu HH:mm:ss 'GMT'");
    private static final DateTimeFormatter RFC_850 = formatter("EEEE, dd-MMM-uu HH:mm:ss 'GMT'");
    private static final DateTimeFormatter ASCTIME = formatter("EEE MMM ppd HH:mm:ss uuuu");

    @Test
    void exampleOfTheRfcIsWrittenAsTheRfcWritesIt() {
        assertThat(HttpDate.format(EXAMPLE)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "Sun Nov 06 08:49:37 1994"})
    void allThreeFormatsAreAccepted(String text) {
        assertThat(HttpDate.parse(text, NOW)).isEqualTo(EXAMPLE);
    }

    @Test
    void firstAndLastSecondOfFourDigitYearsAreDates() {
        assertThat(HttpDate.format(HttpDate.EARLIEST)).isEqualTo("Sat, 01 Jan 0000 00:00:00 GMT");
        assertThat(HttpDate.format(HttpDate.LATEST)).isEqualTo("Fri, 31 Dec 9999 23:59:59 GMT");
        assertThat(HttpDate.format(-1)).isEqualTo("Wed, 31 Dec 1969 23:59:59 GMT");
        assertThat(HttpDate.format(0)).isEqualTo("Thu, 01 Jan 1970 00:00:00 GMT");
    }

    @ParameterizedTest
    @ValueSource(longs = {HttpDate.EARLIEST - 1, HttpDate.LATEST + 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void timeWithoutAFourDigitYearCannotBeWritten(long time) {
        assertThat(HttpDate.representable(time)).isFalse();
        assertThatThrownBy(() -> HttpDate.format(time)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sun, 06 Nov 1994 08:49:37 GMT", "SUN, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 NOV 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 gmt",
            "sunday, 06-Nov-94 08:49:37 GMT", "sun Nov  6 08:49:37 1994"})
    void caseMatters(String text) {
        assertThat(HttpDate.parse(text, NOW)).isEqualTo(HttpDate.INVALID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mon, 06 Nov 1994 08:49:37 GMT", "Monday, 06-Nov-94 08:49:37 GMT",
            "Mon Nov  6 08:49:37 1994"})
    void dayNameThatContradictsTheDateIsInvalid(String text) {
        assertThat(HttpDate.parse(text, NOW)).isEqualTo(HttpDate.INVALID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Thu, 29 Feb 2024 00:00:00 GMT", "Tue, 29 Feb 2000 00:00:00 GMT",
            "Wed, 31 Dec 2025 23:59:59 GMT"})
    void lastDaysOfMonthsAreDates(String text) {
        assertThat(HttpDate.format(HttpDate.parse(text, NOW))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Thu, 29 Feb 1900 00:00:00 GMT", "Sun, 29 Feb 2026 00:00:00 GMT",
            "Wed, 30 Feb 2000 00:00:00 GMT", "Fri, 31 Apr 2026 00:00:00 GMT", "Sun, 00 Nov 1994 00:00:00 GMT",
            "Sun, 32 Nov 1994 00:00:00 GMT", "Mon Nov 31 00:00:00 1994"})
    void daysThatAMonthDoesNotHaveAreInvalid(String text) {
        assertThat(HttpDate.parse(text, NOW)).isEqualTo(HttpDate.INVALID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 23:60:00 GMT",
            "Sun, 06 Nov 1994 23:59:61 GMT", "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 22:59:60 GMT",
            "Sun, 06 Nov 1994 08-49-37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 +8:49:37 GMT"})
    void timesOutsideTheDayAreInvalid(String text) {
        assertThat(HttpDate.parse(text, NOW)).isEqualTo(HttpDate.INVALID);
    }

    @Test
    void leapSecondIsTheSecondThatFollows() {
        assertThat(HttpDate.parse("Sat, 31 Dec 2016 23:59:60 GMT", NOW))
                .isEqualTo(HttpDate.parse("Sun, 01 Jan 2017 00:00:00 GMT", NOW));
        assertThat(HttpDate.parse("Fri, 31 Dec 9999 23:59:60 GMT", NOW)).as("a value that can be written")
                .isEqualTo(HttpDate.LATEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ",", "0", "784111777", "Sun", "Sun,", "Sun, ", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GM",
            "Sun,\t06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z", "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06-Nov-94 08:49:37 GMT", "Sunday,06-Nov-94 08:49:37 GMT", "Funday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994", "Sun Nov   6 08:49:37 194", "Sun Nov  6 08:49:37 1994 GMT",
            "Sun Nov  0 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, \u0660\u0666 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "\"Sun, 06 Nov 1994 08:49:37\""})
    void anythingElseIsInvalid(String text) {
        assertThat(HttpDate.parse(text, NOW)).isEqualTo(HttpDate.INVALID);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {"`Sun, 06 Nov 1994 08:49:37 GMT`, 3 4 7 11 16 19 22 25 26 27 28",
            "`Sunday, 06-Nov-94 08:49:37 GMT`, 6 7 10 14 17 20 23 26 27 28 29",
            "`Sun Nov  6 08:49:37 1994`, 3 7 8 10 13 16 19"})
    void everyMarkBetweenThePartsMatters(String text, String columns) {
        assertThat(HttpDate.parse(text, NOW)).isEqualTo(EXAMPLE);
        for (String column : List.of(columns.split(" ", -1))) {
            StringBuilder changed = new StringBuilder(text);
            changed.setCharAt(Integer.parseInt(column), '_');
            assertThat(HttpDate.parse(changed.toString(), NOW)).as(changed.toString()).isEqualTo(HttpDate.INVALID);
        }
    }

    @Test
    void twoDigitYearExactlyFiftyYearsAheadStaysInTheFuture() {
        String ahead = "2076-06-15T12:00:00Z";
        assertThat(HttpDate.parse(rfc850(ahead), NOW)).isEqualTo(Instant.parse(ahead).getEpochSecond());
    }

    @Test
    void twoDigitYearMoreThanFiftyYearsAheadIsTheMostRecentOneInThePast() {
        String past = "1976-06-15T12:00:01Z";
        assertThat(HttpDate.parse(rfc850(past), NOW)).isEqualTo(Instant.parse(past).getEpochSecond());
        assertThat(HttpDate.parse(rfc850("2076-06-15T12:00:01Z"), NOW)).isEqualTo(HttpDate.INVALID);
    }

    @Test
    void twoDigitYearIsReadAcrossTheTurnOfACentury() {
        long endOfCentury = Instant.parse("2099-12-31T23:59:59Z").getEpochSecond();
        String next = "2101-01-03T00:00:00Z";
        assertThat(HttpDate.parse(rfc850(next), endOfCentury)).isEqualTo(Instant.parse(next).getEpochSecond());
    }

    @Property
    void everyTimeIsWrittenAsTheCalendarSays(
            @ForAll @LongRange(min = HttpDate.EARLIEST, max = HttpDate.LATEST) long time) {
        assertThat(HttpDate.format(time)).isEqualTo(IMF_FIXDATE.format(at(time)));
    }

    @Property
    void everyTimeIsReadBackFromImfFixdateAndAsctime(
            @ForAll @LongRange(min = HttpDate.EARLIEST, max = HttpDate.LATEST) long time) {
        assertThat(HttpDate.parse(HttpDate.format(time), NOW)).isEqualTo(time);
        assertThat(HttpDate.parse(ASCTIME.format(at(time)), NOW)).isEqualTo(time);
    }

    @Property
    void everyTimeWithin49YearsIsReadBackFromRfc850(
            @ForAll @LongRange(min = 0, max = 20_000_000_000L) long now,
            @ForAll @LongRange(min = -1_546_000_000L, max = 1_546_000_000L) long distance) {
        assertThat(HttpDate.parse(RFC_850.format(at(now + distance)), now)).isEqualTo(now + distance);
    }

    @Property
    void parseNeverThrows(@ForAll String text, @ForAll long now) {
        long time = HttpDate.parse(text, now);
        assertThat(time == HttpDate.INVALID || HttpDate.representable(time)).isTrue();
    }

    @Property
    void oneChangedCharacterNeverThrowsAndNeverReadsAsTheSameFormatOtherwise(
            @ForAll @LongRange(min = 0, max = 4_000_000_000L) long time, @ForAll char c,
            @ForAll @LongRange(min = 0, max = 28) long position) {
        StringBuilder changed = new StringBuilder(HttpDate.format(time));
        changed.setCharAt((int) position, c);
        long parsed = HttpDate.parse(changed.toString(), NOW);
        if (parsed != HttpDate.INVALID && !changed.toString().contains("23:59:60")) {
            assertThat(HttpDate.format(parsed)).isEqualTo(changed.toString());
        }
    }

    @Test
    void writeFillsItsColumnsAndNoOthers() {
        byte[] target = new byte[HttpDate.LENGTH + 2];
        HttpDate.write(EXAMPLE, target, 1);
        assertThat(new String(target, StandardCharsets.ISO_8859_1))
                .isEqualTo("\0Sun, 06 Nov 1994 08:49:37 GMT\0");
    }

    private static String rfc850(String instant) {
        return RFC_850.format(at(Instant.parse(instant).getEpochSecond()));
    }

    private static LocalDateTime at(long time) {
        return LocalDateTime.ofEpochSecond(time, 0, ZoneOffset.UTC);
    }

    private static DateTimeFormatter formatter(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.US);
    }
}

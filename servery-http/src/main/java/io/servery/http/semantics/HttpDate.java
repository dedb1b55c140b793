package io.servery.http.semantics;

import java.nio.charset.StandardCharsets;

/// The date format of HTTP (RFC 9110 §5.6.7): seconds since 1970 to and from text.
///
/// Writing computes the calendar itself and allocates the text alone; reading accepts the three formats to the letter,
/// case included, and refuses a day name that contradicts its date.
public final class HttpDate {
    /// What `parse` gives for text that is no date; no date that HTTP can write has this value.
    public static final long INVALID = Long.MIN_VALUE;

    /// 0000-01-01T00:00:00Z, the first second with a year of four digits.
    public static final long EARLIEST = -62_167_219_200L;

    /// 9999-12-31T23:59:59Z, the last second with a year of four digits.
    public static final long LATEST = 253_402_300_799L;

    /// The length of every date that `write` writes.
    public static final int LENGTH = 29;

    static final int DAY_SECONDS = 86_400;

    private static final byte[] DAYS = ascii("MonTueWedThuFriSatSun");
    private static final byte[] GMT = ascii(" GMT");
    private static final byte[] MONTHS = ascii("JanFebMarAprMayJunJulAugSepOctNovDec");

    private HttpDate() {
    }

    /// Whether HTTP can write this time at all: a file's time need not have a year of four digits.
    public static boolean representable(long epochSecond) {
        return epochSecond >= EARLIEST && epochSecond <= LATEST;
    }

    /// The time as IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static String format(long epochSecond) {
        byte[] text = new byte[LENGTH];
        write(epochSecond, text, 0);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /// Writes the time as IMF-fixdate, 29 octets from `offset` on, and allocates nothing.
    public static void write(long epochSecond, byte[] target, int offset) {
        if (!representable(epochSecond)) {
            throw new IllegalArgumentException("no HTTP date has the epoch second " + epochSecond);
        }
        long epochDay = Math.floorDiv(epochSecond, DAY_SECONDS);
        int secondOfDay = (int) Math.floorMod(epochSecond, (long) DAY_SECONDS);
        int date = CivilDate.ofEpochDay(epochDay);
        System.arraycopy(DAYS, 3 * CivilDate.dayOfWeek(epochDay), target, offset, 3);
        target[offset + 3] = ',';
        target[offset + 4] = ' ';
        twoDigits(target, offset + 5, CivilDate.day(date));
        target[offset + 7] = ' ';
        System.arraycopy(MONTHS, 3 * (CivilDate.month(date) - 1), target, offset + 8, 3);
        target[offset + 11] = ' ';
        twoDigits(target, offset + 12, CivilDate.year(date) / 100);
        twoDigits(target, offset + 14, CivilDate.year(date) % 100);
        target[offset + 16] = ' ';
        writeTime(secondOfDay, target, offset + 17);
    }

    /// The time that the text names in any of the three formats, or `INVALID`.
    ///
    /// A year of two digits is the latest year with these digits that puts the time at most 50 years after `now`. A leap second
    /// is the second after it, and at the very end, where none follows that could be written, the one before.
    public static long parse(String value, long nowEpochSecond) {
        return Math.min(HttpDateText.parse(value, nowEpochSecond), LATEST);
    }

    private static void writeTime(int secondOfDay, byte[] target, int offset) {
        twoDigits(target, offset, secondOfDay / 3600);
        target[offset + 2] = ':';
        twoDigits(target, offset + 3, secondOfDay / 60 % 60);
        target[offset + 5] = ':';
        twoDigits(target, offset + 6, secondOfDay % 60);
        System.arraycopy(GMT, 0, target, offset + 8, GMT.length);
    }

    private static void twoDigits(byte[] target, int offset, int number) {
        target[offset] = (byte) ('0' + number / 10);
        target[offset + 1] = (byte) ('0' + number % 10);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

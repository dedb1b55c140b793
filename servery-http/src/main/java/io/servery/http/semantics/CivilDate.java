package io.servery.http.semantics;

/// The proleptic Gregorian calendar in integers: days since 1970-01-01 to and from a date packed in one `int`.
///
/// *Invariant*: years 0 to 9999 only; callers check. A day count is split into eras of 400 years, which all have
/// 146,097 days, with the year taken to begin in March so that the leap day is its last.
final class CivilDate {
    private static final int ERA_DAYS = 146_097;
    private static final int EPOCH_FROM_MARCH_OF_YEAR_ZERO = 719_468;

    private CivilDate() {
    }

    static int ofEpochDay(long epochDay) {
        long shifted = epochDay + EPOCH_FROM_MARCH_OF_YEAR_ZERO;
        int era = (int) Math.floorDiv(shifted, (long) ERA_DAYS);
        int dayOfEra = (int) Math.floorMod(shifted, (long) ERA_DAYS);
        int yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int monthFromMarch = (5 * dayOfYear + 2) / 153;
        int day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
        int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        int year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
        return (year << 16) | (month << 8) | day;
    }

    static long toEpochDay(int year, int month, int day) {
        int yearFromMarch = month <= 2 ? year - 1 : year;
        int era = Math.floorDiv(yearFromMarch, 400);
        int yearOfEra = yearFromMarch - era * 400;
        int monthFromMarch = month > 2 ? month - 3 : month + 9;
        int dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1;
        int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return (long) era * ERA_DAYS + dayOfEra - EPOCH_FROM_MARCH_OF_YEAR_ZERO;
    }

    static int year(int date) {
        return date >> 16;
    }

    static int month(int date) {
        return (date >> 8) & 0xff;
    }

    static int day(int date) {
        return date & 0xff;
    }

    /// Monday is 0.
    static int dayOfWeek(long epochDay) {
        return (int) Math.floorMod(epochDay + 3, 7L);
    }

    static int daysOfMonth(int year, int month) {
        return switch (month) {
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }
}

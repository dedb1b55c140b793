package io.servery.http.semantics;

/// The reading half of `HttpDate`: the three formats of RFC 9110 §5.6.7, each at its fixed columns.
///
/// *Not here*: tolerance. What is not exactly one of the formats is `HttpDate.INVALID`.
final class HttpDateText {
    private static final String DAYS = "MonTueWedThuFriSatSun";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final String[] LONG_DAYS = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
            "Sunday"};
    private static final int YEARS_AHEAD_MAX = 50;
    private static final int NONE = -1;

    private HttpDateText() {
    }

    static long parse(String text, long nowEpochSecond) {
        int comma = text.indexOf(',');
        if (comma == 3) {
            return imfFixdate(text);
        }
        return comma < 0 ? asctimeDate(text) : rfc850Date(text, comma, nowEpochSecond);
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static long imfFixdate(String text) {
        if (text.length() != HttpDate.LENGTH || !text.startsWith(", ", 3) || !text.startsWith(" GMT", 25)
                || text.charAt(7) != ' ' || text.charAt(11) != ' ' || text.charAt(16) != ' ') {
            return HttpDate.INVALID;
        }
        return time(index(DAYS, text, 0), fourDigits(text, 12), index(MONTHS, text, 8) + 1, twoDigits(text, 5),
                secondOfDay(text, 17));
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private static long rfc850Date(String text, int comma, long nowEpochSecond) {
        if (text.length() != comma + 24 || !text.startsWith(", ", comma) || !text.startsWith(" GMT", comma + 20)
                || text.charAt(comma + 4) != '-' || text.charAt(comma + 8) != '-' || text.charAt(comma + 11) != ' ') {
            return HttpDate.INVALID;
        }
        int day = twoDigits(text, comma + 2);
        int month = index(MONTHS, text, comma + 5) + 1;
        int secondOfDay = secondOfDay(text, comma + 12);
        int twoDigitYear = twoDigits(text, comma + 9);
        if (day == NONE || month == 0 || secondOfDay == NONE || twoDigitYear == NONE) {
            return HttpDate.INVALID;
        }
        int year = fullYear(twoDigitYear, secondOfYear(month, day, secondOfDay), nowEpochSecond);
        return time(longDay(text, comma), year, month, day, secondOfDay);
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static long asctimeDate(String text) {
        if (text.length() != 24 || text.charAt(3) != ' ' || text.charAt(7) != ' ' || text.charAt(10) != ' '
                || text.charAt(19) != ' ') {
            return HttpDate.INVALID;
        }
        int day = text.charAt(8) == ' ' ? digit(text, 9) : twoDigits(text, 8);
        return time(index(DAYS, text, 0), fourDigits(text, 20), index(MONTHS, text, 4) + 1, day,
                secondOfDay(text, 11));
    }

    /// The latest year that ends in these digits and is not more than 50 years ahead of now.
    private static int fullYear(int twoDigitYear, int secondOfYear, long nowEpochSecond) {
        long bounded = Math.clamp(nowEpochSecond, HttpDate.EARLIEST, HttpDate.LATEST);
        int today = CivilDate.ofEpochDay(Math.floorDiv(bounded, HttpDate.DAY_SECONDS));
        int nowOfYear = secondOfYear(CivilDate.month(today), CivilDate.day(today),
                (int) Math.floorMod(bounded, (long) HttpDate.DAY_SECONDS));
        int latest = CivilDate.year(today) + YEARS_AHEAD_MAX - (secondOfYear > nowOfYear ? 1 : 0);
        return latest - Math.floorMod(latest - twoDigitYear, 100);
    }

    /// A number that orders moments within a year; it is no count of seconds.
    private static int secondOfYear(int month, int day, int secondOfDay) {
        return (month * 32 + day) * (HttpDate.DAY_SECONDS + 1) + secondOfDay;
    }

    private static long time(int dayOfWeek, int year, int month, int day, int secondOfDay) {
        if (dayOfWeek == NONE || year < 0 || year > 9999 || month == 0 || secondOfDay == NONE || day < 1
                || day > CivilDate.daysOfMonth(year, month)) {
            return HttpDate.INVALID;
        }
        long epochDay = CivilDate.toEpochDay(year, month, day);
        boolean contradicts = CivilDate.dayOfWeek(epochDay) != dayOfWeek;
        return contradicts ? HttpDate.INVALID : epochDay * HttpDate.DAY_SECONDS + secondOfDay;
    }

    /// `00:00:00` to `23:59:59`, and `23:59:60`, which is the second that follows.
    private static int secondOfDay(String text, int from) {
        if (text.charAt(from + 2) != ':' || text.charAt(from + 5) != ':') {
            return NONE;
        }
        int hour = twoDigits(text, from);
        int minute = twoDigits(text, from + 3);
        int second = twoDigits(text, from + 6);
        boolean leap = hour == 23 && minute == 59 && second == 60;
        if (hour == NONE || minute == NONE || second == NONE || hour > 23 || minute > 59 || (second > 59 && !leap)) {
            return NONE;
        }
        return hour * 3600 + minute * 60 + second;
    }

    private static int index(String names, String text, int from) {
        for (int at = 0; at < names.length(); at += 3) {
            if (text.regionMatches(from, names, at, 3)) {
                return at / 3;
            }
        }
        return NONE;
    }

    private static int longDay(String text, int comma) {
        for (int at = 0; at < LONG_DAYS.length; at++) {
            if (LONG_DAYS[at].length() == comma && text.startsWith(LONG_DAYS[at])) {
                return at;
            }
        }
        return NONE;
    }

    private static int fourDigits(String text, int from) {
        int century = twoDigits(text, from);
        int rest = twoDigits(text, from + 2);
        return century == NONE || rest == NONE ? NONE : century * 100 + rest;
    }

    private static int twoDigits(String text, int from) {
        int tens = digit(text, from);
        int ones = digit(text, from + 1);
        return tens == NONE || ones == NONE ? NONE : tens * 10 + ones;
    }

    private static int digit(String text, int at) {
        char c = text.charAt(at);
        return c >= '0' && c <= '9' ? c - '0' : NONE;
    }
}

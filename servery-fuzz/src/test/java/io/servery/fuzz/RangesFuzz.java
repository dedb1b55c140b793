package io.servery.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.servery.http.semantics.ByteRange;
import io.servery.http.semantics.ByteRanges;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Any text as a Range field, on representations of sizes that matter (RFC 9110 §14).
class RangesFuzz {
    private static final long[] SIZES = {0, 1, 2, 10, 1000, Long.MAX_VALUE};
    /// No file is longer: two numbers beyond it are not compared with each other.
    private static final BigInteger GREATEST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final Pattern RANGE = Pattern.compile("([0-9]*)-([0-9]*)");

    @FuzzTest
    void ranges(byte[] bytes) {
        String field = new String(bytes, ISO_8859_1);
        for (long size : SIZES) {
            ByteRanges.Selection found = Cost.within(100_000 + 1000L * bytes.length,
                    () -> ByteRanges.select(field, size));
            judge(found, size);
            Invariant.same(expected(field, size), describe(found), () -> "ranges " + field + " of " + size);
        }
    }

    private static void judge(ByteRanges.Selection found, long size) {
        if (!(found instanceof ByteRanges.Parts parts)) {
            return;
        }
        long after = 0;
        for (ByteRange range : parts.ranges()) {
            Invariant.holds(range.first() >= after && range.last() < size, () -> "not ascending or outside: " + parts);
            after = range.last() + 1;
        }
        Invariant.holds(!parts.ranges().isEmpty() && parts.ranges().size() <= ByteRanges.RANGES_MAX,
                () -> "number of parts: " + parts);
    }

    private static String describe(ByteRanges.Selection selection) {
        return switch (selection) {
            case ByteRanges.Whole _ -> "whole";
            case ByteRanges.Unsatisfiable _ -> "unsatisfiable";
            case ByteRanges.Parts parts -> parts.ranges().toString();
        };
    }

    /// The same by regular expressions and numbers without a limit.
    private static String expected(String field, long size) {
        if (!field.regionMatches(true, 0, "bytes=", 0, 6)) {
            return "whole";
        }
        List<ByteRange> parts = new ArrayList<>();
        int count = 0;
        BigInteger length = BigInteger.valueOf(size);
        for (String member : field.substring(6).split(",", -1)) {
            String text = member.replaceAll("^[ \\t]+|[ \\t]+$", "");
            if (text.isEmpty()) {
                continue;
            }
            Matcher range = RANGE.matcher(text);
            if (++count > ByteRanges.RANGES_MAX || !range.matches() || text.equals("-")) {
                return "whole";
            }
            if (!add(parts, range.group(1), range.group(2), length)) {
                return "whole";
            }
        }
        if (count == 0 || !ascending(parts)) {
            return "whole";
        }
        return parts.isEmpty() ? "unsatisfiable" : parts.toString();
    }

    private static boolean add(List<ByteRange> parts, String first, String last, BigInteger size) {
        BigInteger end = size.subtract(BigInteger.ONE);
        if (first.isEmpty()) {
            BigInteger suffix = new BigInteger(last);
            if (suffix.signum() > 0 && size.signum() == 0) {
                return false;
            }
            if (suffix.signum() > 0) {
                add(parts, size.subtract(suffix.min(size)), end);
            }
            return true;
        }
        BigInteger from = new BigInteger(first).min(GREATEST);
        BigInteger to = last.isEmpty() ? GREATEST : new BigInteger(last).min(GREATEST);
        if (to.compareTo(from) < 0) {
            return false;
        }
        if (from.compareTo(size) < 0) {
            add(parts, from, to.min(end));
        }
        return true;
    }

    private static void add(List<ByteRange> parts, BigInteger first, BigInteger last) {
        parts.add(new ByteRange(first.longValueExact(), last.longValueExact()));
    }

    private static boolean ascending(List<ByteRange> parts) {
        for (int i = 1; i < parts.size(); i++) {
            if (parts.get(i).first() <= parts.get(i - 1).last()) {
                return false;
            }
        }
        return true;
    }
}

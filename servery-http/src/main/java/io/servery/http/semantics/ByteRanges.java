package io.servery.http.semantics;

import java.util.ArrayList;
import java.util.List;

/// What a Range field selects of a representation (RFC 9110 §14.1 and §14.2).
///
/// A field that is malformed, of another unit, or abusive is ignored, as §14.2 allows: the whole is sent. Abusive is more
/// than 16 ranges, or satisfiable ones that overlap or do not ascend.
public final class ByteRanges {
    /// How many ranges one field may name.
    public static final int RANGES_MAX = 16;

    private static final String UNIT = "bytes=";
    private static final int MALFORMED = -1;

    /// What is to be sent.
    public sealed interface Selection {
    }

    /// All of it with 200, as if there were no Range field.
    public record Whole() implements Selection {
        static final Whole INSTANCE = new Whole();
    }

    /// Nothing: 416 with `Content-Range` as `unsatisfied` gives it.
    public record Unsatisfiable() implements Selection {
        static final Unsatisfiable INSTANCE = new Unsatisfiable();
    }

    /// These parts with 206.
    ///
    /// *Invariant*: at least one and at most 16, ascending, disjoint, each within the representation.
    public record Parts(List<ByteRange> ranges) implements Selection {
        public Parts {
            ranges = List.copyOf(ranges);
        }
    }

    private final String field;
    private final long size;
    private final List<ByteRange> satisfiable = new ArrayList<>(1);
    private int at = UNIT.length();
    private int count;

    private ByteRanges(String field, long size) {
        this.field = field;
        this.size = size;
    }

    /// What the one Range line of a GET or QUERY selects of a representation of `size` octets.
    ///
    /// Blanks may stand around each comma and, as in an example of §14.1.2, after the `=`.
    public static Selection select(String rangeField, long size) {
        if (!rangeField.regionMatches(true, 0, UNIT, 0, UNIT.length())) {
            return Whole.INSTANCE;
        }
        return new ByteRanges(rangeField, size).select();
    }

    /// The value of Content-Range in a 416 (RFC 9110 §15.5.17).
    public static String unsatisfied(long size) {
        return "bytes */" + size;
    }

    private Selection select() {
        for (at = FieldSyntax.nextMember(field, at); at < field.length(); at = FieldSyntax.nextMember(field, at)) {
            if (++count > RANGES_MAX || !readRange() || !FieldSyntax.endsMember(field, at)) {
                return Whole.INSTANCE;
            }
        }
        if (count == 0 || !ascending()) {
            return Whole.INSTANCE;
        }
        return satisfiable.isEmpty() ? Unsatisfiable.INSTANCE : new Parts(satisfiable);
    }

    /// Reads one range and keeps it when it is satisfiable; false when it is malformed.
    private boolean readRange() {
        return field.charAt(at) == '-' ? readSuffix() : readFromTo();
    }

    private boolean readFromTo() {
        long first = readNumber();
        if (first == MALFORMED || at == field.length() || field.charAt(at) != '-') {
            return false;
        }
        at++;
        boolean open = at == field.length() || field.charAt(at) < '0' || field.charAt(at) > '9';
        long last = open ? Long.MAX_VALUE : readNumber();
        if (last < first) {
            return false;
        }
        if (first < size) {
            satisfiable.add(new ByteRange(first, Math.min(last, size - 1)));
        }
        return true;
    }

    private boolean readSuffix() {
        at++;
        long length = readNumber();
        if (length == MALFORMED) {
            return false;
        }
        if (length > 0 && size == 0) {
            // Satisfiable by §14.1.2, yet no Content-Range can say "none of none": the empty whole is the same octets.
            return false;
        }
        if (length > 0) {
            satisfiable.add(new ByteRange(Math.max(0, size - length), size - 1));
        }
        return true;
    }

    /// The number here; one too long for a `long` is as good as the greatest.
    private long readNumber() {
        int from = at;
        long number = 0;
        while (at < field.length() && field.charAt(at) >= '0' && field.charAt(at) <= '9') {
            int digit = field.charAt(at++) - '0';
            number = number > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : number * 10 + digit;
        }
        return at == from ? MALFORMED : number;
    }

    private boolean ascending() {
        for (int next = 1; next < satisfiable.size(); next++) {
            if (satisfiable.get(next).first() <= satisfiable.get(next - 1).last()) {
                return false;
            }
        }
        return true;
    }
}

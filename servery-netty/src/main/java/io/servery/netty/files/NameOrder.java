package io.servery.netty.files;

import java.util.Comparator;

/// The order in which people look for names: without regard to case, and `part 9` before `part 10`.
///
/// *Invariant*: equal names alone compare as equal, so that a directory is cut into the same pages at every request.
final class NameOrder implements Comparator<String> {
    static final NameOrder INSTANCE = new NameOrder();

    private NameOrder() {
    }

    @Override
    public int compare(String left, String right) {
        int i = 0;
        int j = 0;
        while (i < left.length() && j < right.length()) {
            int iEnd = digitsEnd(left, i);
            int jEnd = digitsEnd(right, j);
            boolean numbers = iEnd > i && jEnd > j;
            int order = numbers
                    ? number(left, i, iEnd).compare(number(right, j, jEnd))
                    : Character.compare(fold(left.charAt(i)), fold(right.charAt(j)));
            if (order != 0) {
                return order;
            }
            i = numbers ? iEnd : i + 1;
            j = numbers ? jEnd : j + 1;
        }
        int rest = Boolean.compare(i < left.length(), j < right.length());
        return rest != 0 ? rest : left.compareTo(right);
    }

    private record Digits(String text, int from, int end) {
        /// By value, of whatever length: no number is made of them.
        int compare(Digits other) {
            int byLength = Integer.compare(end - from, other.end - other.from);
            for (int at = 0; byLength == 0 && at < end - from; at++) {
                int order = Character.compare(text.charAt(from + at), other.text.charAt(other.from + at));
                if (order != 0) {
                    return order;
                }
            }
            return byLength;
        }
    }

    private static Digits number(String text, int from, int end) {
        int first = from;
        while (first < end - 1 && text.charAt(first) == '0') {
            first++;
        }
        return new Digits(text, first, end);
    }

    private static int digitsEnd(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }

    private static char fold(char c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }
}

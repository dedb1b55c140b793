package io.servery.core.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// The known name that somebody most likely meant.
final class Suggestion {
    /// Longer names are nobody's typing error.
    private static final int LENGTH_MAX = 80;

    private Suggestion() {
    }

    /// The nearest of the known names, when it is near: a third of it may differ.
    static Optional<String> nearest(String name, Collection<String> known) {
        if (name.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        String plain = name.toLowerCase(Locale.ROOT).replace('-', '_');
        Optional<String> near = known.stream().filter(candidate -> distance(plain, candidate) <= allowed(candidate))
                .min(Comparator.comparingInt((String candidate) -> distance(plain, candidate))
                        .thenComparing(Comparator.naturalOrder()));
        return near.isPresent() ? near : elsewhere(plain, known);
    }

    /// The same last segment in another table: a right key in a wrong place.
    private static Optional<String> elsewhere(String plain, Collection<String> known) {
        String last = plain.substring(plain.lastIndexOf('.') + 1);
        return last.isEmpty()
                ? Optional.empty()
                : known.stream().filter(candidate -> candidate.endsWith("." + last)).min(Comparator.naturalOrder());
    }

    private static int allowed(String candidate) {
        return Math.clamp(candidate.length() / 3, 1, 4);
    }

    /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    static int distance(String left, String right) {
        if (Math.abs(left.length() - right.length()) > LENGTH_MAX) {
            return Integer.MAX_VALUE;
        }
        int[] beforeLast = new int[right.length() + 1];
        int[] last = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int[] row = new int[right.length() + 1];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                boolean same = left.charAt(i - 1) == right.charAt(j - 1);
                row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + (same ? 0 : 1));
                if (i > 1 && j > 1 && left.charAt(i - 1) == right.charAt(j - 2)
                        && left.charAt(i - 2) == right.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = last;
            last = row;
        }
        return last[right.length()];
    }
}

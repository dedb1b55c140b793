package io.servery.core.config;

import io.servery.core.fault.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A text with a name, and the places in it.
final class SourceText {
    /// Longer lines are cut around the place, in code points.
    private static final int EXCERPT_WIDTH_MAX = 120;
    private static final int EXCERPT_BEFORE = 60;
    private static final String REDACTED = "<redacted>";

    private final String name;
    private final String text;
    private final int[] lineStarts;
    private final List<Span> secrets = new ArrayList<>();
    private boolean excerptsWithheld;

    SourceText(String name, String text) {
        this.name = name;
        this.text = text;
        this.lineStarts = lineStarts(text);
    }

    private static int[] lineStarts(String text) {
        int[] starts = new int[(int) text.chars().filter(c -> c == '\n').count() + 1];
        int line = 1;
        for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
            starts[line++] = at + 1;
        }
        return starts;
    }

    String name() {
        return name;
    }

    String text() {
        return text;
    }

    /// A piece that no excerpt may show.
    void redact(Span span) {
        secrets.add(span);
    }

    /// No excerpt at all from here on: what is secret cannot be told from what is not.
    void withholdExcerpts() {
        excerptsWithheld = true;
    }

    int line(int offset) {
        int found = Arrays.binarySearch(lineStarts, offset);
        return found >= 0 ? found + 1 : -found - 1;
    }

    Place place(Span span) {
        int line = line(span.start());
        int start = lineStarts[line - 1];
        int column = text.codePointCount(start, span.start()) + 1;
        Optional<Place.Excerpt> excerpt = excerptsWithheld ? Optional.empty() : Optional.of(excerpt(span, start));
        return new Place.InText(name, line, column, excerpt);
    }

    private Place.Excerpt excerpt(Span span, int lineStart) {
        int newline = text.indexOf('\n', lineStart);
        int lineEnd = newline < 0 ? text.length() : newline;
        if (lineEnd > lineStart && text.charAt(lineEnd - 1) == '\r') {
            lineEnd--;
        }
        int from = back(span.start(), lineStart);
        int to = forward(from, lineEnd);
        StringBuilder shown = new StringBuilder(from > lineStart ? "…" : "");
        int caretFrom = -1;
        int caretTo = -1;
        int at = from;
        while (at < to) {
            if (at >= span.start() && caretFrom < 0) {
                caretFrom = length(shown);
            }
            if (at >= span.end() && caretTo < 0) {
                caretTo = length(shown);
            }
            at = append(at, to, shown);
        }
        int length = length(shown);
        int first = caretFrom < 0 ? length : caretFrom;
        int last = caretTo < 0 ? length : caretTo;
        shown.append(to < lineEnd ? "…" : "");
        return new Place.Excerpt(shown.toString(), first + 1, Math.max(1, last - first));
    }

    private int back(int offset, int lineStart) {
        int from = offset;
        for (int n = 0; n < EXCERPT_BEFORE && from > lineStart; n++) {
            from = text.offsetByCodePoints(from, -1);
        }
        return insideSecret(from).map(Span::start).map(start -> Math.max(start, lineStart)).orElse(from);
    }

    private int forward(int from, int lineEnd) {
        int to = from;
        for (int n = 0; n < EXCERPT_WIDTH_MAX && to < lineEnd; n++) {
            to = text.offsetByCodePoints(to, 1);
        }
        return Math.min(to, lineEnd);
    }

    private int append(int at, int to, StringBuilder shown) {
        Optional<Span> secret = insideSecret(at);
        if (secret.isPresent()) {
            shown.append(REDACTED);
            return Math.min(to, secret.get().end());
        }
        int codePoint = text.codePointAt(at);
        shown.appendCodePoint(Printable.isPrintable(codePoint) ? codePoint : codePoint == '\t' ? ' ' : '\uFFFD');
        return at + Character.charCount(codePoint);
    }

    private Optional<Span> insideSecret(int offset) {
        return secrets.stream().filter(span -> offset >= span.start() && offset < span.end()).findFirst();
    }

    private static int length(StringBuilder shown) {
        return shown.codePointCount(0, shown.length());
    }
}

package io.servery.core.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// One TOML value in the one way in which [ValueType#write] writes it: basic strings, decimal numbers, truth values,
/// arrays and inline tables with quoted names.
///
/// For texts that this build wrote itself: read in one pass, without an index of places.
final class PlainToml {
    private static final int DEPTH_MAX = 4;
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,18})");
    private static final Pattern DECIMAL = Pattern.compile("-?(0|[1-9][0-9]{0,18})\\.[0-9]{1,19}(E-?[0-9]{1,3})?");

    private final String text;
    private final Where where;
    private int at;

    private PlainToml(String text, Where where) {
        this.text = text;
        this.where = where;
    }

    /// The value, or empty when the text is anything else.
    static Optional<Raw> read(String text, Where where) {
        try {
            PlainToml toml = new PlainToml(text, where);
            Raw value = toml.value(0);
            return toml.at == text.length() ? Optional.of(value) : Optional.empty();
        } catch (Unwritten _) {
            return Optional.empty();
        }
    }

    private Raw value(int depth) {
        if (depth > DEPTH_MAX || at == text.length()) {
            throw new Unwritten();
        }
        return switch (text.charAt(at)) {
            case '"' -> new Raw.Scalar(string(), where);
            case '[' -> array(depth);
            case '{' -> table(depth);
            default -> new Raw.Scalar(word(), where);
        };
    }

    private Raw array(int depth) {
        List<Raw> elements = new ArrayList<>();
        expect("[");
        if (!skip("]")) {
            do {
                elements.add(value(depth + 1));
            } while (skip(", "));
            expect("]");
        }
        return new Raw.Sequence(List.copyOf(elements), where);
    }

    private Raw table(int depth) {
        Map<String, Raw.Entry> entries = new LinkedHashMap<>();
        expect("{");
        if (!skip("}")) {
            expect(" ");
            do {
                String name = string();
                expect(" = ");
                if (entries.put(name, new Raw.Entry(where, value(depth + 1))) != null) {
                    throw new Unwritten();
                }
            } while (skip(", "));
            expect(" }");
        }
        return new Raw.Table(entries, where, false);
    }

    /// Where the text is as it is written, it is kept as it is.
    private String string() {
        expect("\"");
        int from = at;
        StringBuilder unescaped = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            if (text.charAt(at) == '\\') {
                unescaped.append(text, from, at);
                escape(unescaped);
                from = at;
            } else {
                at++;
            }
        }
        unescaped.append(text, from, at);
        expect("\"");
        return unescaped.toString();
    }

    private void escape(StringBuilder unescaped) {
        expect("\\");
        char kind = at < text.length() ? text.charAt(at++) : '\0';
        switch (kind) {
            case '"', '\\' -> unescaped.append(kind);
            case 'n' -> unescaped.append('\n');
            case 't' -> unescaped.append('\t');
            case 'u' -> unescaped.appendCodePoint(codePoint(4));
            case 'U' -> unescaped.appendCodePoint(codePoint(8));
            default -> throw new Unwritten();
        }
    }

    private int codePoint(int digits) {
        if (text.length() - at < digits) {
            throw new Unwritten();
        }
        int codePoint = 0;
        for (int n = 0; n < digits; n++) {
            int digit = Character.digit(text.charAt(at++), 16);
            if (digit < 0) {
                throw new Unwritten();
            }
            codePoint = codePoint << 4 | digit;
        }
        boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        if (surrogate || !Character.isValidCodePoint(codePoint)) {
            throw new Unwritten();
        }
        return codePoint;
    }

    private Object word() {
        int from = at;
        while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            default -> number(word);
        };
    }

    private static Object number(String word) {
        try {
            if (INTEGER.matcher(word).matches()) {
                return Long.valueOf(word);
            }
        } catch (NumberFormatException _) {
            throw new Unwritten();
        }
        if (DECIMAL.matcher(word).matches()) {
            return Double.valueOf(word);
        }
        throw new Unwritten();
    }

    private boolean skip(String expected) {
        boolean there = text.startsWith(expected, at);
        at += there ? expected.length() : 0;
        return there;
    }

    private void expect(String expected) {
        if (!skip(expected)) {
            throw new Unwritten();
        }
    }

    /// The text is none of ours.
    private static final class Unwritten extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unwritten() {
            super(null, null, false, false);
        }
    }
}

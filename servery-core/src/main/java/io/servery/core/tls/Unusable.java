package io.servery.core.tls;

import java.util.Optional;

/// What a file holds cannot be used: what was found, what was expected, how to mend it.
///
/// An exception because it leaves nested decoding; it never leaves this package.
final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// In place of a line: it is about the file as a whole.
    static final int NO_LINE = 0;

    private final int line;
    private final String expected;
    private final transient Optional<String> hint;

    Unusable(int line, String found, String expected) {
        this(line, found, expected, Optional.empty());
    }

    Unusable(int line, String found, String expected, String hint) {
        this(line, found, expected, Optional.of(hint));
    }

    private Unusable(int line, String found, String expected, Optional<String> hint) {
        super(found, null, false, false);
        this.line = line;
        this.expected = expected;
        this.hint = hint;
    }

    /// The same with its place, where it has none of its own.
    Unusable at(int place) {
        return line == NO_LINE ? new Unusable(place, found(), expected, hint) : this;
    }

    int line() {
        return line;
    }

    String found() {
        return String.valueOf(getMessage());
    }

    String expected() {
        return expected;
    }

    /// For people: what was found, what was expected.
    String sentence() {
        return "found " + found() + "; expected " + expected;
    }

    Optional<String> hint() {
        return hint;
    }
}

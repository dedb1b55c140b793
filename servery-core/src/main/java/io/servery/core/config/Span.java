package io.servery.core.config;

/// A piece of a text, as UTF-16 offsets: `end` is the first after it.
record Span(int start, int end) {

    boolean overlaps(Span other) {
        return start < other.end && other.start < end;
    }
}

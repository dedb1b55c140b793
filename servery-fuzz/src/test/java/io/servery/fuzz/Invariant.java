package io.servery.fuzz;

import java.util.function.Supplier;

/// Fails a harness without the cost of an assertion library on every input.
final class Invariant {
    private Invariant() {
    }

    static void holds(boolean condition, Supplier<String> otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise.get());
        }
    }

    static void same(Object expected, Object found, Supplier<String> of) {
        if (!expected.equals(found)) {
            throw new AssertionError(of.get() + ": found " + found + "; expected " + expected);
        }
    }
}

package io.servery.fuzz;

import io.servery.netty.thread.Scheduling;
import java.util.function.Supplier;

/// Fails a harness without the cost of an assertion library on every input.
///
/// A thread that looks for hostile bytes comes by here first, and gives way from then on: the build tests whole services beside it.
final class Invariant {
    static {
        Scheduling.giveWay(Scheduling.HOUSEKEEPING);
    }

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

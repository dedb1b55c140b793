package io.servery.core.metric;

import java.util.Arrays;
import java.util.List;

/// The upper bounds of `servery_request_duration_seconds`, inclusive; one more bucket takes what is longer.
final class DurationBuckets {
    private static final double[] SECONDS = {.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30};
    private static final long[] NANOS = nanos();

    /// How many buckets there are, the unbounded one included.
    static final int TOTAL = SECONDS.length + 1;

    private DurationBuckets() {
    }

    /// The bounds in seconds, without the unbounded one.
    static List<Double> seconds() {
        return Arrays.stream(SECONDS).boxed().toList();
    }

    /// The bucket of a duration. Linear, because most requests end in the first few.
    static int of(long durationNanos) {
        int bucket = 0;
        while (bucket < NANOS.length && durationNanos > NANOS[bucket]) {
            bucket++;
        }
        return bucket;
    }

    private static long[] nanos() {
        long[] nanos = new long[SECONDS.length];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = Math.round(SECONDS[i] * 1e9);
        }
        return nanos;
    }
}

package io.servery.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/// Bounds what a piece of work costs its thread: bytes allocated and processor time, which other processes cannot distort.
///
/// Work past its bound is done twice more before it fails: the first time that a class is used, loading and
/// instrumenting it is on this thread too.
final class Cost {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long NANOS_MAX = 2_000_000_000L;
    private static final int TRIES = 3;

    private Cost() {
    }

    /// What the work gives, which is the same however often it is done.
    static <T> T within(long bytesMax, Supplier<T> work) {
        long bytes = 0;
        long nanos = 0;
        for (int i = 0; i < TRIES; i++) {
            long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
            long nanosBefore = THREADS.getCurrentThreadCpuTime();
            T result = work.get();
            nanos = THREADS.getCurrentThreadCpuTime() - nanosBefore;
            bytes = THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
            if (bytes <= bytesMax && nanos <= NANOS_MAX) {
                return result;
            }
        }
        throw new AssertionError("cost: found " + bytes + " bytes and " + nanos + " ns; expected at most " + bytesMax
                + " bytes and " + NANOS_MAX + " ns");
    }
}

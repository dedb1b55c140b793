package io.servery.netty.files;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// Clocks that a test moves on.
final class FakeTime implements TimeSource {
    private static final long NANOS_A_MILLI = 1_000_000;

    private final AtomicLong nanos = new AtomicLong(System.currentTimeMillis() * NANOS_A_MILLI);

    void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    @Override
    public long epochMillis() {
        return nanos.get() / NANOS_A_MILLI;
    }

    @Override
    public long nanos() {
        return nanos.get();
    }
}

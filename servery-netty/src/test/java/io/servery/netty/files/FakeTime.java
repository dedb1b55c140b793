package io.servery.netty.files;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// Clocks that a test moves on.
final class FakeTime implements TimeSource {
    private final AtomicLong millis = new AtomicLong(System.currentTimeMillis());

    void advance(Duration by) {
        millis.addAndGet(by.toMillis());
    }

    @Override
    public long epochMillis() {
        return millis.get();
    }

    @Override
    public long nanos() {
        return millis.get() * 1_000_000;
    }
}

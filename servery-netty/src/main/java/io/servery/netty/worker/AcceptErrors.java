package io.servery.netty.worker;

import io.servery.core.config.Logging;
import io.servery.netty.observe.Event;
import io.servery.netty.observe.Events;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Reports connections that could not be accepted, at most one event in ten seconds: each is counted in the metrics.
final class AcceptErrors {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Events events;
    private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());

    AcceptErrors(Events events) {
        this.events = events;
    }

    void report(Throwable cause) {
        long now = System.nanoTime();
        long next = nextNanos.get();
        if (now - next >= 0 && nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
            events.emit(Event.of(Logging.Level.WARN, "admission.rejected").with("reason", "descriptor_capacity")
                    .with("error_class", cause.getClass().getSimpleName())
                    .with("message", String.valueOf(cause.getMessage())));
        }
    }
}

package io.servery.netty.drain;

import io.servery.core.config.Logging;
import io.servery.netty.observe.Event;
import io.servery.netty.observe.Events;
import java.time.Duration;
import java.util.Locale;

/// What a drain says of itself.
public record DrainEvents(Events events) {
    /// It begins.
    public void started(Duration timeout) {
        events.emit(Event.of(Logging.Level.INFO, "drain.started").with("deadline_ms", timeout.toMillis()));
    }

    /// It is over.
    public void ended(DrainReport report) {
        report.forced().forEach((kind, count) -> events.emit(Event.of(Logging.Level.WARN, "drain.forced")
                .with("work_class", kind.name().toLowerCase(Locale.ROOT)).with("reason", "deadline_http1")
                .with("count", count)));
        events.emit(Event.of(Logging.Level.INFO, "drain.completed").with("duration_ms", report.durationMillis())
                .with("complete", report.complete()));
    }
}

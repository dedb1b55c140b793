package io.servery.netty.observe;

import io.servery.core.config.Logging;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;

/// Writes events to standard error, one line each: for people on a terminal, JSON otherwise.
///
/// *Owner:* any thread. Events are rare; what may come in a flood is counted in a metric and reported here at a bounded rate.
public final class Events {
    private final Logging.Level least;
    private final boolean json;
    private final PrintStream out;
    private final Clock clock;

    public Events(Logging.Level least, boolean json, OutputStream out, Clock clock) {
        this.least = least;
        this.json = json;
        this.out = new PrintStream(out, true, StandardCharsets.UTF_8);
        this.clock = clock;
    }

    /// Whether events are lines for people.
    public boolean forPeople() {
        return !json;
    }

    /// Writes an event if it is severe enough.
    public void emit(Event event) {
        if (event.level().compareTo(least) >= 0) {
            write(json ? EventText.json(event, Instant.now(clock)) : EventText.human(event));
        }
    }

    /// Writes a line for people, in place of an event: start-up facts on a terminal.
    public void line(String text) {
        write(text + "\n");
    }

    /// Reports a bug: an exception that no code expected.
    public void bug(Throwable cause) {
        StackTraceElement[] trace = cause.getStackTrace();
        emit(Event.of(Logging.Level.ERROR, "runtime.bug").with("error_class", cause.getClass().getName())
                .with("message", String.valueOf(cause.getMessage()))
                .with("at", trace.length == 0 ? "unknown" : trace[0].toString()));
    }

    private void write(String text) {
        out.print(text);
        out.flush();
    }
}

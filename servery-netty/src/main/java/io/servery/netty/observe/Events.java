package io.servery.netty.observe;

import io.servery.core.config.Logging;
import io.servery.core.metric.LogDropReason;
import io.servery.core.metric.LogSink;
import io.servery.core.metric.MetricShard;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Writes events to standard error, one line each: for people on a terminal, JSON otherwise. A thread of its own writes,
/// so that nobody waits for whoever should read them; past a bound on the way they are dropped and counted.
///
/// *Owner:* any thread. Events are rare; what may come in a flood is counted in a metric and reported here at a bounded rate.
public final class Events {
    private static final int LINES_MAX = 1024;
    /// No line is empty.
    private static final byte[] END = new byte[0];

    private volatile Logging.Level least;
    private final boolean json;
    private final OutputStream out;
    private final Clock clock;
    private final Map<String, Object> context;
    private final ArrayBlockingQueue<byte[]> lines = new ArrayBlockingQueue<>(LINES_MAX);
    /// Dropped since the last line went out.
    private final AtomicLong unreported = new AtomicLong();
    private final Thread writer;
    private volatile @Nullable MetricShard drops;

    /// Starts the writing thread.
    public Events(Logging.Level least, boolean json, OutputStream out, Clock clock) {
        this(least, json, out, clock, Map.of());
    }

    /// Starts the writing thread.
    ///
    /// @param context fields that every event ends with: whose it is
    public Events(Logging.Level least, boolean json, OutputStream out, Clock clock, Map<String, Object> context) {
        this.context = Collections.unmodifiableMap(new LinkedHashMap<>(context));
        this.least = least;
        this.json = json;
        this.out = out;
        this.clock = clock;
        this.writer = Thread.ofPlatform().name("servery-events").daemon().unstarted(this::write);
        writer.start();
    }

    /// From now on what is dropped is counted there, too.
    ///
    /// @param shared by all threads
    public void countDropsIn(MetricShard shared) {
        drops = shared;
    }

    /// From now on this is the least severe event that is written.
    public void level(Logging.Level level) {
        least = level;
    }

    /// Whether events are lines for people.
    public boolean forPeople() {
        return !json;
    }

    /// Writes an event if it is severe enough.
    public void emit(Event event) {
        if (event.level().compareTo(least) >= 0) {
            offer(text(event));
        }
    }

    /// Writes a line for people, in place of an event: start-up facts on a terminal.
    public void line(String text) {
        offer(text + "\n");
    }

    /// Reports a bug: an exception that no code expected.
    public void bug(Throwable cause) {
        StackTraceElement[] trace = cause.getStackTrace();
        emit(Event.of(Logging.Level.ERROR, "runtime.bug").with("error_class", cause.getClass().getName())
                .with("message", String.valueOf(cause.getMessage()))
                .with("at", trace.length == 0 ? "unknown" : trace[0].toString()));
    }

    /// Writes what is queued, waiting no longer than this, and ends; what comes later is lost.
    ///
    /// @return whether all of it was written
    public boolean close(long patienceNanos) throws InterruptedException {
        long deadline = System.nanoTime() + patienceNanos;
        if (!lines.offer(END, patienceNanos, TimeUnit.NANOSECONDS)) {
            return false;
        }
        long left = deadline - System.nanoTime();
        writer.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        return !writer.isAlive();
    }

    private String text(Event given) {
        Event event = given;
        for (Map.Entry<String, Object> field : context.entrySet()) {
            event = event.with(field.getKey(), field.getValue());
        }
        return json ? EventText.json(event, Instant.now(clock)) : EventText.human(event);
    }

    private void offer(String text) {
        if (!lines.offer(text.getBytes(StandardCharsets.UTF_8))) {
            dropped(LogDropReason.QUEUE_CAPACITY);
        }
    }

    private void dropped(LogDropReason reason) {
        unreported.incrementAndGet();
        MetricShard shard = drops;
        if (shard != null) {
            shard.logDropped(LogSink.EVENT, reason, 1);
        }
    }

    private void write() {
        try {
            for (byte[] line = lines.take(); line.length > 0; line = lines.take()) {
                writeLine(line);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A full disk may have room again: the next line is tried again.
    private void writeLine(byte[] line) {
        try {
            out.write(line);
            out.flush();
            long count = unreported.getAndSet(0);
            if (count > 0) {
                emit(Event.of(Logging.Level.WARN, "logging.dropped").with("sink", "event").with("count", count));
            }
        } catch (IOException e) {
            dropped(LogDropReason.WRITE_FAILURE);
        }
    }
}

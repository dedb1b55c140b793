package io.servery.core.config;

import java.util.List;

/// The keys of `[logging]`.
final class LoggingKeys {
    private static final long TEBIBYTE = 1L << 40;

    static final Key<Logging.Level> LEVEL = Key
            .now("logging.level", new Words.OneOf<>(Logging.Level.class), "The least severe event that is written.")
            .byDefault("info").hot();
    static final Key<Logging.Format> FORMAT = Key
            .now("logging.format", new Words.OneOf<>(Logging.Format.class), "How events are written.")
            .byProfile("human", "json");
    static final Key<Boolean> ACCESS = Key
            .now("logging.access", new Words.Truth(), "One line a request on standard output.").byDefault("true");

    static final List<Key<?>> ALL = List.of(LEVEL, FORMAT, ACCESS,
            Key.later("logging.access_file", new Words.FilePath(), "A file, FIFO or device for the access log."),
            Key.later("logging.access_format",
                    new Words.Text("\"clf\", \"combined\" or \"json\"", v -> v.matches("clf|combined|json")),
                    "How a request is written.").byDefault("clf").inert("clf"),
            Key.later("logging.access_mode",
                    new Words.Text("an octal mode such as \"0640\"", v -> v.matches("0[0-7]{3}")),
                    "The mode of the access file.").byDefault("0640"),
            Key.later("logging.include_query", new Words.Truth(), "Write queries into the access log.")
                    .byDefault("false").inert("false"),
            Key.later("logging.queue_capacity", new Numbers.Count(1, 1 << 24), "Records that may wait.")
                    .byDefault("8192"),
            Key.later("logging.queue_bytes", new Numbers.Size(1 << 10, TEBIBYTE), "Bytes that may wait.")
                    .byDefault("8MiB"),
            Key.later("logging.overload", new Words.Text("\"block\" or \"drop\"", v -> v.matches("block|drop")),
                    "What happens when the queue is full.").byDefault("block"),
            Key.later("logging.drain_timeout", new Numbers.Time(0, 3_600_000), "How long the queue has at a stop.")
                    .byDefault("5s"));

    private LoggingKeys() {
    }
}

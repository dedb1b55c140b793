package io.servery.core.config;

import io.servery.core.config.RuntimeConfig.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/// The keys of `[runtime]`.
final class RuntimeKeys {
    private static final long HOUR = 3_600_000;
    private static final long MINUTE = 60_000;
    private static final int WORKERS_MAX = 64;
    private static final long MEBIBYTE = 1L << 20;
    private static final long TEBIBYTE = 1L << 40;

    static final Key<OptionalInt> WORKERS = Key
            .now("runtime.workers", new Numbers.AutoOrCount(new Numbers.Count(1, WORKERS_MAX)),
                    "Worker processes; \"auto\" is 2, or 1 on one core.")
            .byProfile("1", "auto");
    static final Key<Integer> MINIMUM_WORKERS = Key.now("runtime.minimum_workers", new Numbers.Count(1, WORKERS_MAX),
            "Ready workers below which the service is not ready; workers − 1, at least 1, when absent.");
    static final Key<OptionalInt> EVENT_LOOPS = Key.now("runtime.event_loops",
            new Numbers.AutoOrCount(new Numbers.Count(1, 1_024)),
            "Event loops of a worker; \"auto\" is cores / workers, rounded up.").byDefault("auto");
    static final Key<Transport> TRANSPORT = Key.now("runtime.transport", new Words.OneOf<>(Transport.class),
            "The network transport; \"auto\" is epoll where it loads, else NIO.").byDefault("auto");
    static final Key<Duration> DRAIN_TIMEOUT = Key
            .now("runtime.drain_timeout", new Numbers.Time(0, HOUR), "How long running work may finish at a stop.")
            .byDefault("30s");
    static final Key<Duration> FORCE_TIMEOUT = Key.now("runtime.force_timeout", new Numbers.Time(0, MINUTE),
            "How long forced work has to end after the drain.").byDefault("1s");
    static final Key<Duration> START_TIMEOUT = Key
            .now("runtime.start_timeout", new Numbers.Time(100, HOUR), "How long a start may take.").byDefault("30s");
    static final Key<Duration> BACKOFF_INITIAL = Key
            .now("runtime.restart_backoff_initial", new Numbers.Time(1, HOUR),
                    "The first pause before a failed worker is started again; not more than `restart_backoff_max`.")
            .byDefault("250ms");
    static final Key<Duration> BACKOFF_MAX = Key
            .now("runtime.restart_backoff_max", new Numbers.Time(1, HOUR), "The longest such pause.").byDefault("30s");
    static final Key<Integer> RESTART_LIMIT = Key
            .now("runtime.worker_restart_limit", new Numbers.Count(1, 1_000),
                    "Exits of workers within the window that are borne before one is given up.")
            .byDefault("5");
    static final Key<Duration> RESTART_WINDOW = Key
            .now("runtime.worker_restart_window", new Numbers.Time(1_000, 24 * HOUR), "That window.").byDefault("60s");
    static final Key<Duration> MAX_AGE = Key.now("runtime.worker_max_age", new Numbers.Time(0, 365 * 24 * HOUR),
            "The age at which a worker is replaced; 0 never.").byDefault("0");
    static final Key<Double> MAX_AGE_JITTER = Key.now("runtime.worker_max_age_jitter", new Numbers.Share(),
            "By what share of it an age may be shorter.").byDefault("0.1");
    static final Key<Integer> MAX_REQUESTS = Key
            .now("runtime.max_requests_per_worker", new Numbers.Count(0, Integer.MAX_VALUE),
                    "Requests after which a worker is replaced; 0 never.")
            .byDefault("0");
    static final Key<Duration> HANG_TIMEOUT = Key.now("runtime.hang_timeout", new Numbers.Time(100, HOUR),
            "How long an event loop may stand still.").byDefault("10s");
    static final Key<Long> WORKER_HEAP = Key.now("runtime.worker_heap", new Numbers.Size(16 * MEBIBYTE, TEBIBYTE),
            "Java heap of a worker; derived from the memory limit when absent.");
    static final Key<Long> WORKER_DIRECT_MEMORY = Key.now("runtime.worker_direct_memory",
            new Numbers.Size(16 * MEBIBYTE, TEBIBYTE),
            "Direct memory of a worker; derived from the memory limit when absent.");
    static final Key<Path> STATE_DIRECTORY = Key
            .now("runtime.state_directory", new Words.FilePath(), "What must survive a restart.")
            .byProfile(DefaultWords.STATE_HOME, "/var/lib/servery").restart();
    static final Key<Path> RUNTIME_DIRECTORY = Key
            .now("runtime.runtime_directory", new Words.FilePath(RuntimeDirectory.BYTES_MAX),
                    "Sockets and what lives as long as the process; one private to user and file when absent.")
            .byProfile(null, "/run/servery").restart();
    static final Key<String> USER = Key.now("runtime.user", Forms.TEXT, "The user that workers run as.").restart();
    static final Key<String> GROUP = Key.now("runtime.group", Forms.TEXT, "The group that workers run as.").restart();

    static final List<Key<?>> ALL = List.of(WORKERS, MINIMUM_WORKERS, EVENT_LOOPS, TRANSPORT, DRAIN_TIMEOUT,
            FORCE_TIMEOUT, START_TIMEOUT, BACKOFF_INITIAL, BACKOFF_MAX, RESTART_LIMIT, RESTART_WINDOW, MAX_AGE,
            MAX_AGE_JITTER, MAX_REQUESTS, HANG_TIMEOUT, WORKER_HEAP, WORKER_DIRECT_MEMORY, STATE_DIRECTORY,
            RUNTIME_DIRECTORY, USER, GROUP);

    private RuntimeKeys() {
    }
}

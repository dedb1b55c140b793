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

    /// Leaves room for the name of a socket below it: a socket address holds 107 bytes.
    private static final int RUNTIME_DIRECTORY_BYTES_MAX = 80;

    static final Key<OptionalInt> EVENT_LOOPS = Key.now("runtime.event_loops",
            new Numbers.AutoOrCount(new Numbers.Count(1, 1_024)), "Event loops of a worker; \"auto\" is one per core.")
            .byDefault("auto");
    static final Key<Transport> TRANSPORT = Key.now("runtime.transport", new Words.OneOf<>(Transport.class),
            "The network transport; \"auto\" is epoll where it loads, else NIO.").byDefault("auto");
    static final Key<Duration> DRAIN_TIMEOUT = Key
            .now("runtime.drain_timeout", new Numbers.Time(0, HOUR), "How long running work may finish at a stop.")
            .byDefault("30s");
    static final Key<Duration> FORCE_TIMEOUT = Key.now("runtime.force_timeout", new Numbers.Time(0, MINUTE),
            "How long forced work has to end after the drain.").byDefault("1s");
    static final Key<Duration> START_TIMEOUT = Key
            .now("runtime.start_timeout", new Numbers.Time(100, HOUR), "How long a start may take.").byDefault("30s");
    static final Key<Duration> HANG_TIMEOUT = Key.now("runtime.hang_timeout", new Numbers.Time(100, HOUR),
            "How long an event loop may stand still.").byDefault("10s");
    static final Key<Path> STATE_DIRECTORY = Key
            .now("runtime.state_directory", new Words.FilePath(), "What must survive a restart.")
            .byProfile(DefaultWords.STATE_HOME, "/var/lib/servery").restart();
    static final Key<Path> RUNTIME_DIRECTORY = Key
            .now("runtime.runtime_directory", new Words.FilePath(RUNTIME_DIRECTORY_BYTES_MAX),
                    "Sockets and what lives as long as the process; a private temporary directory when absent.")
            .byProfile(null, "/run/servery").restart();

    static final List<Key<?>> ALL = List.of(
            Key.later("runtime.workers", new Numbers.AutoOrCount(new Numbers.Count(1, WORKERS_MAX)),
                    "Worker processes; \"auto\" is 2, or 1 on one core.").byProfile("1", "auto").inert("1"),
            Key.later("runtime.minimum_workers", new Numbers.Count(1, WORKERS_MAX),
                    "Ready workers below which the service is not ready; workers − 1, at least 1, when absent.")
                    .inert("1"),
            EVENT_LOOPS, TRANSPORT, DRAIN_TIMEOUT, FORCE_TIMEOUT, START_TIMEOUT,
            Key.later("runtime.restart_backoff_initial", new Numbers.Time(1, HOUR),
                    "The first pause before a failed worker is started again.").byDefault("250ms"),
            Key.later("runtime.restart_backoff_max", new Numbers.Time(1, HOUR), "The longest such pause.")
                    .byDefault("30s"),
            Key.later("runtime.worker_restart_limit", new Numbers.Count(1, 1_000),
                    "Failures of a worker within the window before it is given up.").byDefault("5"),
            Key.later("runtime.worker_restart_window", new Numbers.Time(1_000, 24 * HOUR), "That window.")
                    .byDefault("60s"),
            Key.later("runtime.worker_max_age", new Numbers.Time(0, 365 * 24 * HOUR),
                    "The age at which a worker is replaced; 0 never.").byDefault("0").inert("0"),
            Key.later("runtime.worker_max_age_jitter", new Numbers.Share(), "How far ages differ, as a share.")
                    .byDefault("0.1"),
            Key.later("runtime.max_requests_per_worker", new Numbers.Count(0, Integer.MAX_VALUE),
                    "Requests after which a worker is replaced; 0 never.").byDefault("0").inert("0"),
            HANG_TIMEOUT,
            Key.later("runtime.worker_heap", new Numbers.Size(16 * MEBIBYTE, TEBIBYTE),
                    "Java heap of a worker; derived from the memory limit when absent."),
            Key.later("runtime.worker_direct_memory", new Numbers.Size(16 * MEBIBYTE, TEBIBYTE),
                    "Direct memory of a worker; derived from the memory limit when absent."),
            STATE_DIRECTORY, RUNTIME_DIRECTORY,
            Key.later("runtime.user", Forms.TEXT, "The user that workers run as.").restart(),
            Key.later("runtime.group", Forms.TEXT, "The group that workers run as.").restart());

    private RuntimeKeys() {
    }
}

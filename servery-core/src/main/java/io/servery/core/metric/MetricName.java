package io.servery.core.metric;

import static io.servery.core.metric.MetricType.COUNTER;
import static io.servery.core.metric.MetricType.GAUGE;
import static io.servery.core.metric.MetricType.HISTOGRAM;
import static io.servery.core.metric.MetricType.SUMMARY;

import java.util.List;
import java.util.Locale;

/// Every metric that exists so far, with its type and its labels: the reference page is checked against this table.
public enum MetricName {
    SERVERY_REQUESTS_TOTAL(COUNTER, "Requests that got their final status.", "transport", "method_class", "code"),
    SERVERY_REQUEST_DURATION_SECONDS(HISTOGRAM, "Time from the request head to the end of the response.",
            "transport", "work_class"),
    SERVERY_REQUESTS_IN_FLIGHT(GAUGE, "Requests begun and not ended.", "transport"),
    SERVERY_REQUEST_BYTES_TOTAL(COUNTER, "Bytes of request content received.", "transport", "work_class"),
    SERVERY_RESPONSE_BYTES_TOTAL(COUNTER, "Bytes of response content sent.", "transport", "work_class"),
    SERVERY_CONNECTIONS_ACTIVE(GAUGE, "Connections open now.", "transport"),
    SERVERY_CONNECTIONS_TOTAL(COUNTER, "Connections accepted.", "transport"),
    SERVERY_QUEUE_DEPTH(GAUGE, "Items waiting in a bounded queue.", "queue"),
    SERVERY_QUEUE_CAPACITY(GAUGE, "Items that a bounded queue can hold.", "queue"),
    SERVERY_QUEUE_HIGH_WATER(GAUGE, "Most items that ever waited in a bounded queue.", "queue"),
    SERVERY_LANE_BYTES(GAUGE, "Bytes that the work of a lane retains.", "lane"),
    SERVERY_LANE_BYTES_CAPACITY(GAUGE, "Bytes that the work of a lane may retain.", "lane"),
    SERVERY_REJECTIONS_TOTAL(COUNTER, "Connections and requests refused, by reason.", "reason", "transport"),
    SERVERY_TIMEOUTS_TOTAL(COUNTER, "Deadlines that passed, by phase.", "phase", "transport"),
    SERVERY_DRAIN_FORCED_TOTAL(COUNTER, "Work cut short at the end of a drain.", "work_class", "reason"),
    SERVERY_WORKERS(GAUGE, "Workers by state.", "state"),
    SERVERY_GENERATION(GAUGE, "The generation that serves; 0 before the first."),
    SERVERY_WORKER_RESTARTS_TOTAL(COUNTER, "Workers started in place of another.", "reason"),
    SERVERY_RELOAD_TOTAL(COUNTER, "Reloads and rollbacks.", "result"),
    SERVERY_CONFIG_LAST_RELOAD_SUCCESSFUL(GAUGE, "Whether the last configuration was applied."),
    SERVERY_CONFIG_LAST_RELOAD_SUCCESS_TIMESTAMP_SECONDS(GAUGE,
            "When a configuration was last applied, since the Unix epoch in seconds."),
    SERVERY_CERTIFICATE_EXPIRY_TIMESTAMP_SECONDS(GAUGE,
            "When the first of the certificates that are shown ends, since the Unix epoch in seconds."),
    SERVERY_ACME_ATTEMPTS_TOTAL(COUNTER, "Attempts to get a certificate from an authority, by what became of them.",
            "result", "reason"),
    SERVERY_ACME_NEXT_ATTEMPT_TIMESTAMP_SECONDS(GAUGE,
            "When the next attempt to get a certificate begins at the latest, since the Unix epoch in seconds; 0 if none will."),
    SERVERY_TLS_HANDSHAKES_TOTAL(COUNTER, "TLS handshakes that ended.", "version", "result", "resumed"),
    SERVERY_CACHE_OPERATIONS_TOTAL(COUNTER, "Operations on a bounded cache, by result.", "cache", "result"),
    SERVERY_CACHE_BYTES(GAUGE, "Bytes held by a bounded cache.", "cache"),
    SERVERY_LOG_EVENTS_DROPPED_TOTAL(COUNTER, "Log records dropped.", "sink", "reason"),
    SERVERY_BUILD_INFO(GAUGE, "Versions of what runs; always 1.", "version", "java", "netty"),

    PROCESS_CPU_SECONDS_TOTAL(COUNTER, "User and system CPU time spent in seconds.", "role", "slot"),
    PROCESS_START_TIME_SECONDS(GAUGE, "Start time of the process since the Unix epoch in seconds.", "role", "slot"),
    PROCESS_OPEN_FDS(GAUGE, "Open file descriptors.", "role", "slot"),
    PROCESS_MAX_FDS(GAUGE, "Most file descriptors that may be open.", "role", "slot"),
    PROCESS_VIRTUAL_MEMORY_BYTES(GAUGE, "Virtual memory size in bytes.", "role", "slot"),
    PROCESS_RESIDENT_MEMORY_BYTES(GAUGE, "Resident memory size in bytes.", "role", "slot"),
    JVM_MEMORY_USED_BYTES(GAUGE, "JVM memory in use.", "role", "slot", "area"),
    JVM_MEMORY_COMMITTED_BYTES(GAUGE, "JVM memory committed.", "role", "slot", "area"),
    JVM_MEMORY_MAX_BYTES(GAUGE, "Most JVM memory; -1 without a limit.", "role", "slot", "area"),
    JVM_BUFFER_POOL_USED_BYTES(GAUGE, "Memory used by a pool of buffers.", "role", "slot", "pool"),
    JVM_BUFFER_POOL_USED_BUFFERS(GAUGE, "Buffers in a pool of buffers.", "role", "slot", "pool"),
    JVM_GC_COLLECTION_SECONDS(SUMMARY, "Time spent in a garbage collector.", "role", "slot", "gc"),
    JVM_THREADS_CURRENT(GAUGE, "Live threads of the JVM.", "role", "slot"),
    JVM_NETTY_DIRECT_MEMORY_BYTES(GAUGE, "Direct memory reserved by Netty.", "role", "slot");

    private final MetricType type;
    private final String help;
    // List.of makes it immutable; the type of the field cannot say so.
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> labels;

    MetricName(MetricType type, String help, String... labels) {
        this.type = type;
        this.help = help;
        this.labels = List.of(labels);
    }

    /// The name as Prometheus text exposes it.
    public String exposedName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public MetricType type() {
        return type;
    }

    public String help() {
        return help;
    }

    /// The names of its labels, in the order of [MetricSeries#labelValues()].
    public List<String> labels() {
        return labels;
    }
}

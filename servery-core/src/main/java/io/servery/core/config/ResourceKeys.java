package io.servery.core.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The keys of `[resources]` and its tables.
final class ResourceKeys {
    private static final long KIBIBYTE = 1L << 10;
    private static final long MEBIBYTE = 1L << 20;
    private static final long GIBIBYTE = 1L << 30;
    private static final long TEBIBYTE = 1L << 40;
    private static final long TIMEOUT_MIN = 10;
    private static final long HOUR = 3_600_000;
    private static final int CONNECTIONS_MAX = 1_000_000;
    private static final int THREADS_MAX = 256;
    private static final int QUEUE_MAX = 65_536;

    static final Key<Integer> MAX_CONNECTIONS = Key
            .now("resources.max_connections", new Numbers.Count(1, CONNECTIONS_MAX), "Connections at a time.")
            .byProfile("256", "10000").hot();
    static final Key<Integer> MAX_CONNECTIONS_PER_CLIENT = Key
            .now("resources.max_connections_per_client", new Numbers.Count(0, CONNECTIONS_MAX),
                    "Connections of one client address at a time; 0 sets no limit of its own.")
            .byProfile("0", "512").finiteInProduction().hot();
    static final Key<Integer> MAX_REQUESTS_PER_CONNECTION = Key
            .now("resources.max_requests_per_connection", new Numbers.Count(0, Integer.MAX_VALUE),
                    "Requests after which a connection is closed; 0 never.")
            .byDefault("0").hot();
    static final Key<Long> MAX_HEAD_BYTES = Key
            .now("resources.max_head_bytes", new Numbers.Size(KIBIBYTE, MEBIBYTE), "Request line and fields together.")
            .byDefault("32KiB").hot();
    static final Key<Integer> MAX_FIELDS = Key
            .now("resources.max_fields", new Numbers.Count(1, 1_000), "Fields of a request.").byDefault("100").hot();
    static final Key<Long> MAX_TARGET_BYTES = Key.now("resources.max_target_bytes",
            new Numbers.Size(64, 64 * KIBIBYTE), "The request target; not more than `max_head_bytes`.")
            .byDefault("8KiB").hot();
    static final Key<Long> MAX_REQUEST_BODY = Key
            .now("resources.max_request_body", new Numbers.Size(0, TEBIBYTE), "The body of a request.")
            .byDefault("100MiB").hot();
    static final Key<Long> KEEPALIVE_DRAIN_LIMIT = Key
            .now("resources.keepalive_drain_limit", new Numbers.Size(0, 16 * MEBIBYTE),
                    "How much of an unread request body is read to keep the connection.")
            .byDefault("64KiB").hot();
    static final Key<Duration> HANDSHAKE_TIMEOUT = timeout("handshake_timeout", "A TLS handshake.", "10s");
    static final Key<Duration> REQUEST_HEAD_TIMEOUT = timeout("request_head_timeout",
            "A request head, from the accept or the end of the request before.", "10s");
    static final Key<Duration> REQUEST_BODY_TIMEOUT = timeout("request_body_timeout",
            "The longest silence within a request body.", "60s");
    static final Key<Long> REQUEST_BODY_RATE = Key
            .now("resources.request_body_rate", new Numbers.Size(0, GIBIBYTE),
                    "Least bytes a second of a request body after its first 5 s; 0 asks for none.")
            .byDefault("500").finiteInProduction().hot();
    static final Key<Duration> WRITE_TIMEOUT = timeout("write_timeout",
            "The longest time without progress of a response.", "60s");
    static final Key<Duration> KEEPALIVE_TIMEOUT = timeout("keepalive_timeout",
            "How long a connection may be idle between requests.", "30s");
    static final Key<Long> FILE_CACHE_BYTES = Key
            .now("resources.file_cache_bytes", new Numbers.Size(0, TEBIBYTE),
                    "Memory for small files; 0 keeps none.")
            .byDefault("32MiB");
    static final Key<Long> SMALL_FILE_BYTES = Key.now("resources.small_file_bytes",
            new Numbers.Size(0, 16 * MEBIBYTE), "Up to this size a file may be kept in memory.").byDefault("64KiB");
    static final Key<Long> COMPRESSION_CACHE_BYTES = Key
            .now("resources.compression_cache_bytes", new Numbers.Size(0, TEBIBYTE),
                    "Memory for compressed forms that were made and are kept; 0 keeps none.")
            .byDefault("8MiB");
    static final Key<Integer> FILESYSTEM_THREADS = Key.now("resources.lanes.filesystem.threads",
            new Numbers.Count(1, THREADS_MAX), "Threads that touch the file system.").byDefault("4");
    static final Key<Integer> FILESYSTEM_QUEUE = Key.now("resources.lanes.filesystem.queue",
            new Numbers.Count(1, QUEUE_MAX), "Tasks that may wait for them.").byDefault("256");

    static final Key<Integer> COMPUTE_THREADS = Key.now("resources.lanes.compute.threads",
            new Numbers.Count(1, THREADS_MAX),
            "Threads that compress, digest and list directories; one a core when absent.");
    static final Key<Integer> COMPUTE_QUEUE = Key.now("resources.lanes.compute.queue",
            new Numbers.Count(1, QUEUE_MAX), "Tasks that may wait for them.").byDefault("64");
    static final Key<Long> COMPUTE_BYTES = Key.now("resources.lanes.compute.bytes",
            new Numbers.Size(KIBIBYTE, TEBIBYTE),
            "What they retain together, input and output; and once more what compressed forms take that are not "
                    + "kept, until they are sent.")
            .byDefault("64MiB");

    static final List<Key<?>> ALL = all();

    private ResourceKeys() {
    }

    private static Key<Duration> timeout(String name, String doc, String byDefault) {
        return Key.now("resources." + name, new Numbers.Time(TIMEOUT_MIN, HOUR), doc).byDefault(byDefault).hot();
    }

    private static List<Key<?>> all() {
        List<Key<?>> all = new ArrayList<>(List.of(MAX_CONNECTIONS, MAX_CONNECTIONS_PER_CLIENT,
                MAX_REQUESTS_PER_CONNECTION,
                Key.later("resources.max_h2_streams", new Numbers.Count(1, 10_000),
                        "Streams at a time of an HTTP/2 connection.").byDefault("100").hot(),
                MAX_HEAD_BYTES, MAX_FIELDS, MAX_TARGET_BYTES, MAX_REQUEST_BODY,
                Key.later("resources.max_upload_size", new Numbers.Size(0, TEBIBYTE), "An uploaded file.")
                        .byDefault("100MiB").hot(),
                Key.later("resources.max_archive_streams", new Numbers.Count(1, 1_024), "Archives at a time.")
                        .byDefault("4").hot(),
                KEEPALIVE_DRAIN_LIMIT, HANDSHAKE_TIMEOUT, REQUEST_HEAD_TIMEOUT, REQUEST_BODY_TIMEOUT,
                REQUEST_BODY_RATE, WRITE_TIMEOUT, KEEPALIVE_TIMEOUT,
                COMPRESSION_CACHE_BYTES,
                FILE_CACHE_BYTES, SMALL_FILE_BYTES,
                Key.later("resources.background_tasks", new Numbers.Count(0, QUEUE_MAX),
                        "Tasks beside requests at a time.").byDefault("128").hot(),
                FILESYSTEM_THREADS, FILESYSTEM_QUEUE, COMPUTE_THREADS, COMPUTE_QUEUE, COMPUTE_BYTES));
        all.addAll(lane("stream", "4", "16", "16MiB"));
        all.addAll(lane("application", "16", "256", null));
        all.addAll(rates());
        return List.copyOf(all);
    }

    private static List<Key<?>> lane(String lane, String threads, String queue,
            @org.jspecify.annotations.Nullable String bytes) {
        String prefix = "resources.lanes." + lane;
        List<Key<?>> keys = new ArrayList<>();
        keys.add(Key.later(prefix + ".threads", new Numbers.Count(1, THREADS_MAX),
                "Threads.").byDefault(threads));
        keys.add(Key.later(prefix + ".queue", new Numbers.Count(1, QUEUE_MAX), "Tasks that may wait.")
                .byDefault(queue));
        if (bytes != null) {
            keys.add(Key.later(prefix + ".bytes", new Numbers.Size(KIBIBYTE, TEBIBYTE), "Retained input and output.")
                    .byDefault(bytes));
        }
        return keys;
    }

    private static List<Key<?>> rates() {
        return List.of(rate("requests_per_second", "Requests a second of the worker (503)."),
                rate("burst", "Requests of the worker at once."),
                rate("client_requests_per_second", "Requests a second of one client (429)."),
                rate("client_burst", "Requests of one client at once."),
                Key.later("resources.rate.client_table", new Numbers.Count(1, 1 << 24), "Clients that are remembered.")
                        .byDefault("65536").hot(),
                rate("bytes_per_second", "Bytes a second of the worker."),
                rate("client_bytes_per_second", "Bytes a second to one client."),
                rate("transfer_bytes_per_second", "Bytes a second of one transfer."));
    }

    private static Key<?> rate(String name, String doc) {
        return Key.later("resources.rate." + name, new Numbers.Size(0, TEBIBYTE), doc + " 0 is off.").byDefault("0")
                .inert("0").hot();
    }
}
